import type { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { CreditsService } from '../../src/credits/credits.service.js';
import { AccessService } from '../../src/keys/access/access.service.js';
import type { Principal } from '../../src/keys/access/principal.js';
import { AppError } from '../../src/platform/errors/app-error.js';
import { REDIS } from '../../src/platform/redis/redis.js';
import { VerifyService } from '../../src/verify/verify.service.js';
import { onDatabase } from '../support/batches.js';
import { call, register } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startService, type TestService } from '../support/service.js';

const NOON = Date.parse('2026-11-21T12:00:00.000Z');
const MIDNIGHT = '2026-11-22T00:00:00.000Z';
const NO_ADDRESS = { email: 'no address', budgetMs: 5000, maxCredits: null };
const clock = { time: NOON, now: () => clock.time };

let database: TestDatabase;
/** For all tests but those that have settings of their own or watch a start. */
let services: readonly [TestService, TestService];
let service: TestService;

beforeAll(async () => {
  database = await createTestDatabase();
  services = [await open(), await open()];
  [service] = services;
});

beforeEach(async () => {
  clock.time = NOON;
  // Agents are new in each test; these count for all of them.
  await onDatabase(database.url, 'DELETE FROM credit_reservations');
  await onDatabase(database.url, 'DELETE FROM agent_daily_pool');
  // The services have opened this day before, and remember it.
  await onDatabase(database.url, "INSERT INTO agent_daily_pool (utc_date, used) VALUES ('2026-11-21', 0)");
});

afterAll(async () => {
  await Promise.all(services.map((one) => one.close()));
  await database.drop();
});

const open = (env: object = {}): Promise<TestService> =>
  startService({ clock, database, env: { registrationsPerHour: 1000, registrationsPerDay: 1000, ...env } });

/** A service that ends with the test. */
async function start(env: object = {}): Promise<TestService> {
  const started = await open(env);
  onTestFinished(() => started.close());
  return started;
}

/** Services with nothing before them: the first credit of each opens the day. */
async function startOnNewDay(...envs: object[]): Promise<TestService[]> {
  await onDatabase(database.url, 'DELETE FROM agent_daily_pool');
  return Promise.all(envs.map(start));
}

/** A verdict without a mail host costs as much as any other. Past the rate, which is not what is looked at here. */
async function verify(service: TestService, key: string) {
  await service.app.get<Redis>(REDIS).flushdb();
  return call(service, '/api/v1/verify', { key, body: { email: 'no address' } });
}

async function standing(service: TestService, key: string) {
  await service.app.get<Redis>(REDIS).flushdb();
  return (await call(service, '/api/v1/credits', { key })).body;
}

const principalOf = (service: TestService, key: string): Promise<Principal> =>
  service.app.get(AccessService).authenticate(`Bearer ${key}`, '127.0.0.1');

const work = (amountCredits: number, workMs: number) => ({ amountCredits, workMs, purpose: 'verify' }) as const;

const outcomesOf = async (attempts: Promise<unknown>[]) => {
  const settled = await Promise.allSettled(attempts);
  return settled.map((one) =>
    one.status === 'fulfilled' ? 'ok' : one.reason instanceof AppError ? one.reason.code : String(one.reason),
  );
};

