import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type PhasedMigration,
  planMigrations,
  runMigrations,
  undoMigration,
} from '../../src/platform/database/migrate.js';
import { createFullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { dumpSchema } from '../support/schema-dump.js';
import { startService } from '../support/service.js';

const FOLDER = resolve(import.meta.dirname, '../../migrations');
const silent = (): void => undefined;

/** What a version after this one may bring: a column that may be null and a table of its own. */
class AddNotes2000000000000 implements PhasedMigration {
  readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE batches ADD COLUMN note text; CREATE TABLE notes (id uuid PRIMARY KEY)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notes; ALTER TABLE batches DROP COLUMN note');
  }
}

class DropNotes2000000060000 implements PhasedMigration {
  readonly phase = 'contract';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notes');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE notes (id uuid PRIMARY KEY)');
  }
}

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(() => database.drop());

describe('an upgrade', () => {
  it('an upgrade lets the version before run on the new schema, and can be rolled back by one step', async () => {
    const before = await dumpSchema(database.url);
    const account = await createFullAccount(database);
    const old = await startService({ database });
    try {
      expect(await runMigrations(database.url, silent, [AddNotes2000000000000])).toBe(1);
      const key = account.testKey;
      const post = (path: string, body: object) => call(old, path, { key, method: 'POST', body });
      expect((await post('/api/v1/verify', { email: 'valid@a.example' })).status).toBe(200);
      const sent = await post('/api/v1/verify/batch', { emails: ['valid@a.example', 'invalid@b.example'] });
      expect(sent.status).toBe(201);
      const status = async () => {
        const { body } = await call(old, `/api/v1/verify/batch/${sent.body.id}`, { key });
        return body.status;
      };
      await expect.poll(status).toBe('completed');
      // A process of the version before may start as well.
      expect(await runMigrations(database.url, silent)).toBe(0);
      expect((await planMigrations(database.url)).unknown).toEqual(['AddNotes2000000000000']);

      expect(await undoMigration(database.url, silent, [AddNotes2000000000000])).toBe('AddNotes2000000000000');
      expect((await call(old, `/api/v1/verify/batch/${sent.body.id}/results`, { key })).status).toBe(200);
      expect(await dumpSchema(database.url)).toBe(before);
    } finally {
      await old.close();
    }
  });

  it('an upgrade tells before what it would do, and what may be done beside the version before', async () => {
    const later = [AddNotes2000000000000, DropNotes2000000060000];
    const { applied, pending } = await planMigrations(database.url, later);
    expect(applied.every(({ phase }) => phase === 'first')).toBe(true);
    expect(pending).toEqual([
      { name: 'AddNotes2000000000000', phase: 'expand' },
      { name: 'DropNotes2000000060000', phase: 'contract' },
    ]);
    expect(await runMigrations(database.url, silent, later)).toBe(2);
    expect((await planMigrations(database.url, later)).pending).toEqual([]);
  });

  it('an upgrade waits a while for a table that somebody uses, changes nothing then, and works when it is run again', async () => {
    const user = new pg.Client({ connectionString: database.url });
    await user.connect();
    try {
      await user.query('BEGIN; SELECT FROM batches');
      const before = await dumpSchema(database.url);
      await expect(runMigrations(database.url, silent, [AddNotes2000000000000], 50)).rejects.toMatchObject({
        name: 'ServerAwayError',
        message: 'A table was in use for 0.05 s: the migration has changed nothing, and may be tried again.',
      });
      expect(await dumpSchema(database.url)).toBe(before);
      await user.query('COMMIT');
      expect(await runMigrations(database.url, silent, [AddNotes2000000000000])).toBe(1);
    } finally {
      await user.end();
    }
  });
});

describe('rolling back', () => {
  it('rolling back is refused for what made tables, which hold data', async () => {
    await expect(undoMigration(database.url, silent)).rejects.toThrow(/made tables, which hold data/);
  });

  it('rolling back is refused to a version that does not know the last migration', async () => {
    await runMigrations(database.url, silent, [AddNotes2000000000000]);
    await expect(undoMigration(database.url, silent)).rejects.toThrow(/this version has/);
  });
});

describe('migrations', () => {
  /** Text of a migration after the first ones that takes something away from the version before. */
  const TAKES_AWAY = /\b(DROP (TABLE|COLUMN|CONSTRAINT)|RENAME|SET NOT NULL|ALTER COLUMN \w+ TYPE)\b/i;
  const upOf = (text: string) => text.slice(text.indexOf('up('), text.indexOf('down('));
  const isHonest = (text: string) =>
    !/phase = '(expand|contract)'/.test(text) || /phase = 'contract'/.test(text) || !TAKES_AWAY.test(upOf(text));

  it('migrations that take something away say so', () => {
    for (const file of readdirSync(FOLDER))
      expect(isHonest(readFileSync(resolve(FOLDER, file), 'utf8')), file).toBe(true);
    expect(isHonest(`phase = 'expand'; async up() { 'ALTER TABLE a DROP COLUMN b' } async down() {}`)).toBe(false);
    expect(
      isHonest(`phase = 'expand'; async up() { 'ALTER TABLE a ADD b text' } async down() { 'DROP COLUMN b' }`),
    ).toBe(true);
  });
});
