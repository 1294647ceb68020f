import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { OpenBatchesStore } from '../../src/batch/chunks/open-batches.store.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { createFullAccount } from '../support/accounts.js';
import { onDatabase, queueBatch } from '../support/batches.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const OURS = 7;
const LOOKS = 10;

let database: TestDatabase;
let source: DataSource;

beforeEach(async () => {
  database = await createTestDatabase();
  onTestFinished(database.drop);
  source = await createDataSource(database.url);
  onTestFinished(() => source.destroy());
});

/** A batch with one partition, of whose chunks the worker has leased some and waits for the operator's caps. */
async function waitingBatch(accountId: string, chunks: number, leased: number, workerId = OURS): Promise<number> {
  const emails = Array.from({ length: chunks }, (_, i) => `a@d${i}.example`);
  const id = await queueBatch(database.url, { accountId, emails, chunkSize: 1 });
  await onDatabase(database.url, `UPDATE batch_chunks SET partition = 0 WHERE batch_id = ${id}`);
  await onDatabase(
    database.url,
    `UPDATE batch_chunks SET lease_owner = $2, worker_id = $3, lease_expires_at = now() + interval '1 minute', attempts = 1
      WHERE batch_id = $1 AND number < $4`,
    [id, randomUUID(), workerId, leased],
  );
  return id;
}

const nextBatches = (othersEndedBy?: Date) =>
  new OpenBatchesStore(source).nextBatches(
    { now: new Date(), workerId: OURS, region: null, ...(othersEndedBy && { othersEndedBy }) },
    [],
    true,
    LOOKS,
  );

describe('the batches that a worker considers', () => {
  it('are none that only wait for the caps of mail operators: ten waiting accounts hide no eleventh', async () => {
    for (let i = 0; i < LOOKS; i++) {
      const { accountId } = await createFullAccount(database, { credits: 100 });
      await waitingBatch(accountId, 3, 2);
    }
    const eleventh = await createFullAccount(database, { credits: 100 });
    await waitingBatch(eleventh.accountId, 5, 3);
    const small = await queueBatch(database.url, { accountId: eleventh.accountId, emails: ['a@b.example'] });
    expect(await nextBatches()).toEqual([small]);
  });

  it('are those of which few chunks are left in work here, and not those of another worker’s partition', async () => {
    const { accountId } = await createFullAccount(database, { credits: 100 });
    const ours = await waitingBatch(accountId, 3, 1);
    await waitingBatch(accountId, 3, 1, OURS + 1);
    expect(await nextBatches()).toEqual([ours]);
  });

  it('are, after an outage, those that came meanwhile, and none whose chunks another worker may still have', async () => {
    const before = new Date(Date.now() - 60_000);
    const { accountId } = await createFullAccount(database, { credits: 100 });
    const others = await waitingBatch(accountId, 2, 2, OURS + 1);
    await onDatabase(
      database.url,
      `UPDATE batch_chunks SET lease_expires_at = now() - interval '1 second' WHERE batch_id = ${others}`,
    );
    const fresh = await queueBatch(database.url, { accountId, emails: ['a@b.example'] });
    expect(await nextBatches(before)).toEqual([fresh]);
    expect(new Set(await nextBatches())).toEqual(new Set([others, fresh]));
  });
});
