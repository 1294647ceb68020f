import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DataSource } from 'typeorm';
import { BatchAdministrationService } from '../../src/batch/batch-administration.service.js';
import { orderedBlock, OrderedResultsService } from '../../src/batch/results/ordered-results.service.js';
import { BatchStore } from '../../src/batch/model/batch.store.js';
import { ResultsService } from '../../src/batch/results/results.service.js';
import { ALL_ROWS } from '../../src/batch/model/chunk-result.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';

const WORDS = ['valid', 'invalid', 'full', 'catch-all', 'disabled'];
const RARE = { greylisted: 4_321, erased: 8_765 };
const ERASED = 'jane.doe+full@rare.example.org';

/** Repeated rows in other letters, rows without an address, a reason and a domain that one row has. */
const ROWS = Array.from({ length: 12_001 }, (_, i) => {
  if (i === RARE.greylisted) return `x+greylisted@d7.com`;
  if (i === RARE.erased || i === RARE.erased + 2_000) return i === RARE.erased ? ERASED : ERASED.toUpperCase();
  if (i % 997 === 3) return 'no address';
  return `${i % 2 === 0 ? 'n' : 'N'}${i % 11_000}+${WORDS[i % 5]}@d${i % 90}.com`;
});

let service: TestService;
let account: FullAccount;
let id: number;

const inDatabase = (text: string, values: unknown[] = []) => onDatabase(service.env.databaseUrl, text, values);

beforeAll(async () => {
  service = await startService({ timer: SYSTEM_TIMER });
  account = await createFullAccount({ url: service.env.databaseUrl });
  const csv = ['email,no', ...ROWS.map((row, i) => `${row},${i}`)].join('\n');
  const sent = await fetch(`${service.url}/api/v1/verify/batch`, {
    method: 'POST',
    body: csv,
    headers: { authorization: `Bearer ${account.testKey}`, 'content-type': 'text/csv' },
  });
  ({ id } = (await sent.json()) as { id: number });
  await vi.waitUntil(isOrdered, { timeout: 240_000, interval: 50 });
});

afterAll(() => service.close());

const isOrdered = async () =>
  (await inDatabase('SELECT is_ordered FROM batches WHERE id = $1', [id]))[0]?.is_ordered as boolean | undefined;

/** Each reply names its own request. */
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const withoutRequest = (value: unknown) => JSON.stringify(value).replaceAll(UUID, '');

const results = (query: string) =>
  call(service, `/api/v1/verify/batch/${id}/results?${query}`, { key: account.testKey });

const QUERIES = [
  'limit=50',
  'limit=1000',
  'reason=greylisted',
  'reason=mailbox_full&limit=7',
  'verdict=unknown',
  'provider=none&limit=60',
  'provider=Outlook.com',
  'domain=d7.com&limit=40',
  'domain=rare.example.org',
  'domain=nobody.example',
  'domain=d7.com,d8.com&verdict=invalid',
];

/** All pages of each question, some of them from the middle. */
async function replies(): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const query of QUERIES)
    for (let cursor = '', pages = 0; pages < 2; pages++) {
      const { status, body } = await results(`${query}${cursor}`);
      all.push(withoutRequest([query, status, body.results, body.next_cursor]));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
  const headers = { authorization: `Bearer ${account.testKey}` };
  for (const format of ['csv', 'ndjson']) {
    const file = await fetch(`${service.url}/api/v1/verify/batch/${id}/results?format=${format}`, { headers });
    all.push(withoutRequest(await file.text()));
  }
  return all;
}

/** As it was before its results were put in order, and longer ago than any worker looks back: nobody does so meanwhile. */
const unordered = () =>
  inDatabase("UPDATE batches SET is_ordered = false, finished_at = finished_at - interval '2 days' WHERE id = $1", [
    id,
  ]);

/** What the chunks say, whose order is that of domains. */
async function fromChunks<Value>(read: () => Promise<Value>): Promise<Value> {
  await unordered();
  try {
    return await read();
  } finally {
    await inDatabase(
      "UPDATE batches SET is_ordered = true, finished_at = finished_at + interval '2 days' WHERE id = $1",
      [id],
    );
  }
}

/** As they are put in order when the batch has ended. */
let firstReplies: Promise<unknown[]> | undefined;
const repliesAtFirst = () => (firstReplies ??= replies());

