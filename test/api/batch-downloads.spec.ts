import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ResultsService } from '../../src/batch/results/results.service.js';
import { ResultEncoder } from '../../src/batch/model/result-codec.js';
import { NOTHING_VERIFIED } from '../../src/engine/types.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase, queueBatch } from '../support/batches.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { scrape } from '../support/scrape.js';
import { startService, type TestService } from '../support/service.js';

/** Together a file many times larger than what the sockets of both sides keep for a reader that does not read. */
const BLOCKS = 48;
const BLOCK_ROWS = 1_000;
const ARCHIVES = ['xlsx', 'zip'];

let database: TestDatabase;
let service: TestService;
let account: FullAccount;
let batchId: number;
let openReads = 0;
/** Done when a read begins. */
let onRead = (): void => undefined;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({ database, env: { role: 'api', metricsPort: 0 } });
  account = await createFullAccount(database);
  batchId = await finishedBatch();
  watchReads();
});

afterAll(async () => {
  await service.close();
  await database.drop();
});

const emailOf = (offset: number) => `u${offset}@example.com`;

/** A row's note: 601 letters that compression hardly shortens. */
const noteOf = (row: number) =>
  `n${createHash('shake256', { outputLength: 450 }).update(String(row)).digest('base64url')}`;

/** A finished batch. Each block has the same thousand addresses, and extra columns of its own. */
async function finishedBatch(): Promise<number> {
  const emails = Array.from({ length: BLOCK_ROWS }, (_, offset) => emailOf(offset));
  const id = await queueBatch(database.url, { accountId: account.accountId, emails, simulated: true });
  const answers = new ResultEncoder();
  for (const [offset, email] of emails.entries()) {
    const verification = { ...NOTHING_VERIFIED, email, normalizedEmail: email };
    answers.add({ offset, verification, creditsCharged: 0, latencyMs: offset });
  }
  const rowRefs = Buffer.alloc(BLOCK_ROWS * 4);
  for (const offset of emails.keys()) rowRefs.writeInt32LE(offset, offset * 4);
  await onDatabase(database.url, 'INSERT INTO batch_results (batch_id, chunk, pass, results) VALUES ($1, 0, 0, $2)', [
    id,
    answers.toString(),
  ]);
  for (let number = 0; number < BLOCKS; number++) {
    const rows = emails.map((_, offset) => number * BLOCK_ROWS + offset);
    const cells = rows.map((row) => [String(row), noteOf(row)]);
    await onDatabase(
      database.url,
      'INSERT INTO batch_rows (batch_id, number, items, row_refs, extra_columns) VALUES ($1, $2, $3, $4, $5)',
      [
        id,
        number,
        number === 0 ? '{}' : JSON.stringify(Object.fromEntries(emails.entries())),
        rowRefs,
        JSON.stringify(cells),
      ],
    );
  }
  await onDatabase(
    database.url,
    `UPDATE batches SET state = 'completed', finished_at = now(), open_chunks = 0, total_rows = $2, unknown = $2, columns = $3 WHERE id = $1`,
    [id, BLOCKS * BLOCK_ROWS, JSON.stringify({ names: ['Number', 'Note'], layout: null })],
  );
  return id;
}

/** Counts reads of results that have begun and not ended. */
function watchReads(): void {
  const results = service.app.get(ResultsService);
  const read = results.read.bind(results);
  async function* watched<T>(blocks: AsyncIterable<T>): AsyncGenerator<T> {
    openReads += 1;
    try {
      yield* blocks;
    } finally {
      openReads -= 1;
    }
  }
  vi.spyOn(results, 'read').mockImplementation((...args) => {
    onRead();
    const { names, blocks } = read(...args);
    return { names, blocks: watched(blocks) };
  });
}

interface Stalled {
  readonly request: ClientRequest;
  readonly reply: IncomingMessage;
  /** The service's side of it. */
  readonly written: ServerResponse;
}

/** Over a socket of its own. @param encoding of a CSV, or an archive */
function download(encoding: string): ClientRequest {
  const format = ARCHIVES.includes(encoding) ? encoding : 'csv';
  return get(`${service.url}/api/v1/verify/batch/${batchId}/results?format=${format}`, {
    agent: false,
    headers: {
      authorization: `Bearer ${account.testKey}`,
      'accept-encoding': format === 'csv' ? encoding : 'identity',
      'x-request-id': `reader-${encoding}`,
    },
  });
}

