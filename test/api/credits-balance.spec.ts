import { DataSource, type EntityManager } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { CreditsService } from '../../src/credits/credits.service.js';
import { AccessService } from '../../src/keys/access/access.service.js';
import type { Principal } from '../../src/keys/access/principal.js';
import { AppError } from '../../src/platform/errors/app-error.js';
import { VerifyService } from '../../src/verify/verify.service.js';
import { createFullAccount, type FullAccount, type FullAccountOptions } from '../support/accounts.js';
import { call, register } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';

const clock = { time: Date.now(), now: () => clock.time };

let database: TestDatabase;
let dns: DnsServer;
/** Two processes' worth of the service on one database. */
let services: [TestService, TestService];

let account: FullAccount;
let principal: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  dns = await startDnsServer({ zones: { 'silent.example.com': 'silent' } });
  const start = () => startService({ clock, database, env: { dnsServers: [dns.address] } });
  services = [await start(), await start()];
});

afterAll(async () => {
  for (const service of services) await service.close();
  await dns.close();
  await database.drop();
});

beforeEach(() => open({ credits: 10 }));

async function open(options: FullAccountOptions): Promise<void> {
  account = await createFullAccount(database, options);
  principal = await principalOf(account.liveKey);
}

const principalOf = (key: string) => services[0].app.get(AccessService).authenticate(`Bearer ${key}`, '127.0.0.1');
const credits = () => services[0].app.get(CreditsService);
const tx = <T>(work: (manager: EntityManager) => Promise<T>) => services[0].app.get(DataSource).transaction(work);
const query = <T>(sql: string, values: unknown[] = []) => services[0].app.get(DataSource).query<T>(sql, values);
const work = (amountCredits: number, workMs: number | null = 1000) =>
  ({ amountCredits, workMs, purpose: 'verify' }) as const;
const NONE = { email: 'none@nowhere.invalid', budgetMs: 1000, maxCredits: null };
const verify = (email: string, key = account.liveKey) =>
  call(services[0], '/api/v1/verify', { key, body: { email, timeout_ms: 1000 } });
const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const standing = async () => (await call(services[0], '/api/v1/credits', { key: account.liveKey })).body;
const history = async (search = '', key = account.liveKey) =>
  call(services[0], `/api/v1/credits/history${search}`, { key });

/** The account's entries, oldest first, as kind and amount. */
async function entries(): Promise<[string, number, number][]> {
  const { body } = await history('?limit=100');
  return body.entries
    .toReversed()
    .map(({ kind, amount, balance_after }: Record<string, unknown>) => [kind, amount, balance_after]);
}

async function expectCleanAudit(): Promise<void> {
  const { accounts, differing } = await services[0].app.get(CreditsAudit).run();
  expect(accounts).toBeGreaterThan(0);
  expect(differing).toEqual([]);
}

