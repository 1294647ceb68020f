import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DataSource } from 'typeorm';
import { BatchSummaryService, MAX_NAMED } from '../../src/batch/results/batch-summary.service.js';
import { BatchSummarySweep } from '../../src/batch/upkeep/ended-batch-sweep.js';
import { SessionLocks } from '../../src/platform/database/session-locks.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call, register } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';

const BATCHES = '/api/v1/verify/batch';
const LARGE = Array.from({ length: 10_000 }, (_, i) => `n${i}+${i % 3 === 0 ? 'invalid' : 'valid'}@d${i % 50}.com`);

let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  service = await startService({ timer: SYSTEM_TIMER });
});

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl });
});

afterAll(() => service.close());

const inDatabase = (text: string, values: unknown[] = []) => onDatabase(service.env.databaseUrl, text, values);

async function send(emails: readonly string[], key = account.testKey): Promise<number> {
  const { body } = await call(service, BATCHES, { key, body: { emails } });
  return (body.data ?? body).id;
}

async function held(emails: readonly string[]): Promise<number> {
  const { body } = await call(service, `${BATCHES}?hold=true`, { key: account.testKey, body: { emails } });
  return body.id;
}

/** Sends a list and waits for its end. */
async function verify(emails: readonly string[], key = account.testKey): Promise<number> {
  const id = await send(emails, key);
  await expect
    .poll(() => inDatabase('SELECT state FROM batches WHERE id = $1', [id]))
    .toEqual([{ state: 'completed' }]);
  return id;
}

const summaryOf = (id: number, key = account.testKey) => call(service, `${BATCHES}/${id}/summary`, { key });
const keptOf = async (id: number) =>
  (await inDatabase('SELECT 1 FROM batch_summaries WHERE batch_id = $1', [id])).length;

const asOne = ({ reason }: { reason: string }) => ({ reason, rows: 1 });

/** Rows by reason or domain. */
function countsOf(some: readonly { reason?: string; domain?: string; rows: number }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { reason, domain, rows } of some) {
    const name = reason ?? domain ?? '';
    counts[name] = (counts[name] ?? 0) + rows;
  }
  return counts;
}

