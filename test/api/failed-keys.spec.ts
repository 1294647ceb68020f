import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Redis } from 'ioredis';
import { AccessService, FailedKeysService } from '../../src/keys/access/access.service.js';
import { KeyLookupStore } from '../../src/keys/access/caller-keys.js';
import { generateToken } from '../../src/keys/access/token.js';
import { RateLimiter } from '../../src/platform/redis/rate-limiter.js';
import { REDIS } from '../../src/platform/redis/redis.js';
import { createFullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call, type Reply } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { callTool } from '../support/mcp.js';
import { testRedis } from '../support/redis.js';
import { startService, type TestService } from '../support/service.js';

const MOST = 6;
/** Documentation addresses, as a trusted proxy tells them. */
const [ATTACKER, NEIGHBOUR] = ['192.0.2.1', '192.0.2.2'];

let database: TestDatabase;
let services: [TestService, TestService];

beforeAll(async () => {
  database = await createTestDatabase();
  const { url: redisUrl } = await testRedis();
  const start = () =>
    startService({ database, env: { redisUrl, failedKeysPerMinute: MOST, trustedProxies: ['127.0.0.1'] } });
  services = [await start(), await start()];
});

afterAll(async () => {
  for (const service of services) await service.close();
  await database.drop();
});

beforeEach(async () => {
  await services[0].app.get<Redis>(REDIS).flushdb();
  for (const { app } of services) app.get(FailedKeysService)['suspects'].clear();
});

const credits = (key: string | undefined, from: string, service: TestService = services[0]) =>
  call(service, '/api/v1/credits', { ...(key !== undefined && { key }), headers: { 'x-forwarded-for': from } });
const unknown = (from: string, service?: TestService) => credits(generateToken('live'), from, service);
const codeOf = ({ status, body }: Reply) => [status, body.code];

async function exhaust(from: string): Promise<void> {
  for (let i = 0; i < MOST; i++) expect(codeOf(await unknown(from, services[i % 2]))).toEqual([401, 'key_unknown']);
  for (const service of services) expect((await unknown(from, service)).status).toBe(429);
}

/** A key that no process has read yet. */
async function newKey(): Promise<string> {
  return (await createFullAccount(database)).liveKey;
}

describe('keys that are no good', () => {
  it('keys that are no good are answered 401 as often as one network may in a minute over all processes, then 429 with the time to wait', async () => {
    await exhaust(ATTACKER);
    const refused = await unknown(ATTACKER);
    expect(codeOf(refused)).toEqual([429, 'rate_limited']);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(codeOf(await unknown(NEIGHBOUR))).toEqual([401, 'key_unknown']);
  });

  it('keys that are no good are counted exactly when they come at once', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, (_, i) => unknown(ATTACKER, services[i % 2])));
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(MOST);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(40 - MOST);
  });

  it('keys that are no good are counted by the /64 of an IPv6 address', async () => {
    for (let i = 0; i < MOST; i++) await unknown(`2001:db8:1:2::${i + 1}`);
    expect((await unknown('2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await unknown('2001:db8:1:3::1')).status).toBe(401);
  });

  it('keys that are no good are counted when they were revoked or have expired, too', async () => {
    const [revoked, expired] = [await newKey(), await newKey()];
    const end = (column: string, key: string) =>
      onDatabase(
        database.url,
        `UPDATE api_keys SET ${column} = '2026-01-02T00:00:00Z' WHERE token_hash = sha256(convert_to($1, 'UTF8'))`,
        [key],
      );
    await end('revoked_at', revoked);
    await end('expires_at', expired);
    for (let i = 0; i < MOST / 2; i++) {
      expect(codeOf(await credits(revoked, ATTACKER))).toEqual([401, 'key_revoked']);
      expect(codeOf(await credits(expired, ATTACKER))).toEqual([401, 'key_expired']);
    }
    expect((await credits(revoked, ATTACKER)).status).toBe(429);
  });

  it('keys that are no good are counted over MCP too, where the tool says to come back later', async () => {
    await exhaust(ATTACKER);
    const { result } = await callTool(
      services[0],
      'verify_email',
      { email: 'a@example.com' },
      { key: generateToken('live'), headers: { 'x-forwarded-for': ATTACKER } },
    );
    expect(result).toMatchObject({ success: false, code: 'rate_limited', action: 'retry_later' });
  });

  it('keys that are no good that are mistyped or missing cost nothing and are answered as ever', async () => {
    await exhaust(ATTACKER);
    expect(codeOf(await credits(`${generateToken('live')}x`, ATTACKER))).toEqual([401, 'key_malformed']);
    expect(codeOf(await credits(undefined, ATTACKER))).toEqual([401, 'key_missing']);
  });

  it('keys that are no good are looked up together once their network is limited: one statement at a time, however many there are', async () => {
    await exhaust(ATTACKER);
    const access = services[0].app.get(AccessService);
    const findAll = vi.spyOn(services[0].app.get(KeyLookupStore), 'findAll');
    const attempts = Array.from({ length: 300 }, () =>
      access.authenticate(`Bearer ${generateToken('live')}`, ATTACKER).catch((error: Error) => error.message),
    );
    const outcomes = new Set(await Promise.all(attempts));
    const reads = findAll.mock.calls.map(([hashes]) => hashes.length);
    findAll.mockRestore();
    expect(outcomes).toEqual(new Set([expect.stringContaining('Too many')]));
    expect(reads).toEqual([1, 299]);
  });
});

describe('a valid key', () => {
  it('a valid key works from a limited network, also one that no process knows yet, and among many that are no good', async () => {
    const known = await newKey();
    await credits(known, ATTACKER);
    await exhaust(ATTACKER);
    const [replies] = await Promise.all([
      Promise.all([credits(known, ATTACKER), newKey().then((key) => credits(key, ATTACKER, services[1]))]),
      Promise.all(Array.from({ length: 30 }, () => unknown(ATTACKER))),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const agent = await call(services[0], '/agent-gateway/register', { method: 'POST' });
    expect((await credits(agent.body.api_key, ATTACKER)).status).toBe(200);
  });

  it('a valid key costs no further question to Redis and no further read, limited or not', async () => {
    const key = await newKey();
    await credits(key, NEIGHBOUR);
    await exhaust(ATTACKER);
    const admit = vi.spyOn(services[0].app.get(RateLimiter), 'admit');
    const findByHash = vi.spyOn(services[0].app.get(KeyLookupStore), 'findByHash');
    for (const from of [NEIGHBOUR, ATTACKER])
      for (let i = 0; i < 5; i++) expect((await credits(key, from)).status).toBe(200);
    const [asked, read] = [admit.mock.calls.length, findByHash.mock.calls.length];
    admit.mockRestore();
    findByHash.mockRestore();
    expect(asked).toBe(10);
    // Its row is believed for half a second.
    expect(read).toBeLessThan(10);
  });
});

it('without TRUSTED_PROXIES nobody chooses the network that his failures count for', async () => {
  const bare = await startService({ database, env: { failedKeysPerMinute: 2 } });
  const codes: number[] = [];
  for (let i = 0; i < 3; i++) codes.push((await unknown(`192.0.2.${i}`, bare)).status);
  await bare.close();
  expect(codes).toEqual([401, 401, 429]);
});
