import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { BalanceCreditsService } from '../../src/credits/balance/balance-credits.service.js';
import { BalanceStore } from '../../src/credits/balance/balance.store.js';
import type { Payer } from '../../src/keys/access/principal.js';
import { loadPolicies, policyNamed } from '../../src/platform/config/policies.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { createFullAccount } from '../support/accounts.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { wallClock } from '../../src/platform/clock.js';

const WANTED = { amountCredits: 1, purpose: 'verify', workMs: 1000 } as const;
const CHARGE = { credits: 1, works: [{ verdict: 'valid', reason: 'mailbox_exists', items: 1, credits: 1 }] };

let database: TestDatabase;
let dataSource: DataSource;
let credits: BalanceCreditsService;
let payer: Payer;

beforeAll(async () => {
  database = await createTestDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const first = await createDataSource(database.url, { poolSize: 1 });
  // The server of all tests waits for no disk.
  await first.query(`ALTER DATABASE ${name} SET synchronous_commit = on`);
  await first.query(`
    CREATE TABLE seen (number bigint GENERATED ALWAYS AS IDENTITY, change text, waits text);
    CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO seen (change, waits) VALUES (TG_OP, current_setting('synchronous_commit')); RETURN NULL; END $$;
    CREATE TRIGGER seen AFTER INSERT OR DELETE ON credit_reservations FOR EACH STATEMENT EXECUTE FUNCTION see()`);
  await first.destroy();
  dataSource = await createDataSource(database.url, { poolSize: 1 });
  credits = new BalanceCreditsService(dataSource, new BalanceStore(), wallClock());
  const { accountId } = await createFullAccount(database);
  const policy = policyNamed(loadPolicies({ retentionDays: 30 }).keyPolicies, 'scale');
  payer = { keyId: accountId, accountId, simulated: false, policy, ceilingId: null, claimer: null };
});

beforeEach(() => dataSource.query('TRUNCATE seen'));

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const seen = async () =>
  (await dataSource.query<{ change: string; waits: string }[]>('SELECT * FROM seen ORDER BY number')).map(
    ({ change, waits }) => [change, waits],
  );
const waitsNow = async () => (await dataSource.query('SHOW synchronous_commit'))[0].synchronous_commit as string;

async function underCeiling(): Promise<Payer> {
  const [{ id: ceilingId }] = await dataSource.query(
    'INSERT INTO key_ceilings (credits_per_day) VALUES (100) RETURNING id',
  );
  return { ...payer, ceilingId };
}

it('a reservation of a single request does not wait for the disk, and its settlement does', async () => {
  const { id } = await credits.reserve(payer, WANTED);
  expect(await waitsNow()).toBe('on');
  expect(await credits.settle(id, CHARGE)).toBe(true);
  expect(await seen()).toEqual([
    ['INSERT', 'off'],
    ['DELETE', 'on'],
  ]);
});

it('so does one under a ceiling', async () => {
  const { id } = await credits.reserve(await underCeiling(), WANTED);
  expect(await waitsNow()).toBe('on');
  expect(await credits.settle(id, CHARGE)).toBe(true);
  expect(await seen()).toEqual([
    ['INSERT', 'off'],
    ['DELETE', 'on'],
  ]);
});

it('a transaction that reserves waits for the disk', async () => {
  const limited = await underCeiling();
  await dataSource.transaction(async (tx) => {
    await credits.reserveIn(tx, payer, WANTED);
    await credits.reserveIn(tx, limited, WANTED);
    expect(await tx.query('SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
  });
  expect(await seen()).toEqual([
    ['INSERT', 'on'],
    ['INSERT', 'on'],
  ]);
});

it('reservations that come while a settlement is on its way to the disk share a statement', async () => {
  const held = await Promise.all(Array.from({ length: 3 }, () => credits.reserve(payer, WANTED)));
  await dataSource.query('TRUNCATE seen');
  const settled = Promise.all(held.map(({ id }) => credits.settle(id, CHARGE)));
  const reserved = Promise.all(Array.from({ length: 5 }, () => credits.reserve(payer, WANTED)));
  await Promise.all([settled, reserved]);
  expect(await seen()).toEqual([
    ['DELETE', 'on'],
    ['INSERT', 'off'],
  ]);
});
