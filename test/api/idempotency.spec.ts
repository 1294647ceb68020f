import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '../../src/lib/durations.js';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { IdempotencyService } from '../../src/idempotency/idempotency.service.js';
import { REDIS } from '../../src/platform/redis/redis.js';
import { VerifyService } from '../../src/verify/verify.service.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call, type Reply, register } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { held } from '../support/held.js';
import { startService, type TestService } from '../support/service.js';

const clock = { time: Date.now(), now: () => clock.time };

let database: TestDatabase;
let dns: DnsServer;
let services: [TestService, TestService];
let account: FullAccount;
let agentKey: string;

beforeAll(async () => {
  database = await createTestDatabase();
  dns = await startDnsServer({ zones: { 'silent.example.com': 'silent' } });
  const start = () => startService({ clock, database, env: { dnsServers: [dns.address], registrationsPerHour: 1000 } });
  services = [await start(), await start()];
});

afterAll(async () => {
  for (const service of services) await service.close();
  await dns.close();
  await database.drop();
});

beforeEach(async () => {
  for (const { app } of services) await app.get<Redis>(REDIS).flushdb();
  account = await createFullAccount(database, { credits: 10 });
  agentKey = await register(services[0]);
});

interface Asked {
  readonly idempotencyKey?: string;
  readonly key?: string;
  readonly service?: TestService;
  readonly body?: unknown;
}

/** A reply with its body as it came. */
async function verify({ service = services[0], key = account.liveKey, ...asked }: Asked = {}) {
  const { idempotencyKey = 'k', body = { email: 'jane@nowhere.invalid' } } = asked;
  const response = await fetch(`${service.url}/api/v1/verify`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const replayed = response.headers.get('idempotent-replayed');
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text), replayed };
}

const charged = async (key = account.liveKey): Promise<number> => {
  const { body } = await call(services[0], '/api/v1/credits', { key });
  return body.used_total ?? body.data.used_today;
};
const keptKeys = async (): Promise<number> => {
  const [{ kept }] = await services[0].app
    .get(DataSource)
    .query('SELECT count(*) AS kept FROM idempotency_keys WHERE expires_at > $1', [new Date(clock.time)]);
  return kept;
};
const codeOf = ({ status, body }: { status: number; body: Reply['body'] }) => [status, body.code];

describe('the same key and body', () => {
  it('the same key and body get the first reply again, byte for byte, charged once, from any process', async () => {
    const first = await verify();
    const second = await verify({ service: services[1] });
    expect(first.replayed).toBeNull();
    expect(second).toMatchObject({ status: 200, text: first.text, replayed: 'true' });
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(first.body).toMatchObject({ credits_charged: 1 });
    expect(await charged()).toBe(1);
  });

  it('the same key and body are the same when the key is quoted and the body has other spaces', async () => {
    const first = await verify({ idempotencyKey: 'order-7' });
    const second = await verify({ idempotencyKey: '"order-7"', body: '{ "email" :\n"jane@nowhere.invalid" }' });
    expect(second).toMatchObject({ text: first.text, replayed: 'true' });
  });

  it('the same key and body get the first request id in the body and their own in the header, and count against the rate', async () => {
    const first = await verify();
    const second = await verify();
    expect(second.body.request_id).toBe(first.headers.get('x-request-id'));
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(second.headers.get('x-ratelimit-limit')).toBe('400');
  });

  it('the same key and body work for agents, in their shape', async () => {
    const first = await verify({ key: agentKey });
    const second = await verify({ key: agentKey });
    expect(second).toMatchObject({ text: first.text, replayed: 'true', body: { success: true } });
    expect(await charged(agentKey)).toBe(1);
  });

  it('the same key and body are kept for 24 hours', async () => {
    const first = await verify();
    clock.time += DAY_MS - 1;
    expect((await verify()).text).toBe(first.text);
    clock.time += 1;
    const again = await verify();
    expect(again.replayed).toBeNull();
    expect(await charged()).toBe(2);
  });

  it('the same key and body are another request for another account, kind of key and route', async () => {
    const other = await createFullAccount(database, { credits: 10 });
    const replies = [
      await verify(),
      await verify({ key: other.liveKey }),
      await verify({ key: account.testKey }),
      await verify({ key: agentKey }),
    ];
    expect(replies.map(({ replayed }) => replayed)).toEqual([null, null, null, null]);
    expect([await charged(), await charged(other.liveKey)]).toEqual([1, 1]);
  });

  it('the same key and body replayed cost nothing when nothing is left', async () => {
    account = await createFullAccount(database, { credits: 1 });
    await verify();
    expect(await verify()).toMatchObject({ status: 200, replayed: 'true' });
    expect(codeOf(await verify({ idempotencyKey: 'another' }))).toEqual([402, 'credits_insufficient']);
  });
});

