import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { KEY_POLICIES, type KeyPolicies } from '../../src/platform/config/policies.js';
import { RateLimiter } from '../../src/platform/redis/rate-limiter.js';
import { REDIS } from '../../src/platform/redis/redis.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { createAdminKey } from '../support/admin.js';
import { call } from '../support/call.js';
import { testRedis } from '../support/redis.js';
import { startService, type TestService } from '../support/service.js';

let database: TestDatabase;
/** Two copies of the service, on one database and one Redis. */
let services: TestService[];
let account: FullAccount;

beforeAll(async () => {
  database = await createTestDatabase();
  const { url: redisUrl } = await testRedis();
  services = [await startService({ database, env: { redisUrl } }), await startService({ database, env: { redisUrl } })];
});

beforeEach(async () => {
  account = await createFullAccount(database, { plan: 'free' });
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.close()));
  await database.drop();
});

const look = (key = account.liveKey, i = 0) => call(services[i % 2]!, '/api/v1/credits', { key });
const count = (statuses: readonly number[], wanted: number) => statuses.filter((status) => status === wanted).length;

it.each([
  ['free', 20, 50],
  ['pro', 100, 200],
  ['scale', 400, 500],
] as const)(
  'the plan %s is shown as its burst of %i, the 2 s of its refill, and %i in flight',
  async (plan, burst, flight) => {
    const { headers } = await look((await createFullAccount(database, { plan })).liveKey);
    expect(headers.get('ratelimit-policy')).toBe(
      `"requests";q=${burst};w=2, "in-flight";q=${flight};qu="concurrent-requests"`,
    );
    expect(headers.get('ratelimit')).toBe(`"requests";r=${burst - 1};t=1`);
    expect(headers.get('x-ratelimit-limit')).toBe(String(burst));
    expect(headers.get('x-ratelimit-remaining')).toBe(String(burst - 1));
    expect(headers.get('x-ratelimit-reset')).toBe('1');
  },
);

it('three times its rate over two processes gets the plan free its rate and its burst, never more', async () => {
  const [perSecond, burst, seconds] = [10, 20, 2.5];
  const startedAt = performance.now();
  let firstRepliedAt = Infinity;
  const replies: ReturnType<typeof look>[] = [];
  for (let i = 0; i < 3 * perSecond * seconds; i++) {
    // The burst at once, so that nothing of the rate is lost in a bucket that is full already, however slow the machine.
    if (i > burst) await delay(startedAt + (i / (3 * perSecond)) * 1000 - performance.now());
    replies.push(look(account.liveKey, i));
    // Until Redis counts the first one the bucket is full, and gains nothing.
    if (i === 0) void replies[0]!.then(() => (firstRepliedAt = performance.now()));
  }
  const lastSentAt = performance.now();
  const statuses = (await Promise.all(replies)).map(({ status }) => status);
  const endedAt = performance.now();
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  // Redis counted for at most as long as all of it lasted, and at least from the first reply to the last that was sent.
  expect(count(statuses, 200)).toBeLessThanOrEqual(burst + (perSecond * (endedAt - startedAt)) / 1000);
  expect(count(statuses, 200)).toBeGreaterThanOrEqual(burst + (perSecond * (lastSentAt - firstRepliedAt)) / 1000 - 2);
});

it('a limiter asked at three times the rate of the plan scale, or more often, admits within 1% of rate and burst', async () => {
  const limiter = services[0]!.app.get(RateLimiter);
  const limit = { kind: 'bucket', key: 'accuracy', perSecond: 200, burst: 400 } as const;
  const admitted = async (calls: number) => {
    const admissions = await Promise.all(Array.from({ length: calls }, () => limiter.admit([limit])));
    return admissions.filter(({ refusedBy }) => refusedBy === null).length;
  };
  const startedAt = performance.now();
  // The burst at once: from then on nothing of the rate is lost in a bucket that is full already, however slow the machine.
  let granted = await admitted(500);
  let lastSentAt = startedAt;
  for (let sent = 0; lastSentAt - startedAt < 1_500;) {
    lastSentAt = performance.now();
    // One more as soon as Redis has answered the last ones, however few are due.
    const due = Math.max(1, Math.ceil(0.6 * (lastSentAt - startedAt)) - sent);
    granted += await admitted(due);
    sent += due;
  }
  const allowedAfter = (at: number) => 400 + 0.2 * (at - startedAt);
  expect(granted).toBeLessThanOrEqual(allowedAfter(performance.now()));
  expect(granted).toBeGreaterThanOrEqual(allowedAfter(lastSentAt) * 0.99 - 1);
});

