import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { StoredAnswers } from '../../src/batch/stored-answers.js';
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

async function connected<T>(work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const dataSource = await createDataSource(url);
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

const applied = () =>
  connected((dataSource) => dataSource.query<{ name: string }[]>('select name from migrations order by id'));

async function undoTo(dataSource: DataSource, last: string): Promise<void> {
  const lastOf = async () =>
    (await dataSource.query<{ name: string }[]>('select name from migrations order by id')).at(-1)!.name;
  while ((await lastOf()) !== last) await dataSource.undoLastMigration();
}

async function resultsIn(dataSource: DataSource): Promise<string> {
  return (await dataSource.query<[{ results: string }]>('select results from batch_results'))[0].results;
}

const EVIDENCE = { stage: 'rcpt', code: 250, enhanced: null, fromCache: false };
const COMMON = {
  verdict: 'valid',
  reason: 'mailbox_exists',
  score: 95,
  confidence: 0.97,
  checks: { syntax: 'pass', mx: 'pass', smtp: 'pass', catchAll: 'no' },
  provider: null,
  retryAfterSeconds: null,
};

describe('migrations', () => {
  it('are named by 13 digits of time, a verb and a noun, and the class by the same time', async () => {
    for (const file of MIGRATIONS) expect(file).toMatch(/^\d{13}-[a-z]+(-[a-z]+)+\.ts$/);
    await runMigrations(url, silent);
    const times = (await applied()).map(({ name }) => name.slice(-13));
    expect(times).toEqual(MIGRATIONS.map((file) => file.slice(0, 13)).sort());
  });

  it('are applied once when several processes start at once', async () => {
    const env = { DATABASE_URL: url, REDIS_URL: 'redis://127.0.0.1:1' };
    const migrate = () => run(process.execPath, [builtFile('src/migrate.js')], { cwd: tmpdir(), env });
    const outputs = await Promise.all([migrate(), migrate(), migrate()]);
    const lines = outputs.map(({ stdout }) => stdout.trim().split('\n').at(-1));
    expect(lines.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
      `Migrations applied: ${MIGRATIONS.length}.`,
      'Nothing to migrate.',
      'Nothing to migrate.',
    ]);
    expect(await applied()).toHaveLength(MIGRATIONS.length);
  });

  it('can be undone to nothing, and done again to the same schema', async () => {
    await runMigrations(url, silent);
    const first = await dumpSchema(url);
    await connected(async (dataSource) => {
      for (const _ of MIGRATIONS) await dataSource.undoLastMigration();
    });
    expect(await dumpSchema(url)).toBe('');
    expect(await runMigrations(url, silent)).toBe(MIGRATIONS.length);
    expect(await dumpSchema(url)).toBe(first);
  });

  it('keep the answers of batches readable, and undone as they were', async () => {
    const stored = {
      facts: [
        {
          ...COMMON,
          creditsCharged: 1,
          mxHost: 'mx.a.example',
          evidence: { ...EVIDENCE, mxHost: 'mx.a.example', mxAddress: '192.0.2.1' },
        },
        { ...COMMON, creditsCharged: 1, mxHost: null, evidence: { ...EVIDENCE, mxHost: null, mxAddress: null } },
      ],
      rows: [
        [2, 1, null, 'c@y.example', 'no', 500, 900, 7],
        [0, 0, '', null, 'Ok', 600, 1_000, 8],
      ] as [number, number, ...unknown[]][],
    };
    const before = JSON.stringify(stored);
    await runMigrations(url, silent);
    await connected(async (dataSource) => {
      await undoTo(dataSource, 'StoreBatchesUnpacked1795284060000');
      await dataSource.query(
        `WITH account AS (INSERT INTO accounts (kind, policy, created_at) VALUES ('full', 'free', now()) RETURNING id)
         INSERT INTO batches (id, account_id, key_id, policy, simulated, state, retention_days, created_at, finished_at)
         SELECT 1, id, id, 'free', false, 'completed', 30, now(), now() FROM account`,
      );
      await dataSource.query('INSERT INTO batch_results (batch_id, chunk, round, results) VALUES (1, 0, 0, $1)', [
        before,
      ]);
      await dataSource.runMigrations();
      const answers = new StoredAnswers(await resultsIn(dataSource), ['A@x.example', 'b@x.example', 'C@z.example']);
      expect(answers.at(0)).toMatchObject({ latencyMs: 8, verification: { mxHost: 'mx.a.example', checkedAt: 1_000 } });
      expect(answers.verdictAt(1)).toBeNull();
      expect(answers.at(2)).toEqual({
        offset: 2,
        creditsCharged: 1,
        latencyMs: 7,
        verification: {
          ...COMMON,
          email: 'C@z.example',
          normalizedEmail: null,
          didYouMean: 'c@y.example',
          mxHost: null,
          evidence: { ...EVIDENCE, mxHost: null, mxAddress: null, text: 'no', at: 500 },
          checkedAt: 900,
        },
      });
      await undoTo(dataSource, 'StoreBatchesUnpacked1795284060000');
      const undone = JSON.parse(await resultsIn(dataSource)) as typeof stored;
      // Facts are in the order of the rows that have them.
      expect(undone).toEqual({
        facts: stored.facts.toReversed(),
        rows: stored.rows.map(([offset, fact, ...own]) => [offset, 1 - fact, ...own]),
      });
    });
  });

  it('made what a test database is cloned from', async () => {
    await runMigrations(url, silent);
    const clone = await createTestDatabase();
    expect(await dumpSchema(clone.url)).toBe(await dumpSchema(url));
    await clone.drop();
  });
});
