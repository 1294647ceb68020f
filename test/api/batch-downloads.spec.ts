import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { BatchResultsService } from '../../src/batch/batch-results.service.js';
import { ResultsEncoder } from '../../src/batch/batch-results.js';
import { NOTHING_VERIFIED } from '../../src/batch/found-results.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase, queueBatch } from '../support/batches.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startService, type TestService } from '../support/service.js';

/** A file of 40 MB: many times what sockets on both sides keep for a reader that does not read. */
const BLOCKS = 48;
const BLOCK_ROWS = 1_000;

let database: TestDatabase;
let service: TestService;
let account: FullAccount;
let batchId: number;
const work = { statements: 0, openReads: 0 };

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({ database, env: { role: 'api' } });
  account = await createFullAccount(database);
  batchId = await finishedBatch();
  watchReads();
});

beforeEach(() => void (work.statements = 0));

afterAll(async () => {
  await service.close();
  await database.drop();
});

const emailOf = (offset: number) => `u${offset}@example.com`;

/** Of a row: 601 letters that hardly any packing makes less. */
const noteOf = (row: number) =>
  `n${createHash('shake256', { outputLength: 450 }).update(String(row)).digest('base64url')}`;

/** The same thousand addresses in each block, beside a number of their own: a batch as its end leaves it. */
async function finishedBatch(): Promise<number> {
  const emails = Array.from({ length: BLOCK_ROWS }, (_, offset) => emailOf(offset));
  const id = await queueBatch(database.url, { accountId: account.accountId, emails, simulated: true });
  const answers = new ResultsEncoder();
  for (const [offset, email] of emails.entries()) {
    const verification = { ...NOTHING_VERIFIED, email, normalizedEmail: email };
    answers.add({ offset, verification, creditsCharged: 0, latencyMs: offset });
  }
  const places = Buffer.alloc(BLOCK_ROWS * 4);
  for (const offset of emails.keys()) places.writeInt32LE(offset, offset * 4);
  await onDatabase(database.url, 'INSERT INTO batch_results (batch_id, chunk, round, results) VALUES ($1, 0, 0, $2)', [
    id,
    answers.toString(),
  ]);
  for (let number = 0; number < BLOCKS; number++) {
    const rows = emails.map((_, offset) => number * BLOCK_ROWS + offset);
    const cells = rows.map((row) => [String(row), noteOf(row)]);
    await onDatabase(
      database.url,
      'INSERT INTO batch_rows (batch_id, number, emails, places, cells) VALUES ($1, $2, $3, $4, $5)',
      [
        id,
        number,
        number === 0 ? '{}' : JSON.stringify(Object.fromEntries(emails.entries())),
        places,
        JSON.stringify(cells),
      ],
    );
  }
  await onDatabase(
    database.url,
    `UPDATE batches SET state = 'completed', finished_at = now(), open_chunks = 0, total_rows = $2, columns = $3 WHERE id = $1`,
    [id, BLOCKS * BLOCK_ROWS, JSON.stringify(['Number', 'Note'])],
  );
  return id;
}

/** Counts what is asked of the database, and reads that have begun and not ended. */
function watchReads(): void {
  const dataSource = service.app.get(DataSource);
  const query = dataSource.query.bind(dataSource);
  vi.spyOn(dataSource, 'query').mockImplementation((sql: string, ...rest: unknown[]) => {
    if (sql.includes('FROM batch_rows')) work.statements += 1;
    return query(sql, ...(rest as []));
  });
  const results = service.app.get(BatchResultsService);
  const read = results.read.bind(results);
  vi.spyOn(results, 'read').mockImplementation(async function* (...args) {
    work.openReads += 1;
    try {
      yield* read(...args);
    } finally {
      work.openReads -= 1;
    }
  });
}

interface Stalled {
  readonly request: ClientRequest;
  readonly reply: IncomingMessage;
  /** The service's side of it. */
  readonly written: ServerResponse;
}

/** Asks for the file over a socket of its own, and reads nothing of it until the service waits for room in it. */
async function stalledDownload(encoding = 'identity'): Promise<Stalled> {
  const arrived = once(service.app.getHttpServer(), 'request') as Promise<[unknown, ServerResponse]>;
  const request = get(`${service.url}/api/v1/verify/batch/${batchId}/results?format=csv`, {
    agent: false,
    headers: { authorization: `Bearer ${account.testKey}`, 'accept-encoding': encoding },
  });
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  const [, written] = await arrived;
  while (!written.writableNeedDrain && !written.writableFinished) await turn();
  return { request, reply, written };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** As much to and fro with the database as the whole file takes, twice: who does not wait has read all of it then. */
async function letEverythingHappen(): Promise<void> {
  for (let i = 0; i < BLOCKS * 2; i++) {
    await service.app.get(DataSource).query('SELECT 1');
    await turn();
  }
}

it('a reader that stops is waited for with the database left alone, and gets the whole file when it goes on', async () => {
  const { reply, written } = await stalledDownload();
  await letEverythingHappen();
  const whileStalled = work.statements;
  expect(written.writableNeedDrain).toBe(true);
  let text = '';
  for await (const piece of reply) text += String(piece);
  const lines = text.split('\r\n');
  expect([lines.length, lines.at(-1)]).toEqual([BLOCKS * BLOCK_ROWS + 2, '']);
  const wrong = lines
    .slice(1, -1)
    .filter((line, i) => !line.startsWith(`${emailOf(i % BLOCK_ROWS)},`) || !line.endsWith(`,${i},${noteOf(i)}`));
  expect(wrong).toEqual([]);
  expect(whileStalled).toBeGreaterThan(0);
  expect(whileStalled).toBeLessThan(work.statements / 2);
});

it.each(['identity', 'gzip'])('a reader that goes away in the middle of %s leaves nothing open', async (encoding) => {
  const { request, reply } = await stalledDownload(encoding);
  expect(work.openReads).toBe(1);
  reply.on('error', () => undefined);
  request.destroy();
  while (work.openReads > 0) await turn();
  const afterwards = work.statements;
  await letEverythingHappen();
  expect(work.statements).toBe(afterwards);
  const pool = (service.app.get(DataSource).driver as unknown as { master: Pool }).master;
  expect([pool.totalCount - pool.idleCount, pool.waitingCount]).toEqual([0, 0]);
});
