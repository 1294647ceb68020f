import type { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { SessionLocks } from '../../src/platform/database/session-locks.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let dataSource: DataSource;
let one: SessionLocks;
let other: SessionLocks;

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await createDataSource(database.url);
});

beforeEach(() => {
  [one, other] = [new SessionLocks(dataSource), new SessionLocks(dataSource)];
});

afterEach(async () => {
  await one.close();
  await other.close();
});

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const LOCKS = `FROM pg_stat_activity WHERE application_name = 'mailsonde locks' AND datname = current_database()`;
const connections = async () => (await dataSource.query(`SELECT pid ${LOCKS}`)).length as number;

describe('a lock of a session', () => {
  it('a lock of a session is held once, in a process and among processes, until it is given back', async () => {
    const giveBack = await one.take('a');
    expect(giveBack).not.toBeNull();
    expect([await one.take('a'), await other.take('a')]).toEqual([null, null]);
    const further = await other.take('b');
    expect(await one.take('b')).toBeNull();
    await giveBack!();
    expect(await other.take('a')).not.toBeNull();
    await further!();
    expect(await one.take('b')).not.toBeNull();
  });

  it('a lock of a session is given to one of many who ask at the same moment', async () => {
    const all = await Promise.all([one, other, one, other, one].map((locks) => locks.take('a')));
    expect(all.filter((giveBack) => giveBack !== null)).toHaveLength(1);
  });

  it('a lock of a session given back twice takes nothing from the next one who has it', async () => {
    const giveBack = await one.take('a');
    await giveBack!();
    const next = await one.take('a');
    await giveBack!();
    expect(await other.take('a')).toBeNull();
    await next!();
    expect(await other.take('a')).not.toBeNull();
  });

  it('a lock of a session is free as soon as the connection of its process ends', async () => {
    const giveBack = await one.take('a');
    expect(await other.take('a')).toBeNull();
    await dataSource.query(`SELECT pg_terminate_backend(pid) ${LOCKS}`);
    await expect.poll(() => other.take('a')).not.toBeNull();
    await giveBack!();
    expect(await one.take('a')).toBeNull();
    expect(await one.take('b')).not.toBeNull();
  });

  it('a lock of a session is for each of many who come and go at the same moment, and no two have it together', async () => {
    const owners = new Set<string>();
    let taken = 0;
    const comeAndGo = async (locks: SessionLocks): Promise<void> => {
      for (let i = 0; i < 40; i++) {
        const giveBack = await locks.take('a');
        if (giveBack === null) continue;
        expect(owners.size).toBe(0);
        owners.add('a');
        taken += 1;
        owners.delete('a');
        await giveBack();
      }
    };
    await Promise.all([one, other, one, one, other, one, one, one].map(comeAndGo));
    expect(taken).toBeGreaterThan(0);
    await expect.poll(connections).toBe(0);
  });

  it('a lock of a session shares its connection with the others of its process, which is open while there is any', async () => {
    const all = [await one.take('a'), await one.take('b'), await one.take('c')];
    expect(await connections()).toBe(1);
    for (const giveBack of all) await giveBack!();
    await expect.poll(connections).toBe(0);
  });

  it('a lock of a session that cannot be asked for, because PostgreSQL is away, can be later', async () => {
    const options = { url: 'postgres://nobody:x@127.0.0.1:1/none' };
    const locks = new SessionLocks({ options } as unknown as DataSource);
    await expect(locks.take('a')).rejects.toThrow(/ECONNREFUSED/);
    options.url = database.url;
    expect(await locks.take('a')).not.toBeNull();
    await locks.close();
  });
});
