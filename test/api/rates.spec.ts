import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Engine } from '../../src/engine/verification/engine.js';
import { REDIS } from '../../src/platform/redis/redis.js';
import { ENGINE } from '../../src/verify/engine.provider.js';
import { call, register } from '../support/call.js';
import { held } from '../support/held.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startService({ env: { registrationsPerHour: 100 } });
});

beforeEach(async () => {
  key = await register(service);
});

afterAll(() => service.close());

const credits = () => call(service, '/api/v1/credits', { key });
const verify = (email: unknown, signal?: AbortSignal) =>
  call(service, '/api/v1/verify', { key, body: { email }, ...(signal && { signal }) });
/** One whose work has begun, and goes on until the test ends it. */
async function verifySlowly(signal?: AbortSignal) {
  const [begun, end] = [held<void>(), held<void>()];
  const engine = service.app.get<Engine>(ENGINE);
  const work = engine.verify.bind(engine);
  vi.spyOn(engine, 'verify').mockImplementationOnce(async (...given) => {
    begun.resolve();
    await end.promise;
    return work(...given);
  });
  const reply = verify('no address', signal);
  // Who hangs up is waited for, too.
  reply.catch(() => undefined);
  await begun.promise;
  return { reply, end: () => end.resolve() };
}
const rateOf = ({ headers }: { headers: Headers }) =>
  Object.fromEntries([...headers].filter(([name]) => name.includes('ratelimit')));

describe('the rate of an agent key', () => {
  it('the rate of an agent key is 10 in a minute over all routes, shown on every reply', async () => {
    for (let remaining = 9; remaining >= 0; remaining--) {
      const reply = remaining % 2 ? await credits() : await verify('no address');
      expect(reply.status).toBe(200);
      const reset = Number(reply.headers.get('x-ratelimit-reset'));
      expect(reset).toBeGreaterThan(50);
      expect(reset).toBeLessThanOrEqual(60);
      expect(rateOf(reply)).toEqual({
        ratelimit: `"requests";r=${remaining};t=${reset}`,
        'ratelimit-policy': '"requests";q=10;w=60, "in-flight";q=1;qu="concurrent-requests"',
        'x-ratelimit-limit': '10',
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': String(reset),
      });
    }
    const eleventh = await verify('no address');
    expect(eleventh.status).toBe(429);
    expect(eleventh.body).toMatchObject({ success: false, code: 'rate_limited' });
    const wait = Number(eleventh.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(50);
    expect(wait).toBeLessThanOrEqual(60);
    expect(eleventh.headers.get('x-ratelimit-remaining')).toBe('0');
    expect((await credits()).status).toBe(429);
  });

  it('the rate of an agent key is one key’s own', async () => {
    for (let i = 0; i < 10; i++) await credits();
    expect((await credits()).status).toBe(429);
    key = await register(service);
    expect((await credits()).status).toBe(200);
  });

  it('the rate of an agent key is used by wrong input too, and shown there', async () => {
    const reply = await verify(7);
    expect(reply.status).toBe(422);
    expect(reply.headers.get('x-ratelimit-remaining')).toBe('9');
  });

  it('the rate of an agent key is used by paths that are not there and by other methods too, and shown there', async () => {
    const [nowhere, otherwise] = [
      () => call(service, '/api/v1/nothing', { key }),
      () => call(service, '/api/v1/credits', { key, method: 'PUT' }),
    ];
    for (let remaining = 9; remaining >= 0; remaining--) {
      const reply = await (remaining % 2 ? nowhere() : otherwise());
      expect([reply.status, reply.headers.get('x-ratelimit-remaining')]).toEqual([
        remaining % 2 ? 404 : 405,
        `${remaining}`,
      ]);
      expect(reply.headers.get('ratelimit')).toMatch(`"requests";r=${remaining};t=`);
    }
    for (const reply of [await nowhere(), await otherwise()])
      expect([reply.status, reply.body.code]).toEqual([429, 'rate_limited']);
    expect((await credits()).status).toBe(429);
  });

  it('the rate of an agent key is exact when many come at once', async () => {
    const statuses = (await Promise.all(Array.from({ length: 50 }, credits))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(10);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });
});

describe('a request in flight', () => {
  it('a request in flight refuses a second one with its key until it has ended', async () => {
    const { reply: first, end } = await verifySlowly();
    const second = await credits();
    expect(second.status).toBe(429);
    expect(second.body).toMatchObject({ success: false, code: 'request_in_flight' });
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    // Refused for its permit, so it has not used the rate.
    expect(second.headers.get('x-ratelimit-remaining')).toBe('9');
    end();
    expect((await first).status).toBe(200);
    expect((await credits()).status).toBe(200);
  });

  it('a request in flight does not hinder another key', async () => {
    const { reply: first, end } = await verifySlowly();
    const other = await register(service);
    expect((await call(service, '/api/v1/credits', { key: other })).status).toBe(200);
    end();
    await first;
  });

  it('a request in flight gives its permit back whatever it ended with, before its reply arrives', async () => {
    expect((await verify(7)).status).toBe(422);
    expect((await call(service, '/api/v1/verify', { key, method: 'POST', body: undefined })).status).toBe(422);
    for (let i = 0; i < 8; i++) expect((await credits()).status).toBe(200);
  });

  it('a request in flight keeps its permit when its caller hangs up, until the work has ended', async () => {
    const caller = new AbortController();
    const { reply: first, end } = await verifySlowly(caller.signal);
    caller.abort();
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
    expect((await credits()).body.code).toBe('request_in_flight');
    end();
    await vi.waitFor(async () => {
      const { status, body } = await credits();
      expect(status).toBe(200);
      expect(body.data.used_today).toBe(1);
    });
  });
});

it('a request is 503 with Retry-After when Redis is away, never unlimited', async () => {
  service.app.get<Redis>(REDIS).disconnect();
  for (const reply of [await credits(), await call(service, '/agent-gateway/register', { method: 'POST' })]) {
    expect(reply.status).toBe(503);
    expect(reply.body).toMatchObject({ success: false, code: 'unavailable' });
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  }
});
