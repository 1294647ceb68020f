import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ChunkStore } from '../../src/batch/worker/chunk.store.js';
import { OpenBatchesStore } from '../../src/batch/worker/open-batches.store.js';
import { RepartitionStore } from '../../src/batch/worker/repartition.store.js';
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
  it('the batches that a worker considers are none that only wait for the caps of mail operators: ten waiting accounts hide no eleventh', async () => {
    for (let i = 0; i < LOOKS; i++) {
      const { accountId } = await createFullAccount(database, { credits: 100 });
      await waitingBatch(accountId, 3, 2);
    }
    const eleventh = await createFullAccount(database, { credits: 100 });
    await waitingBatch(eleventh.accountId, 5, 3);
    const small = await queueBatch(database.url, { accountId: eleventh.accountId, emails: ['a@b.example'] });
    expect(await nextBatches()).toEqual([small]);
  });

  it('the batches that a worker considers are those of which few chunks are left in work here, and not those of another worker’s partition', async () => {
    const { accountId } = await createFullAccount(database, { credits: 100 });
    const ours = await waitingBatch(accountId, 3, 1);
    await waitingBatch(accountId, 3, 1, OURS + 1);
    expect(await nextBatches()).toEqual([ours]);
  });

  it('the batches that a worker considers are, after an outage, those that came meanwhile, and none whose chunks another worker may still have', async () => {
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

  it('the batches that a worker considers have chunks that are leased after an outage once their worker had the time to renew its lease, and not before', async () => {
    const { accountId } = await createFullAccount(database, { credits: 100 });
    const [id, byDomain, poisoned] = [
      await waitingBatch(accountId, 1, 1, OURS + 1),
      await waitingBatch(accountId, 1, 1, OURS + 1),
      await waitingBatch(accountId, 1, 1, OURS + 1),
    ];
    const set = (what: string, of: number) =>
      onDatabase(database.url, `UPDATE batch_chunks SET ${what} WHERE batch_id = ${of}`);
    for (const one of [id, byDomain, poisoned]) await set("lease_expires_at = now() - interval '1 second'", one);
    await set("partitioned_by = 'domain'", byDomain);
    await set('attempts = 5', poisoned);
    const chunks = new ChunkStore(source);
    const taken = async (othersEndedBy?: Date) => {
      const now = new Date();
      const expiresAt = new Date(now.getTime() + 10_000);
      const asOf = { now, ...(othersEndedBy && { othersEndedBy }) };
      const lease = { owner: randomUUID(), workerId: OURS, region: null, expiresAt, ...asOf };
      const [partition] = await chunks.openPartitions(id, asOf);
      return {
        free: partition!.free,
        chunks: (await chunks.leaseChunks(id, { partitions: [0], limit: 10 }, lease)).length,
        byDomain: await new RepartitionStore(source).lease(byDomain, lease),
        poisoned: (await chunks.leasePoisoned(lease)) === null ? 0 : 1,
      };
    };
    expect(await taken(new Date(Date.now() - 60_000))).toEqual({ free: 0, chunks: 0, byDomain: 0, poisoned: 0 });
    expect(await taken()).toEqual({ free: 1, chunks: 1, byDomain: 1, poisoned: 1 });
  });
});
