import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { OpenBatchesStore } from '../../src/batch/worker/open-batches.store.js';
import { storeLastPasses } from '../../src/batch/worker/chunk-commit.service.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { createFullAccount } from '../support/accounts.js';
import { onDatabase, queueBatch, readBatch } from '../support/batches.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let source: DataSource;
let ids: number[];

/** Two batches of one account, then one of another. */
beforeEach(async () => {
  database = await createTestDatabase();
  onTestFinished(database.drop);
  const busy = await createFullAccount(database, { credits: 100 });
  const other = await createFullAccount(database, { credits: 100 });
  ids = [];
  for (const account of [busy, busy, other])
    ids.push(await queueBatch(database.url, { ...account, emails: ['a@example.com', 'b@example.com'] }));
  source = await createDataSource(database.url);
  onTestFinished(() => source.destroy());
});

const lease = () => {
  const now = new Date();
  return { owner: randomUUID(), workerId: null, region: null, now, expiresAt: new Date(now.getTime() + 10_000) };
};
const leased = async (limit: number) =>
  (await new OpenBatchesStore(source).leaseSmall(lease(), [], limit))
    .map(({ batch }) => batch.id)
    .toSorted((a, b) => a - b);
const sorted = (...some: number[]) => some.toSorted((a, b) => a - b);

describe('small batches', () => {
  it('small batches are leased and started together, the oldest of each account first, and each once', async () => {
    expect(await leased(2)).toEqual(sorted(ids[0]!, ids[2]!));
    expect(await leased(2)).toEqual([ids[1]]);
    expect(await leased(2)).toEqual([]);
    expect(await readBatch(database.url, ids[0]!)).toMatchObject({ state: 'processing' });
  });

  it('small batches that somebody has locked are left to a later look, without waiting', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('BEGIN');
    await client.query('SELECT FROM batches WHERE id = $1 FOR UPDATE', [ids[0]]);
    expect(await leased(5)).toEqual(sorted(ids[1]!, ids[2]!));
    await client.query('COMMIT');
    expect(await leased(5)).toEqual([ids[0]]);
  });

  it('small batches are completed by their last pass once, and not when they have ended meanwhile', async () => {
    await leased(5);
    const counts = { valid: 2, invalid: 0, risky: 0, unknown: 0 };
    const pass = { number: 0, pass: 0, results: '[]', counts, creditsCharged: 2 };
    const complete = async (...some: number[]) => {
      const passes = some.map((batchId) => ({ ...pass, batchId }));
      return (await storeLastPasses(source.manager, passes, new Date())).map(({ batch }) => batch);
    };
    expect(await complete(ids[0]!)).toMatchObject([{ state: 'completed', openChunks: 0, counts, creditsCharged: 2 }]);
    expect(await complete(ids[0]!)).toEqual([]);
    await onDatabase(database.url, `UPDATE batches SET state = 'cancelled', finished_at = now() WHERE id = ${ids[1]}`);
    expect((await complete(...ids)).map(({ id }) => id)).toEqual([ids[2]]);
    const stored = await onDatabase(database.url, 'SELECT batch_id::text AS id FROM batch_results ORDER BY batch_id');
    expect(stored).toEqual(sorted(ids[0]!, ids[2]!).map((id) => ({ id: String(id) })));
  });
});
