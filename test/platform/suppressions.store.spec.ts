import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { type ListOwner, SuppressionsStore } from '../../src/suppressions/suppressions.service.js';
import { createFullAccount } from '../support/accounts.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const OTHERS_ROWS = 20_000;

let database: TestDatabase;
let dataSource: DataSource;
let store: SuppressionsStore;
const owners: ListOwner[] = [{ accountId: null, simulated: false }];

const newRows = (count: number) =>
  Array.from({ length: count }, () => ({ hash: randomBytes(32), reason: null, createdAt: new Date() }));

beforeAll(async () => {
  database = await createTestDatabase();
  // One connection, whose statistics are read where they are counted.
  dataSource = await createDataSource(database.url, { poolSize: 1 });
  store = new SuppressionsStore(dataSource);
  const [own, other] = [await createFullAccount(database), await createFullAccount(database)];
  await store.insert(dataSource.manager, { accountId: other.accountId, simulated: false }, newRows(OTHERS_ROWS));
  owners.push({ accountId: own.accountId, simulated: false });
  await dataSource.query('ANALYZE suppressions');
});

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

async function wholeReads(): Promise<number> {
  await dataSource.query('SELECT pg_stat_force_next_flush()');
  const [{ scans }] = await dataSource.query(
    `SELECT seq_scan AS scans FROM pg_stat_user_tables WHERE relname = 'suppressions'`,
  );
  return scans as number;
}

it('a suppression list, an account’s or everybody’s, is asked and changed without reading those of others', async () => {
  const before = await wholeReads();
  for (const owner of owners) {
    const rows = newRows(3);
    const { hash } = rows[0]!;
    expect(await store.insert(dataSource.manager, owner, rows)).toBe(3);
    expect(await store.find(dataSource.manager, owner, [hash])).toMatchObject([{ ...owner, hash }]);
    expect(await store.among(owner, [hash])).toEqual([hash]);
    const [first] = await store.list(owner, { limit: 1, after: null });
    const after = { at: first!.createdAt, id: first!.id };
    expect(await store.list(owner, { limit: 5, after })).toHaveLength(2);
    expect(await store.delete(dataSource.manager, owner, hash)).toBe(true);
  }
  expect(await wholeReads()).toBe(before);
});
