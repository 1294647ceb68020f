import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { runMigrations } from '../../src/platform/database/migrate.js';
import { builtFile } from '../support/built.js';
import { createTestDatabase, databaseUrl, onServer } from '../support/database.js';
import { dumpSchema } from '../support/schema-dump.js';

const run = promisify(execFile);
const MIGRATIONS = readdirSync(resolve(import.meta.dirname, '../../migrations'));
const silent = () => undefined;

let url: string;
let dropEmpty: () => Promise<void>;

beforeEach(async () => {
  const { serverUrl } = inject('postgres');
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create database ${name}`);
  url = databaseUrl(serverUrl, name);
  dropEmpty = () => onServer(serverUrl, `drop database ${name} with (force)`);
});

afterEach(() => dropEmpty());

async function connected<T>(work: (dataSource: DataSource) => Promise<T>, to = url): Promise<T> {
  const dataSource = await createDataSource(to);
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

const applied = (on = url) =>
  connected((dataSource) => dataSource.query<{ name: string }[]>('select name from migrations order by id'), on);

describe('migrations', () => {
  it('migrations say which database they are for and what they would do, and that another process is at it', async () => {
    const env = { DATABASE_URL: url, REDIS_URL: 'redis://127.0.0.1:1' };
    const plan = () => run(process.execPath, [builtFile('src/cli/migrate.js'), '--plan'], { cwd: tmpdir(), env });
    const [database, counted, first, ...others] = (await plan()).stdout.trim().split('\n');
    expect(database).toBe(`Database: postgres://${new URL(url).host}${new URL(url).pathname} (DATABASE_URL)`);
    expect(counted).toMatch(
      new RegExp(`^Applied: 0\\. To be applied: ${MIGRATIONS.length}\\. The database has \\d+ MB\\.$`),
    );
    expect(first).toMatch(/^ {2}CreateKeys\d{13}: makes tables of an empty database$/);
    expect(others.at(-1)).toBe('The tables are new: nothing can use them yet.');

    const lines: string[] = [];
    await connected(async (dataSource) => {
      const other = dataSource.createQueryRunner();
      await other.query('SELECT pg_advisory_lock(624576633)');
      const migrating = runMigrations(url, (line) => lines.push(line));
      await expect.poll(() => lines).toEqual(['Another process migrates: waiting for it.']);
      await other.query('SELECT pg_advisory_unlock(624576633)');
      expect(await migrating).toBe(MIGRATIONS.length);
      await other.release();
    });
    expect((await plan()).stdout).toMatch(/\nThe schema is up to date: nothing would be done\.\n$/);
  });

  it('migrations are named by 13 digits of time, a verb and a noun, and the class by the same time', async () => {
    for (const file of MIGRATIONS) expect(file).toMatch(/^\d{13}-[a-z]+(-[a-z]+)+\.ts$/);
    const clone = await createTestDatabase();
    const times = (await applied(clone.url)).map(({ name }) => name.slice(-13));
    await clone.drop();
    expect(times).toEqual(MIGRATIONS.map((file) => file.slice(0, 13)).sort());
  });

  it('migrations are applied once when several processes start at once', async () => {
    const env = { DATABASE_URL: url, REDIS_URL: 'redis://127.0.0.1:1' };
    const migrate = () => run(process.execPath, [builtFile('src/cli/migrate.js')], { cwd: tmpdir(), env });
    const outputs = await Promise.all([migrate(), migrate(), migrate()]);
    const lines = outputs.map(({ stdout }) =>
      stdout
        .trim()
        .split('\n')
        .at(-1)!
        .replace(/, in \d+\.\d s/, ''),
    );
    const said = outputs.map(({ stdout }) => stdout).join('\n');
    expect(said.match(new RegExp(`Database: \\S+${new URL(url).pathname} \\(DATABASE_URL\\)\n`, 'g'))).toHaveLength(3);
    expect(lines.toSorted((a, b) => a.localeCompare(b))).toEqual([
      `Migrations applied: ${MIGRATIONS.length}.`,
      'Nothing to migrate.',
      'Nothing to migrate.',
    ]);
    expect(await applied()).toHaveLength(MIGRATIONS.length);
  });

  it('migrations made what a test database is cloned from, can be undone to nothing, and done again to the same schema', async () => {
    const clone = await createTestDatabase();
    const first = await dumpSchema(clone.url);
    await connected(async (dataSource) => {
      for (const _ of MIGRATIONS) await dataSource.undoLastMigration();
    }, clone.url);
    expect(await dumpSchema(clone.url)).toBe('');
    expect(await runMigrations(clone.url, silent)).toBe(MIGRATIONS.length);
    expect(await dumpSchema(clone.url)).toBe(first);
    await clone.drop();
  });

  it('migrations leave a database that an earlier development version made as it is, and say in one line what to do', async () => {
    await connected((dataSource) =>
      dataSource.query(
        `CREATE TABLE migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL);
         INSERT INTO migrations (timestamp, name) VALUES (1795219200000, 'CreateAccountsAndKeys1795219200000'),
           (1795219260000, 'CreateDailyCredits1795219260000');
         CREATE TABLE accounts (id uuid PRIMARY KEY)`,
      ),
    );
    const before = await dumpSchema(url);
    const line = `The database is "${new URL(url).pathname.slice(1)}": allowed is an empty one or one of this version, but an earlier development version made this one: empty it or, where it is embedded, remove the data directory (DATA_DIR).`;
    await expect(runMigrations(url, silent)).rejects.toEqual(
      expect.objectContaining({ name: 'ConfigurationError', message: line }),
    );
    expect(await dumpSchema(url)).toBe(before);
    expect(await applied()).toHaveLength(2);

    const env = { DATABASE_URL: url, REDIS_URL: 'redis://127.0.0.1:1' };
    const migrate = run(process.execPath, [builtFile('src/cli/migrate.js')], { cwd: tmpdir(), env });
    await expect(migrate).rejects.toMatchObject({ code: 78, stderr: `${line}\n` });
  });
});