async function outcomesOf(attempts: Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const one of await Promise.allSettled(attempts)) {
    const name =
      one.status === 'fulfilled' ? 'ok' : one.reason instanceof AppError ? one.reason.code : String(one.reason);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

describe('the balance of a full account', () => {
  it('the balance of a full account is answered flat, to a live and to a test key', async () => {
    await open({ plan: 'pro', credits: 5000 });
    const body = { plan: 'pro', remaining: 5000, reserved: 0, used_total: 0, free_granted: 0, low: false };
    expect(await standing()).toEqual(body);
    expect((await call(services[0], '/api/v1/credits', { key: account.testKey })).body).toEqual(body);
  });

  it('the balance of a full account pays one credit for a verdict and says so', async () => {
    const { body } = await verify('jane@nowhere.invalid');
    expect(body).toMatchObject({ verdict: 'invalid', credits_charged: 1 });
    expect(await standing()).toMatchObject({ remaining: 9, reserved: 0, used_total: 1 });
    expect(await entries()).toEqual([
      ['grant', 10, 10],
      ['reserve', -1, 9],
      ['release', 1, 10],
      ['charge', -1, 9],
    ]);
  });

  it('the balance of a full account pays nothing for an unknown', async () => {
    const { body } = await verify('someone@silent.example.com');
    expect(body).toMatchObject({ verdict: 'unknown', credits_charged: 0 });
    expect(await standing()).toMatchObject({ remaining: 10, reserved: 0, used_total: 0 });
    expect(await entries()).toEqual([
      ['grant', 10, 10],
      ['reserve', -1, 9],
      ['release', 1, 10],
    ]);
  });

  it('the balance of a full account is not touched by a test key', async () => {
    const { status, body } = await verify('someone@example.com', account.testKey);
    expect([status, body.credits_charged]).toEqual([200, 0]);
    expect(await entries()).toEqual([['grant', 10, 10]]);
  });

  it('the balance of a full account used up is 402 with the required and the remaining credits, and nothing is written', async () => {
    await open({ credits: 1 });
    expect((await verify('jane@nowhere.invalid')).status).toBe(200);
    const { status, body } = await verify('jane@nowhere.invalid');
    expect(status).toBe(402);
    expect(body).toMatchObject({ success: false, code: 'credits_insufficient', required: 1, remaining: 0 });
    expect(body).not.toHaveProperty('resets_at');
    expect(await entries()).toHaveLength(4);
  });

  it('the balance of a full account is empty for an account that was never given any', async () => {
    await open({ credits: 0 });
    await query('DELETE FROM credit_balances WHERE account_id = $1', [account.accountId]);
    expect(await standing()).toMatchObject({ remaining: 0, reserved: 0, used_total: 0 });
    expect((await verify('jane@nowhere.invalid')).status).toBe(402);
  });

  it.each([
    ['free', 10, false],
    ['free', 9, true],
    ['pro', 1000, false],
    ['pro', 999, true],
  ] as const)('the balance of a full account on plan %s is at %i credits low: %s', async (plan, given, low) => {
    await open({ plan, credits: given });
    expect((await standing()).low).toBe(low);
  });
});

describe('a balance under load', () => {
  it('a balance under load is charged exactly as often as it suffices, over two processes', async () => {
    await open({ credits: 100 });
    const outcomes = await outcomesOf(
      Array.from({ length: 400 }, (_, i) => services[i % 2]!.app.get(VerifyService).verify(principal, NONE)),
    );
    expect(outcomes).toEqual({ ok: 100, credits_insufficient: 300 });
    expect(await standing()).toMatchObject({ remaining: 0, reserved: 0, used_total: 100 });
    await expectCleanAudit();
  });

  it('a balance under load pays for small requests when a large one is refused', async () => {
    const amounts = [50, 3, 4, 3, 50, 1];
    const outcomes = await Promise.allSettled(amounts.map((amount) => credits().reserve(principal, work(amount))));
    // The first is asked alone, the others in one round: smallest first, and 1 + 3 + 3 leave 3 of 10.
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([false, true, false, true, false, true]);
    expect(await standing()).toMatchObject({ remaining: 3, reserved: 7 });
  });

  it('a balance under load is exact while accounts are mixed, settled and given to at once', async () => {
    const accounts = await Promise.all(Array.from({ length: 5 }, () => createFullAccount(database, { credits: 20 })));
    const principals = await Promise.all(accounts.map(({ liveKey }) => principalOf(liveKey)));
    const attempts = Array.from({ length: 500 }, async (_, i) => {
      const owner = principals[i % 5]!;
      const service = services[i % 2]!.app.get(CreditsService);
      if (i % 50 === 7)
        await tx((manager) => service.grant(manager, owner.accountId!, 3, { reason: 'more', actor: 'test' }));
      const reservation = await service.reserve(owner, work(1 + (i % 3)));
      await service.settle(reservation, i % 2);
    });
    const { ok, credits_insufficient, ...others } = await outcomesOf(attempts);
    expect([ok! + credits_insufficient!, others]).toEqual([500, {}]);
    await expectCleanAudit();
    for (const { liveKey } of accounts)
      expect((await call(services[0], '/api/v1/credits', { key: liveKey })).body).toMatchObject({ reserved: 0 });
  });
});

describe('a reservation of a balance', () => {
  it('a reservation of a balance is out of what may be spent until it ends, once', async () => {
    const reservation = await credits().reserve(principal, work(4));
    expect(await standing()).toMatchObject({ remaining: 6, reserved: 4 });
    expect(await credits().settle(reservation, 3)).toBe(3);
    expect(await credits().settle(reservation, 3)).toBe(0);
    await credits().release(reservation);
    expect(await standing()).toMatchObject({ remaining: 7, reserved: 0, used_total: 3 });
    await expectCleanAudit();
  });

  it('a reservation of a balance that lapsed goes back once, however many processes sweep, and is not charged after that', async () => {
    const reservation = await credits().reserve(principal, work(4, 5000));
    const sweep = () => Promise.all(services.map(({ app }) => app.get(CreditsService).releaseExpired()));
    clock.time += 14_999;
    await sweep();
    expect(await standing()).toMatchObject({ remaining: 6, reserved: 4 });
    clock.time += 1;
    await sweep();
    expect(await standing()).toMatchObject({ remaining: 10, reserved: 0 });
    expect(await credits().settle(reservation, 4)).toBe(0);
    expect(await entries()).toHaveLength(3);
  });

  it('a reservation of a balance without an end in sight stays, and is charged part by part', async () => {
    const reservation = await tx((manager) => credits().reserveIn(manager, principal, work(8, null)));
    clock.time += 365 * 86_400_000;
    await credits().releaseExpired();
    await tx(async (manager) => {
      expect(await credits().settlePart(manager, reservation, 3)).toBe(true);
      expect(await credits().settlePart(manager, reservation, 0)).toBe(true);
      expect(await credits().settlePart(manager, reservation, 6)).toBe(false);
      expect(await credits().settlePart(manager, reservation, 4)).toBe(true);
    });
    expect(await standing()).toMatchObject({ remaining: 2, reserved: 1, used_total: 7 });
    expect(await tx((manager) => credits().settleIn(manager, reservation, 0))).toBe(0);
    expect(await standing()).toMatchObject({ remaining: 3, reserved: 0, used_total: 7 });
    expect((await entries()).slice(1)).toEqual([
      ['reserve', -8, 2],
      ['release', 3, 5],
      ['charge', -3, 2],
      ['release', 4, 6],
      ['charge', -4, 2],
      ['release', 1, 3],
    ]);
    await expectCleanAudit();
  });

  it.each([null, 100])(
    'a reservation of a balance is paid by what others give back while it waits for them, under a ceiling of %s',
    async (ceiling) => {
      const { body } = await call(services[0], '/api/v1/keys', {
        key: account.liveKey,
        body: { kind: 'live', ...(ceiling !== null && { credits_total: ceiling }) },
      });
      const payer = await principalOf(body.api_key);
      expect(payer.ceilingId === null).toBe(ceiling === null);
      const other = await credits().reserve(principal, work(8));
      const waiting = await tx(async (manager) => {
        await credits().settleIn(manager, other, 0);
        const reserved = credits().reserve(payer, work(7));
        await expect.poll(() => query(WAITING)).toHaveLength(1);
        return { reserved };
      });
      expect(await waiting.reserved).toMatchObject({ amountCredits: 7 });
      expect(await standing()).toMatchObject({ remaining: 3, reserved: 7 });
      await expectCleanAudit();
    },
  );

  it('a reservation of a balance is as if it had never been when its transaction fails', async () => {
    const failing = tx(async (manager) => {
      await credits().reserveIn(manager, principal, work(8));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await standing()).toMatchObject({ remaining: 10, reserved: 0 });
    expect(await entries()).toHaveLength(1);
  });

  it('a reservation of a balance of an agent is charged part by part too', async () => {
    const agent = await principalOf(await register(services[0]));
    await tx(async (manager) => {
      const reservation = await credits().reserveIn(manager, agent, work(8, null));
      expect(await credits().settlePart(manager, reservation, 3)).toBe(true);
      expect(await credits().settlePart(manager, reservation, 6)).toBe(false);
      await credits().settleIn(manager, reservation, 1);
    });
    expect(await credits().getStatus(agent)).toMatchObject({ source: 'daily', usedToday: 4 });
  });
});

describe('credits given and taken by hand', () => {
  const by = { reason: 'invoice 7', actor: 'someone', lowCredits: 0 };

  it('credits given and taken by hand are in the history with their reason', async () => {
    await tx((manager) => credits().grant(manager, account.accountId, 5, by));
    await tx((manager) => credits().adjust(manager, account.accountId, -12, by));
    expect(await standing()).toMatchObject({ remaining: 3, free_granted: 0 });
    const { body } = await history();
    expect(body.entries.slice(0, 2)).toMatchObject([
      { kind: 'adjust', amount: -12, balance_after: 3, what_for: 'invoice 7', key_id: null },
      { kind: 'grant', amount: 5, balance_after: 15 },
    ]);
    expect(JSON.stringify(body)).not.toContain('someone');
  });

  it('credits given and taken by hand have an entry of their own kind when the plan gave them', async () => {
    await tx((manager) => credits().grant(manager, account.accountId, 100, { ...by, free: true }));
    expect(await standing()).toMatchObject({ remaining: 110, free_granted: 100 });
  });

  it('credits given and taken by hand never leave less than nothing, not even when two take at once', async () => {
    const take = () => tx((manager) => credits().adjust(manager, account.accountId, -6, by));
    expect(await outcomesOf([take(), take()])).toEqual({ ok: 1, balance_too_low: 1 });
    await expect(take()).rejects.toThrow('The account has only 4 credits to take away.');
    expect(await entries()).toHaveLength(2);
  });
});

describe('the history', () => {
  it('the history is read page by page, newest first, while entries are added', async () => {
    for (let i = 0; i < 3; i++) await verify('jane@nowhere.invalid');
    const first = (await history('?limit=4')).body;
    await verify('jane@nowhere.invalid');
    const second = (await history(`?limit=4&cursor=${first.next_cursor}`)).body;
    const third = (await history(`?limit=4&cursor=${second.next_cursor}`)).body;
    const amounts = [first, second, third].flatMap(({ entries: page }) => page.map(({ kind }: never) => kind));
    expect(amounts).toEqual([...Array.from({ length: 3 }, () => ['charge', 'release', 'reserve']).flat(), 'grant']);
    expect(third.next_cursor).toBeNull();
  });

  it('the history names time, purpose and key, and sums to the balance', async () => {
    await verify('jane@nowhere.invalid');
    const { entries: all } = (await history()).body;
    const of = { what_for: 'verify', key_id: principal.keyId, batch_id: null };
    const shape = { created_at: new Date(clock.time).toISOString(), ...of };
    expect(all[0]).toEqual({ ...shape, kind: 'charge', amount: -1, balance_after: 9 });
    expect(all.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)).toBe(9);
  });

  it('the history is not for agents', async () => {
    const { status, body } = await history('', await register(services[0]));
    expect([status, body.code]).toEqual([403, 'full_account_required']);
  });

  it('the history of another account is never shown, whatever the cursor', async () => {
    const other = await createFullAccount(database, { credits: 77 });
    await verify('jane@nowhere.invalid', other.liveKey);
    const { next_cursor: theirs } = (await history('?limit=1', other.liveKey)).body;
    const { status, body } = await history(`?cursor=${theirs}`);
    expect(status).toBe(200);
    expect(body.entries).toMatchObject([{ kind: 'grant', amount: 10 }]);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=%00', 'cursor=MTIzIGFiYy1kZWY'])(
    'the history refuses %s',
    async (search) => {
      const { status, body } = await history(`?${search}`);
      expect([status, body.code]).toEqual([422, 'invalid_input']);
    },
  );

  it.each([
    'UPDATE credit_ledger SET amount = amount',
    'DELETE FROM credit_ledger',
    'TRUNCATE credit_ledger',
    `INSERT INTO credit_ledger (account_id, number, created_at, kind, amount, balance_after, purpose)
     VALUES (gen_random_uuid(), 1, now(), 'charge', 5, 5, 'wrong sign')`,
  ])('the history cannot be changed by %s', async (sql) => {
    await expect(query(sql)).rejects.toThrow(/only ever added to|check constraint/);
  });
});

/* Last: it leaves accounts behind that are broken on purpose. */
describe('the audit', () => {
  const differenceAfter = async (sql: string) => {
    await query(sql.replaceAll('ACCOUNT', `'${account.accountId}'`));
    const { differing } = await services[0].app.get(CreditsAudit).run();
    return differing.find(({ accountId }) => accountId === account.accountId);
  };

  it.each([
    ['a balance', 'available = available + 1', { balance: 11, ledgerSum: 10 }],
    ['a use', 'used_total = used_total + 1', { usedTotal: 1, ledgerCharged: 0 }],
    ['a reserve', 'reserved = 2', { reserved: 2, ledgerReserved: 0, openReservations: 0 }],
    ['a count', 'entries = 5', { entries: 5, ledgerEntries: 1 }],
  ])('the audit names the account of %s that its history contradicts', async (_, change, difference) => {
    const found = await differenceAfter(`UPDATE credit_balances SET ${change} WHERE account_id = ACCOUNT`);
    expect(found).toMatchObject(difference);
  });

  it('the audit names the account whose reservation is gone', async () => {
    await credits().reserve(principal, work(4));
    const found = await differenceAfter('DELETE FROM credit_reservations WHERE account_id = ACCOUNT');
    expect(found).toMatchObject({ reserved: 4, ledgerReserved: 4, openReservations: 0 });
  });

  it('the audit names the account with an entry that does not follow from the one before', async () => {
    const found = await differenceAfter(
      `INSERT INTO credit_ledger (account_id, number, created_at, kind, amount, balance_after, purpose)
       VALUES (ACCOUNT, 9, now(), 'adjust', 1, 1, 'forged')`,
    );
    expect(found).toMatchObject({ balance: 10, ledgerSum: 11, brokenEntries: 1 });
  });

  it('the audit looks at all accounts', async () => {
    const [balances] = await query<[{ all: number }]>('SELECT count(*) AS all FROM credit_balances');
    expect((await services[0].app.get(CreditsAudit).run()).accounts).toBe(balances.all);
  });
});