/** Asks for the file over a socket of its own, and reads nothing of it until the service waits for room in it. */
async function stalledDownload(encoding = 'identity'): Promise<Stalled> {
  const arrived = once(service.app.getHttpServer(), 'request') as Promise<[unknown, ServerResponse]>;
  const request = download(encoding);
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  const [, written] = await arrived;
  while (!written.writableNeedDrain && !written.writableFinished) await turn();
  return { request, reply, written };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Gives the service time to read the whole file twice, if it does not wait for its reader. */
async function letEverythingHappen(): Promise<void> {
  for (let i = 0; i < BLOCKS * 2; i++) {
    await service.app.get(DataSource).query('SELECT 1');
    await turn();
  }
}

it('a download whose reader stops waits with reading the database, and goes on with the reader to the end of the file', async () => {
  const { reply, written } = await stalledDownload();
  await letEverythingHappen();
  expect(written.writableNeedDrain).toBe(true);
  // The service has not read the second half of the file yet, so it finds what is written there now.
  const unread = BLOCKS / 2;
  await onDatabase(
    database.url,
    `UPDATE batch_rows SET extra_columns = replace(extra_columns, '"n', '"later ') WHERE batch_id = $1 AND number >= $2`,
    [batchId, unread],
  );
  let text = '';
  for await (const piece of reply) text += String(piece);
  const lines = text.split('\r\n');
  expect([lines.length, lines.at(-1)]).toEqual([BLOCKS * BLOCK_ROWS + 2, '']);
  const noteInFile = (row: number) => (row < unread * BLOCK_ROWS ? noteOf(row) : noteOf(row).replace('n', 'later '));
  const wrong = lines
    .slice(1, -1)
    .filter((line, i) => !line.startsWith(`${emailOf(i % BLOCK_ROWS)},`) || !line.endsWith(`,${i},${noteInFile(i)}`));
  expect(wrong).toEqual([]);
});

it.each(['identity', 'gzip', ...ARCHIVES])(
  'a reader that goes away in the middle of %s leaves nothing open',
  async (encoding) => {
    const { request, reply } = await stalledDownload(encoding);
    expect(openReads).toBe(1);
    reply.on('error', () => undefined);
    request.destroy();
    const pool = (service.app.get(DataSource).driver as unknown as { master: Pool }).master;
    // Ends by the time limit of the test, if the reader's connection is never given back.
    while (openReads > 0 || pool.totalCount > pool.idleCount) await turn();
    await letEverythingHappen();
    expect([openReads, pool.waitingCount]).toEqual([0, 0]);
  },
);

it.each(['identity', 'gzip'])(
  'a reader that has gone before the first byte of %s is no fault of ours',
  async (encoding) => {
    const faults = vi.spyOn(Logger.prototype, 'error');
    const counted = async (name: string, labels = {}) => (await scrape(service)).valueOf(name, labels);
    const faultsCounted = async () => [
      await counted('mailsonde_http_errors_total'),
      await counted('mailsonde_http_request_duration_seconds_count', { status: '5xx' }),
    ];
    const before = await faultsCounted();
    const arrived = once(service.app.getHttpServer(), 'request') as Promise<[IncomingMessage, ServerResponse]>;
    download(encoding).on('error', () => undefined);
    const [{ socket }, reply] = await arrived;
    // As after a reset: the connection is destroyed, and its end is told in a later turn.
    onRead = () => socket.destroy();
    // A listener would be one more than Node lets a reply have without a warning.
    while (!reply.closed) await turn();
    onRead = () => undefined;
    // Ends by the time limit of the test, if a read is never ended.
    while (openReads > 0) await turn();
    await letEverythingHappen();
    expect(reply.headersSent).toBe(false);
    // Those of other specs of this process are not counted.
    const told = faults.mock.calls.map(([, params]) => (params as { request_id?: string } | undefined)?.request_id);
    expect(told).not.toContain(`reader-${encoding}`);
    expect(await faultsCounted()).toEqual(before);
  },
);
