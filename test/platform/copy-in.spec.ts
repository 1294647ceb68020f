import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyIn, int2, int4, int8, timestamptz } from '../../src/platform/database/copy-in.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let source: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  // One connection, so that whatever a statement leaves behind meets the next one.
  source = await createDataSource(database.url, { poolSize: 1 });
  await source.query(
    'CREATE TABLE copied (id bigint PRIMARY KEY, small smallint, size integer, at timestamptz, words text, bytes bytea)',
  );
});

afterAll(async () => {
  await source.destroy();
  await database.drop();
});

const COLUMNS = 'copied (id, small, size, at, words, bytes)';
const at = new Date('2026-11-21T10:20:30.456Z');
const rowOf = (id: number, words: string | null) => [
  int8(id),
  int2(-3),
  int4(70_000),
  timestamptz(at),
  words === null ? null : Buffer.from(words),
  Buffer.from([0, 255]),
];
const count = async () =>
  (await source.query<{ rows: number }[]>('SELECT count(*)::integer AS rows FROM copied'))[0]!.rows;

it('COPY stores every kind of cell unchanged', async () => {
  await copyIn(source.manager, COLUMNS, [rowOf(2 ** 48 - 1, '["ä","\\u0000"]'), rowOf(2, null)]);
  const bytes = Buffer.from([0, 255]);
  expect(await source.query('SELECT * FROM copied ORDER BY id')).toEqual([
    { id: 2, small: -3, size: 70_000, at, words: null, bytes },
    { id: 2 ** 48 - 1, small: -3, size: 70_000, at, words: '["ä","\\u0000"]', bytes },
  ]);
});

it('COPY stores nothing of rows that are refused, says why, and leaves a connection that works', async () => {
  const before = await count();
  await expect(copyIn(source.manager, COLUMNS, [rowOf(10, 'x'), rowOf(10, 'y')])).rejects.toMatchObject({
    code: '23505',
  });
  await expect(copyIn(source.manager, 'nowhere (id)', [[int8(1)]])).rejects.toMatchObject({ code: '42P01' });
  const notText = [...rowOf(11, null).slice(0, 4), Buffer.from([0xff]), null];
  await expect(copyIn(source.manager, COLUMNS, [notText])).rejects.toMatchObject({ code: '22021' });
  expect(await count()).toBe(before);
});

it('COPY belongs to the transaction of its manager', async () => {
  const before = await count();
  const undone = source.transaction(async (tx) => {
    await copyIn(tx, COLUMNS, [rowOf(20, 'x')]);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await count()).toBe(before);
});

it('COPY fails when its connection is cut', async () => {
  const [{ pid }] = await source.query<[{ pid: number }]>('SELECT pg_backend_pid() AS pid');
  const other = await createDataSource(database.url);
  await other.transaction(async (tx) => {
    await tx.query('LOCK TABLE copied IN ACCESS EXCLUSIVE MODE');
    const failure = copyIn(source.manager, COLUMNS, [rowOf(30, 'x')]).catch((error: unknown) => error);
    await other.query('SELECT pg_terminate_backend($1)', [pid]);
    expect(await failure).toBeInstanceOf(Error);
  });
  await other.destroy();
});
