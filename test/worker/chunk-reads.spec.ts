import { randomUUID } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ChunkStore } from '../../src/batch/worker/chunk.store.js';
import { RepartitionStore } from '../../src/batch/worker/repartition.store.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { createFullAccount } from '../support/accounts.js';
import { onDatabase, queueBatch } from '../support/batches.js';
import { createTestDatabase } from '../support/database.js';

const OWNER = randomUUID();
const CHUNKS = 300;
const LEASED = 8;

let source: DataSource;
let batchId: number;

/** A batch of which a few chunks are leased, in a new installation: PostgreSQL has never analyzed its chunks. */
beforeEach(async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  await onDatabase(database.url, 'ALTER TABLE batch_chunks_default SET (autovacuum_enabled = false)');
  const account = await createFullAccount(database, { credits: CHUNKS });
  const emails = Array.from({ length: CHUNKS }, (_, i) => `a@d${i}.example`);
  batchId = await queueBatch(database.url, { ...account, emails, chunkSize: 1 });
  await onDatabase(
    database.url,
    `UPDATE batch_chunks SET lease_owner = '${OWNER}', attempts = 1 WHERE number < ${LEASED}`,
  );
  source = await createDataSource(database.url);
  onTestFinished(() => source.destroy());
});

const now = new Date('2030-01-01T00:00:00Z');
const lease = { owner: OWNER, workerId: null, region: null, now, expiresAt: new Date('2030-01-01T00:01:00Z') };
const ended = Array.from({ length: LEASED }, (_, number) => ({
  chunk: { number, pass: 0 },
  results: '[]',
  retryPass: null,
}));

/** The transaction in place of the database that a store asks. */
const asInTransaction = (tx: EntityManager): DataSource =>
  Object.assign(Object.create(source), { manager: tx, query: tx.query.bind(tx) });

describe('of a batch whose chunks PostgreSQL has not analyzed', () => {
  it.each<[string, (tx: EntityManager) => Promise<unknown>]>([
    ['the end of passes', (tx) => new ChunkStore(source).storePasses(tx, batchId, ended)],
    [
      'a lease of chunks',
      (tx) => new ChunkStore(asInTransaction(tx)).leaseChunks(batchId, { partitions: [0], limit: LEASED }, lease),
    ],
    ['the renewal of a lease', (tx) => new ChunkStore(asInTransaction(tx)).renewLease(batchId, lease)],
    ['the release of a lease', (tx) => new ChunkStore(asInTransaction(tx)).releaseChunks(batchId, OWNER, null)],
    ['the lease of chunks to repartition', (tx) => new RepartitionStore(asInTransaction(tx)).lease(batchId, lease)],
  ])('%s reads each chunk a few times, however many there are', async (_, change) => {
    const read = await source.transaction(async (tx) => {
      await change(tx);
      const [row] = await tx.query<{ read: number }[]>(
        `SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS read
           FROM pg_stat_xact_user_tables WHERE relname = 'batch_chunks_default'`,
      );
      return row!.read;
    });
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(4 * CHUNKS);
  });
});