describe('the results of a large batch that has ended', () => {
  it('the results of a large batch that has ended are the same in the order of rows as in chunks, whatever is asked, page by page and as files', async () => {
    const ordered = await repliesAtFirst();
    expect(ordered).toEqual(await fromChunks(replies));
    const rare = await results('reason=greylisted');
    expect(rare.body.results.map(({ email }: { email: string }) => email)).toEqual([ROWS[RARE.greylisted]]);
  });

  it('the results of a large batch that has ended are read from blocks that may have a wanted row only', async () => {
    await inDatabase(
      `UPDATE batch_ordered_results SET results = 'unreadable' WHERE batch_id = $1 AND block <> ${Math.floor(RARE.greylisted / 1000)}`,
      [id],
    );
    expect((await results('reason=greylisted')).body.results).toHaveLength(1);
    expect((await results('verdict=unknown&provider=nobody')).body.results).toEqual([]);
    expect((await results('domain=nobody.example')).body.results).toEqual([]);
    await unordered();
    await inDatabase('DELETE FROM batch_ordered_results WHERE batch_id = $1', [id]);
    await service.app.get(OrderedResultsService).write(id);
  });

  it('the results of a large batch that has ended are put in order from where a killed worker has stopped, and are read from chunks until all are', async () => {
    const before = await inDatabase('SELECT * FROM batch_ordered_results WHERE batch_id = $1 ORDER BY block', [id]);
    const whole = await repliesAtFirst();
    await inDatabase('DELETE FROM batch_ordered_results WHERE batch_id = $1 AND block >= 5', [id]);
    await unordered();
    expect(await replies()).toEqual(whole);
    await service.app.get(OrderedResultsService).write(id);
    expect(await inDatabase('SELECT * FROM batch_ordered_results WHERE batch_id = $1 ORDER BY block', [id])).toEqual(
      before,
    );
    expect(await isOrdered()).toBe(true);
  });

  it('the results of a large batch that has ended are not kept when an address was erased after they were read', async () => {
    const store = service.app.get(OrderedResultsService);
    await unordered();
    const moment = (await store.moment(id))!;
    const batch = (await service.app.get(BatchStore).find(id))!;
    const { blocks } = service.app.get(ResultsService).read(batch, { ...ALL_ROWS, from: 0, isPartial: false });
    const { value } = await blocks.next();
    const block = orderedBlock(0, value);
    expect(await store.keep(id, moment, block)).toBe(true);
    await inDatabase('UPDATE batches SET erasures = erasures + 1 WHERE id = $1', [id]);
    expect(await store.keep(id, moment, block)).toBe(false);
    await inDatabase(`UPDATE batches SET finished_at = finished_at + interval '1 second' WHERE id = $1`, [id]);
    expect(await store.keep(id, { ...moment, erasures: moment.erasures + 1 }, block)).toBe(false);
    await service.app.get(OrderedResultsService).write(id);
  });

  it('the results of a large batch that has ended lose an erased address in both, and say the same afterwards', async () => {
    expect((await results('domain=rare.example.org')).body.results).toHaveLength(2);
    const order = { email: ERASED, suppress: false };
    expect((await call(service, '/api/v1/erasures', { key: account.testKey, body: order })).status).toBe(202);
    await expect.poll(async () => (await results('domain=rare.example.org')).body.results).toEqual([]);
    const stored = await inDatabase('SELECT items, results FROM batch_ordered_results WHERE batch_id = $1', [id]);
    expect(stored).toHaveLength(13);
    expect(JSON.stringify(stored).toLowerCase()).not.toContain('rare.example.org');
    const ordered = await replies();
    expect(ordered).toEqual(await fromChunks(replies));
  });

  it('the results of a large batch that has ended are put in order anew when a failed batch is begun again, and go with their batch', async () => {
    const count = async () =>
      (await inDatabase('SELECT 1 FROM batch_ordered_results WHERE batch_id = $1', [id])).length;
    expect(await count()).toBe(13);
    const whole = withoutRequest((await results('limit=1000')).body.results);
    await inDatabase(`UPDATE batches SET state = 'failed' WHERE id = $1`, [id]);
    const administration = service.app.get(BatchAdministrationService);
    await service.app.get(DataSource).transaction(async (tx) => {
      await administration.retry(tx, id);
      expect(await tx.query('SELECT block FROM batch_ordered_results WHERE batch_id = $1', [id])).toEqual([]);
      await tx.query(`UPDATE batches SET state = 'completed', finished_at = now() WHERE id = $1`, [id]);
    });
    expect(withoutRequest((await results('limit=1000')).body.results)).toBe(whole);
    await expect.poll(isOrdered).toBe(true);
    expect(withoutRequest((await results('limit=1000')).body.results)).toBe(whole);
    await call(service, `/api/v1/verify/batch/${id}`, { key: account.testKey, method: 'DELETE' });
    expect(await count()).toBe(0);
  });
});
