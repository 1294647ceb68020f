import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ChunkStore } from '../../src/batch/worker/chunk.store.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { createFullAccount } from '../support/accounts.js';
import { onDatabase, queueBatch } from '../support/batches.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const OWNER = randomUUID();
const CHUNKS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

let database: TestDatabase;
let source: DataSource;
let other: pg.Client;
let store: ChunkStore;
let batchId: number;

/** Ten leased chunks, of which another connection has locked the second. That one is stored behind the others, where a scan finds it last. */
beforeEach(async () => {
  database = await createTestDatabase();
  onTestFinished(database.drop);
  const account = await createFullAccount(database, { credits: 100 });
  const emails = CHUNKS.map((i) => `a@d${i}.example`);
  batchId = await queueBatch(database.url, { ...account, emails, chunkSize: 1 });
  await onDatabase(database.url, `UPDATE batch_chunks SET lease_owner = '${OWNER}', attempts = 1`);
  await onDatabase(database.url, 'UPDATE batch_chunks SET due_at = due_at WHERE number = 1');
  source = await createDataSource(database.url);
  onTestFinished(() => source.destroy());
  other = new pg.Client({ connectionString: database.url });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query('BEGIN');
  await other.query('SELECT FROM batch_chunks WHERE number = 1 FOR UPDATE');
  store = new ChunkStore(source);
});

const expiresAt = new Date('2030-01-01T00:00:00Z');
const lease = { owner: OWNER, workerId: null, region: null, now: new Date(), expiresAt };
const retryPass = {
  pass: 1,
  offsets: [0],
  dueAt: expiresAt,
  later: [],
  waiting: [1, 0, 0, 0, 0, 0, 0],
  sources: new Map<number, string>(),
  windowEndsAt: expiresAt,
};
const passes = CHUNKS.map((number) => ({
  chunk: { number, pass: 0 },
  results: '[]',
  retryPass: number % 2 === 0 ? retryPass : null,
}));

describe('chunks are locked by ascending number', () => {
  it.each([
    [
      'a commit that closes some and retries others',
      () => source.transaction((tx) => store.storePasses(tx, batchId, passes)),
    ],
    ['the renewal of a lease', () => store.renewLease(batchId, lease)],
    ['the release of a lease', () => store.releaseChunks(batchId, OWNER, null)],
  ])('chunks are locked by ascending number by %s', async (_, change) => {
    const changed = change();
    await expect.poll(waiting).toBe(1);
    const behind = await other.query('SELECT number FROM batch_chunks WHERE number > 1 FOR UPDATE SKIP LOCKED');
    expect(behind.rowCount).toBe(8);
    await other.query('ROLLBACK');
    await changed;
  });
});

it('a commit closes chunks, and sets the next pass of those that are tried again', async () => {
  await other.query('ROLLBACK');
  await source.transaction((tx) => store.storePasses(tx, batchId, passes.slice(0, 2)));
  const rows = await onDatabase(
    database.url,
    `SELECT pass, done, offsets, due_at = '${expiresAt.toISOString()}' AS later, lease_owner, attempts
       FROM batch_chunks WHERE number < 3 ORDER BY number`,
  );
  expect(rows).toEqual([
    { pass: 1, done: false, offsets: [0], later: true, lease_owner: null, attempts: 0 },
    { pass: 1, done: true, offsets: null, later: false, lease_owner: null, attempts: 0 },
    { pass: 0, done: false, offsets: null, later: false, lease_owner: OWNER, attempts: 1 },
  ]);
});

async function waiting(): Promise<number> {
  const { rowCount } = await other.query(
    `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE datname = current_database() AND NOT granted`,
  );
  return rowCount!;
}
