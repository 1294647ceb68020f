import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnsweringPool } from '../../src/platform/database/answering-pool.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await createDataSource(database.url, { statementTimeoutMs: 200, applicationName: 'a test' });
});

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

async function value(expression: string): Promise<unknown> {
  const [row] = await dataSource.query<{ value: unknown }[]>(`select ${expression} as value`);
  return row!.value;
}

describe('values of the database', () => {
  it('values of the database of int8 are numbers, up to the last that a number can hold exactly', async () => {
    expect(await value('9007199254740991::int8')).toBe(9007199254740991);
    expect(await value('-9007199254740991::int8')).toBe(-9007199254740991);
    expect(await value('count(*)')).toBe(1);
    expect(await value("'{1,NULL,3}'::int8[]")).toEqual([1, null, 3]);
    expect(await value("'{}'::int8[]")).toEqual([]);
  });

  it('values of the database of int8 beyond that are refused, not rounded', async () => {
    await expect(value('9007199254740993::int8')).rejects.toThrow(/beyond 2\^53: 9007199254740993/);
    await expect(value("'{9007199254740993}'::int8[]")).rejects.toThrow(/beyond 2\^53/);
  });

  it('values of the database of date are days, whatever the time zone of the process', async () => {
    expect(await value("date '2026-11-21'")).toBe('2026-11-21');
  });

  it('values of the database of timestamptz are moments, and of numeric text', async () => {
    expect(await value("timestamptz '2026-11-21 12:00+02'")).toEqual(new Date('2026-11-21T10:00:00Z'));
    expect(await value('0.1::numeric')).toBe('0.1');
  });
});

describe('the connection', () => {
  it('the connection cancels a statement that takes too long', async () => {
    await expect(value('pg_sleep(5)')).rejects.toMatchObject({ driverError: { code: '57014' } });
  });

  it('the connection has its configured name', async () => {
    expect(await value("current_setting('application_name')")).toBe('a test');
  });

  it('the connection does not wait for a server that is not there', async () => {
    await expect(createDataSource('postgres://nobody:x@127.0.0.1:1/none')).rejects.toThrow(/ECONNREFUSED/);
  });
});

it('a connection that ends while it is made ready is told to who asked for it, and ends no process', async () => {
  const pool = new AnsweringPool({
    connectionString: database.url,
    statementTimeoutMs: 0,
    lockTimeoutMs: 0,
    silenceMs: 0,
  });
  const unheard: Error[] = [];
  const note = (error: Error) => void unheard.push(error);
  process.on('uncaughtExceptionMonitor', note);
  pool.once('connect', (client) => {
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  });
  await expect(pool.connect()).rejects.toThrow();
  (await pool.connect()).release();
  await pool.end();
  process.off('uncaughtExceptionMonitor', note);
  expect(unheard).toEqual([]);
});