const count = (outcomes: string[], wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;

const poolUsed = async (service: TestService) =>
  await service.app.get(DataSource).query('SELECT utc_date, used FROM agent_daily_pool ORDER BY utc_date');

describe('the daily credits of an agent', () => {
  it('the daily credits of an agent are in the envelope', async () => {
    const key = await register(service);
    expect(await standing(service, key)).toEqual({
      success: true,
      data: {
        daily_free_credits: 25,
        used_today: 0,
        reserved: 0,
        remaining: 25,
        resets_at: MIDNIGHT,
        shared_capacity_available: true,
      },
    });
    await verify(service, key);
    expect((await standing(service, key)).data).toMatchObject({ used_today: 1, remaining: 24 });
  });

  it('the daily credits of an agent are 25: the 26th verification is 402, and nothing rolls over at midnight UTC', async () => {
    const key = await register(service);
    for (let i = 0; i < 25; i++) expect((await verify(service, key)).status).toBe(200);
    for (let i = 0; i < 2; i++) {
      const { status, body, headers } = await verify(service, key);
      expect(status).toBe(402);
      expect(body).toMatchObject({
        success: false,
        code: 'credits_insufficient',
        required: 1,
        remaining: 0,
        resets_at: MIDNIGHT,
      });
      expect(headers.get('x-ratelimit-limit')).toBe('10');
    }
    clock.time = Date.parse(MIDNIGHT) - 1;
    expect((await verify(service, key)).status).toBe(402);
    clock.time = Date.parse(MIDNIGHT);
    expect((await standing(service, key)).data).toMatchObject({
      used_today: 0,
      remaining: 25,
      resets_at: '2026-11-23T00:00:00.000Z',
    });
    expect((await verify(service, key)).status).toBe(200);
    clock.time = Date.parse(MIDNIGHT) + 86_400_000;
    expect((await standing(service, key)).data).toMatchObject({ used_today: 0, remaining: 25 });
  });

  it('the daily credits of an agent are not used by input that is refused', async () => {
    const key = await register(service);
    await call(service, '/api/v1/verify', { key, body: { email: 7 } });
    expect((await standing(service, key)).data.used_today).toBe(0);
  });

  it('the daily credits of an agent are exactly 25 of 100 verifications at once over two processes', async () => {
    const services = await startOnNewDay({}, {});
    const key = await register(services[0]!);
    const principal = await principalOf(services[0]!, key);
    const outcomes = await outcomesOf(
      Array.from({ length: 100 }, (_, i) => services[i % 2]!.app.get(VerifyService).verify(principal, NO_ADDRESS)),
    );
    expect(count(outcomes, 'ok')).toBe(25);
    expect(count(outcomes, 'credits_insufficient')).toBe(75);
    expect((await standing(services[0]!, key)).data).toMatchObject({ used_today: 25, remaining: 0 });
    expect(await poolUsed(services[0]!)).toEqual([{ utc_date: '2026-11-21', used: 25 }]);
  });
});

describe('the shared pool', () => {
  it('the shared pool lasts until midnight UTC for all agents: 429 with the seconds until then, and the own credits stay', async () => {
    const [service] = (await startOnNewDay({ agentDailyCapacity: 2 })) as [TestService];
    const [one, other] = [await register(service), await register(service)];
    expect((await verify(service, one)).status).toBe(200);
    expect((await verify(service, other)).status).toBe(200);
    const { status, body, headers } = await verify(service, one);
    expect(status).toBe(429);
    expect(body).toMatchObject({ success: false, code: 'daily_capacity_exhausted' });
    expect(headers.get('retry-after')).toBe('43200');
    expect((await standing(service, one)).data).toMatchObject({
      used_today: 1,
      remaining: 24,
      shared_capacity_available: false,
    });
    clock.time = Date.parse(MIDNIGHT);
    expect((await verify(service, one)).status).toBe(200);
  });

  it('the shared pool is named only when the own credits would suffice', async () => {
    const [service] = (await startOnNewDay({ agentDailyCapacity: 25 })) as [TestService];
    const key = await register(service);
    for (let i = 0; i < 25; i++) await verify(service, key);
    expect((await verify(service, key)).body.code).toBe('credits_insufficient');
    expect((await verify(service, await register(service))).body.code).toBe('daily_capacity_exhausted');
  });

  it('the shared pool closed by 0 admits nobody', async () => {
    const [service] = (await startOnNewDay({ agentDailyCapacity: 0 })) as [TestService];
    const key = await register(service);
    expect((await standing(service, key)).data.shared_capacity_available).toBe(false);
    expect((await verify(service, key)).status).toBe(429);
  });

  it('the shared pool is exact when many agents meet at its end, over two processes', async () => {
    const services = await startOnNewDay({ agentDailyCapacity: 60 }, { agentDailyCapacity: 60 });
    const keys = await Promise.all(Array.from({ length: 5 }, () => register(services[0]!)));
    const principals = await Promise.all(keys.map((key) => principalOf(services[0]!, key)));
    const outcomes = await outcomesOf(
      Array.from({ length: 200 }, (_, i) =>
        services[i % 2]!.app.get(VerifyService).verify(principals[i % 5]!, NO_ADDRESS),
      ),
    );
    expect(count(outcomes, 'ok')).toBe(60);
    expect(count(outcomes, 'daily_capacity_exhausted') + count(outcomes, 'credits_insufficient')).toBe(140);
    expect(await poolUsed(services[0]!)).toEqual([{ utc_date: '2026-11-21', used: 60 }]);
    const used = await Promise.all(
      keys.map(async (key) => (await standing(services[0]!, key)).data.used_today as number),
    );
    expect(used.reduce((sum, each) => sum + each, 0)).toBe(60);
    expect(Math.max(...used)).toBeLessThanOrEqual(25);
  });
});

describe('a reservation', () => {
  it('a reservation takes what it asks for or nothing', async () => {
    const key = await register(service);
    const principal = await principalOf(service, key);
    const credits = service.app.get(CreditsService);
    await credits.reserve(principal, work(20, 1000));
    await expect(credits.reserve(principal, work(6, 1000))).rejects.toMatchObject({
      code: 'credits_insufficient',
      details: { body: { required: 6, remaining: 5 } },
    });
    await credits.reserve(principal, work(5, 1000));
    expect((await standing(service, key)).data).toMatchObject({ used_today: 0, reserved: 25, remaining: 0 });
  });

  it('a reservation is told as reserved until it is charged, part by part, and as used then', async () => {
    const key = await register(service);
    const credits = service.app.get(CreditsService);
    const reservation = await credits.reserve(await principalOf(service, key), work(10, 1000));
    const shown = async () => (await standing(service, key)).data;
    expect(await shown()).toMatchObject({ used_today: 0, reserved: 10, remaining: 15 });
    await credits.settlePart(service.app.get(DataSource).manager, reservation, 4);
    expect(await shown()).toMatchObject({ used_today: 4, reserved: 6, remaining: 15 });
    await credits.settle(reservation, 5);
    expect(await shown()).toMatchObject({ used_today: 9, reserved: 0, remaining: 16 });
  });

  it('a reservation gives back what is not charged, to account and pool, and only once', async () => {
    const key = await register(service);
    const credits = service.app.get(CreditsService);
    const reservation = await credits.reserve(await principalOf(service, key), work(10, 1000));
    const charges = await Promise.all([credits.settle(reservation, 4), credits.settle(reservation, 4)]);
    expect(charges.sort()).toEqual([0, 4]);
    await credits.release(reservation);
    expect((await standing(service, key)).data.used_today).toBe(4);
    expect(await poolUsed(service)).toEqual([{ utc_date: '2026-11-21', used: 4 }]);
  });

  it('a reservation goes back to the day it came from when midnight passes in between', async () => {
    const key = await register(service);
    const credits = service.app.get(CreditsService);
    const reservation = await credits.reserve(await principalOf(service, key), work(10, 1000));
    clock.time = Date.parse(MIDNIGHT);
    await verify(service, key);
    await credits.settle(reservation, 3);
    expect((await standing(service, key)).data.used_today).toBe(1);
    expect(await poolUsed(service)).toEqual([
      { utc_date: '2026-11-21', used: 3 },
      { utc_date: '2026-11-22', used: 1 },
    ]);
  });

  it('a reservation of a process that died goes back after its time, once, however many processes sweep', async () => {
    const key = await register(services[0]);
    const principal = await principalOf(services[0], key);
    const [dead, alive] = services.map((service) => service.app.get(CreditsService)) as [
      CreditsService,
      CreditsService,
    ];
    for (let i = 0; i < 5; i++) await dead.reserve(principal, work(2, 5000));
    clock.time += 14_999;
    expect(await alive.releaseExpired()).toBe(0);
    expect((await standing(services[0], key)).data.reserved).toBe(10);
    clock.time += 1;
    await Promise.all([alive.releaseExpired(), dead.releaseExpired(), alive.releaseExpired()]);
    expect((await standing(services[0], key)).data).toMatchObject({ used_today: 0, remaining: 25 });
    expect(await poolUsed(services[0])).toEqual([{ utc_date: '2026-11-21', used: 0 }]);
  });

  it('a reservation that lapsed is not charged when its work ends after all', async () => {
    const key = await register(service);
    const credits = service.app.get(CreditsService);
    const reservation = await credits.reserve(await principalOf(service, key), work(1, 1000));
    clock.time += 60_000;
    await credits.releaseExpired();
    expect(await credits.settle(reservation, 1)).toBe(0);
    expect((await standing(service, key)).data.used_today).toBe(0);
  });

  it('a reservation left behind is swept by the next process that starts', async () => {
    const key = await register(service);
    await service.app.get(CreditsService).reserve(await principalOf(service, key), work(7, 1000));
    clock.time += 60_000;
    const successor = await start();
    await expect.poll(async () => (await standing(successor, key)).data.reserved).toBe(0);
  });
});
