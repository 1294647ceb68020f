import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type Fleet, startFleet, together } from '../support/fleet.js';
import { startService } from '../support/service.js';

const PROCESSES = 4;
/** `CREDITS=100 npx vitest run test/worker/credits-kill.spec.ts` for a quick look. */
const CREDITS = Number(process.env['CREDITS'] ?? 1000);
/** `KILL_ROUNDS=20 npx vitest run test/worker/credits-kill.spec.ts` for a longer look. */
const KILL_ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 5);
/** Longer than anything may stay reserved or held. */
const A_WHILE_MS = 120_000;

let database: TestDatabase;
let fleet: Fleet;

beforeAll(async () => {
  database = await createTestDatabase();
  fleet = await startFleet(PROCESSES, { DATABASE_URL: database.url, LOG_LEVEL: 'info' });
});

afterAll(async () => {
  await fleet?.stop();
  await database.drop();
});

/** Gives the account's live key a ceiling, before any process has read it. */
async function limit({ accountId }: FullAccount, credits: number): Promise<void> {
  await onDatabase(
    database.url,
    `WITH ceiling AS (INSERT INTO key_ceilings (credits_per_day, credits_total) VALUES ($2, $2) RETURNING id)
     UPDATE api_keys SET ceiling_id = ceiling.id FROM ceiling WHERE account_id = $1 AND kind = 'live'`,
    [accountId, credits],
  );
}

interface Facts {
  readonly standing: unknown;
  /** Charges of the account, each for a reservation of its own. */
  readonly charges: number;
  /** What is used of the ceiling of its live key; null when that has none. */
  readonly used: number | null;
  /** Replies that are kept for idempotency keys, of all accounts. */
  readonly keptReplies: number;
}

/** What a process of later says, once it has tidied up what others left and found every account in order. */
async function factsAfterAWhile({ accountId, liveKey }: FullAccount): Promise<Facts> {
  const service = await startService({ database, clock: { now: () => Date.now() + A_WHILE_MS }, timer: SYSTEM_TIMER });
  try {
    const query = (sql: string, values: unknown[] = []) => service.app.get(DataSource).query(sql, values);
    await expect.poll(() => query('SELECT count(*) AS open FROM credit_reservations')).toEqual([{ open: 0 }]);
    expect(await service.app.get(CreditsAudit).run()).toMatchObject({ differing: [], differingCeilings: [] });
    const [sums] = await query(
      `SELECT (SELECT coalesce(-sum(amount), 0)::integer FROM credit_ledger WHERE kind = 'charge') AS ledger,
              (SELECT coalesce(sum(credits), 0)::integer FROM usage_days) AS usage`,
    );
    expect(sums.usage).toBe(sums.ledger);
    const [counts] = await query(
      `SELECT count(*) AS charges, count(DISTINCT reservation_id) AS reservations,
              (SELECT count(*) FROM idempotency_keys WHERE status = 200) AS "keptReplies",
              (SELECT used_total FROM key_ceilings c JOIN api_keys k ON k.ceiling_id = c.id WHERE k.account_id = $1) AS used
         FROM credit_ledger WHERE account_id = $1 AND kind = 'charge'`,
      [accountId],
    );
    expect(counts.charges).toBe(counts.reservations);
    return { standing: (await call(service, '/api/v1/credits', { key: liveKey })).body, ...counts };
  } finally {
    await service.close();
  }
}

const verify = ({ liveKey }: FullAccount, email: string, idempotencyKey?: string) =>
  fleet.ask('/api/v1/verify', liveKey, { email }, idempotencyKey);
const count = <T>(items: readonly T[], is: (item: T) => boolean) => items.filter(is).length;

it.each([
  { what: 'credits', credits: CREDITS, ceiling: null, code: 'credits_insufficient' },
  { what: 'credits of a ceiling', credits: 3 * CREDITS, ceiling: CREDITS, code: 'key_ceiling_reached' },
])(
  `${CREDITS} $what are exactly ${CREDITS} of ${5 * CREDITS} verifications over 4 processes`,
  async ({ credits, ceiling, code }) => {
    const account = await createFullAccount(database, { credits });
    if (ceiling !== null) await limit(account, ceiling);
    const replies = await together(5 * CREDITS, 200, (i) => verify(account, `u${i}@nowhere.invalid`));
    expect(count(replies, ({ status }) => status === 200)).toBe(CREDITS);
    expect(count(replies, ({ text }) => text.includes(code))).toBe(4 * CREDITS);
    const { standing, charges, used } = await factsAfterAWhile(account);
    expect(standing).toMatchObject({ remaining: credits - CREDITS, reserved: 0, used_total: CREDITS });
    expect([charges, used]).toEqual([CREDITS, ceiling]);
  },
);

it('200 identical requests with one idempotency key over 4 processes: one charge and one body', async () => {
  const account = await createFullAccount(database, { credits: 1000 });
  const replies = await together(200, 200, () => verify(account, 'jane@nowhere.invalid', 'the-only-one'));
  expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(count(replies, ({ replayed }) => !replayed)).toBe(1);
  const { standing, charges } = await factsAfterAWhile(account);
  expect(standing).toMatchObject({ remaining: 999, reserved: 0, used_total: 1 });
  expect(charges).toBe(1);
});

it(`${KILL_ROUNDS} processes killed under load: nothing is charged twice or without its kept reply`, async () => {
  const account = await createFullAccount(database, { credits: 1_000_000 });
  await limit(account, 900_000);
  const before = await factsAfterAWhile(account);
  let killing = true;
  const loads = Array.from({ length: 100 }, async (_, caller) => {
    const replies = [];
    for (let i = 1; killing; i++) replies.push(await verify(account, 'jane@nowhere.invalid', `key-${caller}-${i}`));
    return replies;
  });
  for (let round = 1; round <= KILL_ROUNDS; round++) await fleet.killOne();
  killing = false;
  const answered = (await Promise.all(loads)).flat();
  expect(answered.length).toBeGreaterThan(100);
  expect(count(answered, ({ text }) => text.includes('"credits_charged":1'))).toBe(answered.length);

  const { standing, charges, keptReplies, used } = await factsAfterAWhile(account);
  expect([charges, used]).toEqual([answered.length, answered.length]);
  expect(keptReplies - before.keptReplies).toBe(answered.length);
  expect(standing).toMatchObject({ remaining: 1_000_000 - charges, reserved: 0, used_total: charges });
});