describe('the same key', () => {
  it('the same key with another body is 422, whether the first has ended or not', async () => {
    await verify();
    const other = { email: 'another address' };
    expect(codeOf(await verify({ body: other }))).toEqual([422, 'idempotency_key_reused']);
    const { reply, release } = await stalled({ idempotencyKey: 'running' });
    expect(codeOf(await verify({ idempotencyKey: 'running', body: other }))).toEqual([422, 'idempotency_key_reused']);
    release();
    await reply;
    expect(await charged()).toBe(2);
  });

  it('the same key of a request that still runs is 409 with Retry-After, on every process', async () => {
    const { reply, release } = await stalled({});
    for (const service of services) {
      const second = await verify({ service });
      expect(codeOf(second)).toEqual([409, 'idempotency_in_progress']);
      expect(second.headers.get('retry-after')).toBe('1');
    }
    release();
    const first = await reply;
    expect(await verify()).toMatchObject({ text: first.text, replayed: 'true' });
    expect(await charged()).toBe(1);
  });

  it('the same key on 200 requests at once does the work once: one body, the rest replays or 409', async () => {
    const replies = await Promise.all(Array.from({ length: 200 }, (_, i) => verify({ service: services[i % 2]! })));
    const done = replies.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect(done.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    const others = replies.filter(({ status }) => status !== 200);
    expect(new Set(others.map((reply) => codeOf(reply).join()))).toEqual(
      new Set(others.length > 0 ? ['409,idempotency_in_progress'] : []),
    );
    expect(await charged()).toBe(1);
    expect((await services[0].app.get(CreditsAudit).run()).differing).toEqual([]);
  });
});

describe('a reply that is not kept', () => {
  it.each([
    ['a body that is no JSON', '{', 400, 'malformed_json'],
    ['refused input', { email: 7 }, 422, 'invalid_input'],
  ])('a reply that is not kept is that of %s: after a correction the key works', async (_, body, status, code) => {
    expect(codeOf(await verify({ body }))).toEqual([status, code]);
    expect(await verify()).toMatchObject({ status: 200, replayed: null });
  });

  it('a reply that is not kept is a 402: after a grant the same request succeeds', async () => {
    account = await createFullAccount(database, { credits: 0 });
    expect((await verify()).status).toBe(402);
    await services[0].app
      .get(DataSource)
      .query('UPDATE credit_balances SET available = 1 WHERE account_id = $1', [account.accountId]);
    expect(await verify()).toMatchObject({ status: 200, replayed: null });
  });

  it('a reply that is not kept is that of a fault of ours, which costs nothing', async () => {
    const fault = vi.spyOn(services[0].app.get(VerifyService), 'verify').mockRejectedValueOnce(new Error('broken'));
    expect((await verify()).status).toBe(500);
    fault.mockRestore();
    expect(await charged()).toBe(0);
    expect(await verify()).toMatchObject({ status: 200, replayed: null });
    expect(await charged()).toBe(1);
  });

  it('a reply that is not kept is one that came before the work: a wrong key, a used up rate', async () => {
    const before = await keptKeys();
    expect((await verify({ key: 'ms_live_x' })).status).toBe(401);
    for (let i = 0; i < 10; i++) await verify({ key: agentKey, idempotencyKey: 'one' });
    expect((await verify({ key: agentKey, idempotencyKey: 'two' })).status).toBe(429);
    expect(await keptKeys()).toBe(before + 1);
  });
});

describe('a key that is not usable', () => {
  it.each(['x'.repeat(256), 'a b', '""', '"open'])('a key that is not usable is 400: %s', async (idempotencyKey) => {
    expect(codeOf(await verify({ idempotencyKey }))).toEqual([400, 'malformed_header']);
    expect(await charged()).toBe(0);
  });
});

describe('a process that stops in the middle', () => {
  it('a process that stops in the middle keeps its key for 15 seconds; then the work is done again, charged once', async () => {
    const { reply, release } = await stalled({});
    clock.time += 14_999;
    expect((await verify({ service: services[1] })).status).toBe(409);
    clock.time += 1;
    const successor = await verify({ service: services[1] });
    expect(successor).toMatchObject({ status: 200, replayed: null });
    release();
    // The first comes back to life: its reply does not count any more, and neither does its charge.
    expect(codeOf(await reply)).toEqual([409, 'idempotency_in_progress']);
    expect((await verify()).text).toBe(successor.text);
    expect(await charged()).toBe(1);
  });

  it('a process that stops in the middle holds on to the key as long as it lives', async () => {
    const { reply, release } = await stalled({});
    for (let i = 0; i < 4; i++) {
      clock.time += 10_000;
      await services[0].app.get(IdempotencyService).renew();
      expect((await verify({ service: services[1] })).status).toBe(409);
    }
    release();
    expect((await reply).status).toBe(200);
  });
});

describe('a stored reply', () => {
  it('a stored reply reveals neither key nor body, and is deleted after its time', async () => {
    const dataSource = services[0].app.get(DataSource);
    await dataSource.query('DELETE FROM idempotency_keys');
    await verify({ idempotencyKey: 'secret-key', body: { email: 'someone private' } });
    const [row] = await dataSource.query('SELECT * FROM idempotency_keys');
    const text = Object.values(row)
      .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
      .join(' ');
    expect(text).not.toMatch(/secret-key|private|invalid/);
    const deleteExpired = () => services[0].app.get(IdempotencyService).deleteExpired();
    clock.time += DAY_MS - 1;
    expect(await deleteExpired()).toBe(0);
    clock.time += 1;
    expect(await deleteExpired()).toBe(1);
  });
});

/** A verification that has begun and does not end before it is released. */
async function stalled(asked: Asked) {
  const begun = held<void>();
  const end = held<void>();
  const verifier = services[0].app.get(VerifyService);
  const original = verifier.verify.bind(verifier);
  vi.spyOn(verifier, 'verify').mockImplementationOnce(async (...args) => {
    begun.resolve();
    await end.promise;
    return original(...args);
  });
  const reply = verify({ ...asked, idempotencyKey: asked.idempotencyKey ?? 'k' });
  await begun.promise;
  return { reply, release: () => end.resolve() };
}

it('keys of different requests never meet', async () => {
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      verify({ idempotencyKey: randomUUID(), body: { email: `u${i}@nowhere.invalid` } }),
    ),
  );
  expect(new Set(replies.map(({ text }) => text)).size).toBe(10);
  expect(await charged()).toBe(10);
});