describe('the summary of a batch', () => {
  it('the summary of a batch counts every row by reason, domain and mail operator, repeated ones as often as they were sent', async () => {
    const rows = [
      'a+valid@one.com',
      'A+valid@ONE.com',
      'a+valid@one.com',
      'b+full@one.com',
      'c+invalid@two.com',
      'no address',
    ];
    const id = await verify(rows);
    const { status, body } = await summaryOf(id);
    expect([status, body.id, body.processed]).toEqual([200, id, rows.length]);
    const { body: results } = await call(service, `${BATCHES}/${id}/results`, { key: account.testKey });
    expect(countsOf(body.reasons)).toEqual(countsOf(results.results.map(asOne)));
    const counts = { valid: 0, invalid: 0, risky: 0, unknown: 0 };
    expect(body.domains).toEqual([
      { domain: 'one.com', rows: 4, counts: { ...counts, valid: 3, risky: 1 } },
      { domain: 'two.com', rows: 1, counts: { ...counts, invalid: 1 } },
    ]);
    expect(body.domains_total).toBe(2);
    expect(body.providers.reduce((sum: number, { rows }: { rows: number }) => sum + rows, 0)).toBe(rows.length);
  });

  it('the summary of a batch agrees with the results of a batch of many chunks', async () => {
    const words = ['valid', 'invalid', 'full', 'catch-all', 'greylisted'];
    const rows = Array.from({ length: 5_000 }, (_, i) => `n${i % 4_500}+${words[i % 5]}@d${i % 90}.com`);
    const id = await verify(rows);
    const { body } = await summaryOf(id);
    const { body: batch } = await call(service, `${BATCHES}/${id}`, { key: account.testKey });
    const byVerdict = { valid: 0, invalid: 0, risky: 0, unknown: 0 } as Record<string, number>;
    for (const { verdict, rows: some } of body.reasons) byVerdict[verdict]! += some;
    expect([body.processed, byVerdict]).toEqual([batch.processed, batch.counts]);
    expect([body.domains.length, body.domains_total]).toEqual([MAX_NAMED, 90]);
    const expected = countsOf(rows.map((row) => ({ domain: row.slice(row.indexOf('@') + 1), rows: 1 })));
    for (const { domain, rows: some } of body.domains) expect(some).toBe(expected[domain]);
    expect(body.domains[0].rows).toBe(Math.max(...Object.values(expected)));
  });

  it('the summary of a batch is counted once, and kept until the batch is deleted', async () => {
    const id = await verify(['a+valid@one.com']);
    expect(await keptOf(id)).toBe(0);
    const { body } = await summaryOf(id);
    await inDatabase(`UPDATE batch_results SET results = '{}' WHERE batch_id = $1`, [id]);
    expect((await summaryOf(id)).body).toEqual(body);
    await call(service, `${BATCHES}/${id}`, { key: account.testKey, method: 'DELETE' });
    expect(await keptOf(id)).toBe(0);
    expect((await summaryOf(id)).body.code).toBe('batch_not_found');
  });

  it('the summary of a batch is the same for all who ask at once', async () => {
    const id = await verify(Array.from({ length: 3_000 }, (_, i) => `n${i}+valid@d${i % 7}.com`));
    const replies = await Promise.all(Array.from({ length: 10 }, () => summaryOf(id)));
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(replies[0]!.body.domains_total).toBe(7);
  });

  it('the summary of a batch forgets the domain of an address that is erased', async () => {
    const id = await verify(['jane+valid@rare.example.org', 'john+valid@one.com']);
    expect((await summaryOf(id)).body.domains_total).toBe(2);
    const order = { email: 'jane+valid@rare.example.org', suppress: false };
    expect((await call(service, '/api/v1/erasures', { key: account.testKey, body: order })).status).toBe(202);
    await expect.poll(async () => (await summaryOf(id)).body.domains_total).toBe(1);
    const { body } = await summaryOf(id);
    expect(JSON.stringify(body)).not.toContain('rare.example.org');
    expect(body.processed).toBe(2);
    expect(JSON.stringify(await inDatabase('SELECT summary FROM batch_summaries'))).not.toContain('rare.example.org');
  });

  it('the summary of a batch of a large batch is there before anybody asks, and is what an early question counts', async () => {
    const id = await verify(LARGE);
    await expect.poll(() => keptOf(id)).toBe(1);
    const [row] = await inDatabase('SELECT summary FROM batch_summaries WHERE batch_id = $1', [id]);
    await inDatabase('DELETE FROM batch_summaries WHERE batch_id = $1', [id]);
    await service.app.get(BatchSummaryService).of({ id, accountId: account.accountId, kind: 'verify' });
    expect(await inDatabase('SELECT summary FROM batch_summaries WHERE batch_id = $1', [id])).toEqual([row]);
    expect((await summaryOf(id)).body).toMatchObject({ processed: LARGE.length, domains_total: 50 });
  });

  it('the summary of a batch of a large batch is counted by another worker when the one that began it dies, and one that cannot be counted holds up none', async () => {
    const [dead, broken] = [await held(LARGE), await held(LARGE)];
    const worker = new SessionLocks(service.app.get(DataSource));
    for (const id of [dead, broken]) expect(await worker.take(`summary of ${id}`)).not.toBeNull();
    for (const id of [dead, broken]) await call(service, `${BATCHES}/${id}/start`, { key: account.testKey, body: {} });
    await expect
      .poll(() => inDatabase(`SELECT id FROM batches WHERE state = 'completed' AND id IN ($1, $2)`, [dead, broken]), {
        interval: 20,
      })
      .toHaveLength(2);
    await service.app.get(BatchSummarySweep).run();
    expect([await keptOf(dead), await keptOf(broken)]).toEqual([0, 0]);
    await inDatabase(`UPDATE batch_results SET results = '{}' WHERE batch_id = $1`, [broken]);
    await inDatabase(`UPDATE batches SET finished_at = finished_at - interval '1 minute' WHERE id = $1`, [broken]);
    await worker.close();
    await expect.poll(() => keptOf(dead)).toBe(1);
    expect(await keptOf(broken)).toBe(0);
  });

  it('the summary of a batch is made anew after an administrator had a failed batch worked again', async () => {
    const id = await verify(['a+valid@one.com']);
    await summaryOf(id);
    await inDatabase(`UPDATE batches SET finished_at = finished_at + interval '1 second' WHERE id = $1`, [id]);
    await inDatabase(`DELETE FROM batch_results WHERE batch_id = $1`, [id]);
    expect((await summaryOf(id)).body).toMatchObject({ processed: 0, reasons: [], domains: [], providers: [] });
  });

  it('the summary of a batch is not there before the end', async () => {
    const held = await call(service, `${BATCHES}?hold=true`, { key: account.testKey, body: { emails: ['a@one.com'] } });
    const { status, body } = await summaryOf(held.body.id);
    expect([status, body.code]).toEqual([409, 'batch_not_finished']);
  });

  it('the summary of a batch comes to an agent in its envelope', async () => {
    const key = await register(service);
    const id = await verify(['not an address'], key);
    const { body } = await summaryOf(id, key);
    expect([body.success, body.data.processed, body.data.domains]).toEqual([true, 1, []]);
  });
});