describe('one rate', () => {
  it('one rate is shared by all live keys of an account', async () => {
    const second = (await call(services[0]!, '/api/v1/keys', { key: account.liveKey, body: {} })).body.api_key;
    const keys = [account.liveKey, second];
    const startedAt = performance.now();
    const replies = await Promise.all(Array.from({ length: 45 }, (_, i) => look(keys[i % 2], i)));
    const statuses = replies.map(({ status }) => status);
    expect(count(statuses, 200)).toBeLessThanOrEqual(20 + (performance.now() - startedAt) / 100);
    expect(count(statuses, 429)).toBeGreaterThan(0);
  });

  it('one rate is not slowed down by the account’s test keys, nor by another account', async () => {
    await Promise.all(Array.from({ length: 30 }, () => look(account.testKey)));
    expect((await look()).headers.get('x-ratelimit-remaining')).toBe('19');
    const other = await createFullAccount(database, { plan: 'free' });
    expect((await look(other.liveKey)).headers.get('x-ratelimit-remaining')).toBe('19');
  });

  it('one rate is answered 429 when it is used up, with the seconds until there is room', async () => {
    const replies = await Promise.all(Array.from({ length: 45 }, () => look()));
    const refused = replies.find(({ status }) => status === 429)!;
    expect(refused.body).toMatchObject({ success: false, code: 'rate_limited' });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    await expect.poll(async () => (await look()).status, { interval: 250 }).toBe(200);
  });
});

it('the service asks Redis once for all limits of a request, and once more when the request has ended', async () => {
  // It does nothing by itself, and has nothing of other callers to give back.
  const service = await startService({ database });
  onTestFinished(() => service.close());
  const adminKey = await createAdminKey(service);
  const send = vi.spyOn(service.app.get<Redis>(REDIS), 'sendCommand');
  // It also publishes what it did.
  const sent = () => send.mock.calls.map(([{ name }]) => name).filter((name) => name !== 'publish');
  const asked = [
    () => call(service, '/api/v1/credits', { key: account.liveKey }),
    () => call(service, '/api/v1/credits', { key: account.testKey }),
    () => call(service, '/admin/v1/pool', { key: adminKey }),
  ];
  // Redis does not know the script before the first time.
  await asked[0]!();
  await expect.poll(() => sent().at(-1), { interval: 5 }).toBe('zrem');
  for (const ask of asked) {
    send.mockClear();
    await ask();
    await expect.poll(() => sent().length, { interval: 5 }).toBeGreaterThan(1);
    expect(sent()).toEqual(['evalsha', 'zrem']);
  }
  send.mockRestore();
});

/** From now on the plan lets three requests in, and another one in an hour. */
function slowDown(plan: 'pro'): void {
  const rate = { kind: 'bucket', perSecond: 1 / 3600, burst: 3 } as const;
  for (const { app } of services) {
    const policies = app.get<Record<string, KeyPolicies[string]>>(KEY_POLICIES);
    const before = policies[plan]!;
    policies[plan] = { ...before, rate };
    onTestFinished(() => void (policies[plan] = before));
  }
}

it('a key is revoked while another one of its account has used up the rate, ten times at once by each key, and nothing else is let in', async () => {
  slowDown('pro');
  const { liveKey: thief } = await createFullAccount(database, { plan: 'pro' });
  const keys = (key: string, path = '', method = 'GET', body?: object) =>
    call(services[0]!, `/api/v1/keys${path}`, { key, method, ...(body && { body }) });
  const [owner, other] = [await keys(thief, '', 'POST', {}), await keys(thief, '', 'POST', {})].map(({ body }) => body);
  const { body: listed } = await keys(thief);
  const leaked = listed.keys.find(({ last_four: end }: { last_four: string }) => thief.endsWith(end));
  expect((await keys(thief)).body.code).toBe('rate_limited');
  const unknown = () => keys(thief, '/00000000-0000-4000-8000-000000000000', 'DELETE');
  const flood = (await Promise.all(Array.from({ length: 30 }, unknown))).map(({ status }) => status);
  expect(count(flood, 404)).toBeGreaterThanOrEqual(10);
  expect(count(flood, 429)).toBeGreaterThanOrEqual(10);
  expect((await keys(owner.api_key, `/${other.id}`, 'PATCH', { name: 'x' })).body.code).toBe('rate_limited');
  const revoked = await keys(owner.api_key, `/${leaked.id}`, 'DELETE');
  expect([revoked.status, revoked.headers.get('x-ratelimit-remaining')]).toEqual([204, '0']);
  expect((await keys(thief)).body.code).toBe('key_revoked');
});
