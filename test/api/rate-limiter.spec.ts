import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Admission, Limit } from '../../src/platform/redis/limits.js';
import { RateLimiter } from '../../src/platform/redis/rate-limiter.js';
import { createRedis, type RedisClient } from '../../src/platform/redis/redis.js';
import { NO_TIMER } from '../support/manual-clock.js';
import { testRedis } from '../support/redis.js';

let redis: RedisClient;
/** Its timer is none: leases are renewed by the tests themselves. */
let limiter: RateLimiter;
/** A second process. */
let otherRedis: RedisClient;
let other: RateLimiter;

beforeEach(async () => {
  const { url } = await testRedis();
  redis = createRedis(url);
  otherRedis = createRedis(url);
  limiter = new RateLimiter(redis, NO_TIMER);
  other = new RateLimiter(otherRedis, NO_TIMER);
});

afterEach(async () => {
  await Promise.all([limiter, other].map((each) => each.onModuleDestroy()));
  for (const each of [redis, otherRedis]) each.disconnect();
});

const window = (requests: number, windowMs = 60_000, key = '{limits}w'): Limit => ({
  kind: 'window',
  key,
  requests,
  windowMs,
});
const bucket = (perSecond: number, burst: number, key = '{limits}b'): Limit => ({
  kind: 'bucket',
  key,
  perSecond,
  burst,
});
const permits = (count: number, key = '{limits}s'): Limit => ({ kind: 'permits', key, permits: count });

async function admitMany(count: number, limits: readonly Limit[]): Promise<Admission[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => (i % 2 ? limiter : other).admit(limits)));
}

const admitted = (admissions: readonly Admission[]) => admissions.filter(({ refusedBy }) => refusedBy === null);

describe('a sliding window', () => {
  it('a sliding window admits exactly its number from several processes at once', async () => {
    expect(admitted(await admitMany(200, [window(10)]))).toHaveLength(10);
  });

  it('a sliding window counts down its remainder and tells the time until the oldest request leaves', async () => {
    for (const remaining of [2, 1, 0]) {
      const { refusedBy, states } = await limiter.admit([window(3)]);
      expect(refusedBy).toBeNull();
      expect(states[0]!.remaining).toBe(remaining);
      expect(states[0]!.resetMs).toBeGreaterThan(55_000);
      expect(states[0]!.resetMs).toBeLessThanOrEqual(60_000);
    }
    const refusal = await limiter.admit([window(3)]);
    expect(refusal.refusedBy).toEqual(window(3));
    expect(refusal.states[0]).toMatchObject({ remaining: 0, resetMs: expect.any(Number) });
  });

  it('a sliding window has room again for one when the oldest is as old as the window, and only then', async () => {
    await admitMany(3, [window(3)]);
    await ageEntries('{limits}w', 59_000, 1);
    expect((await limiter.admit([window(3)])).refusedBy).not.toBeNull();
    await ageEntries('{limits}w', 1_000, 1);
    expect((await limiter.admit([window(3)])).refusedBy).toBeNull();
    expect((await limiter.admit([window(3)])).refusedBy).not.toBeNull();
  });

  it('a sliding window waits for as many to leave as a lowered limit asks', async () => {
    await admitMany(5, [window(5)]);
    await ageEntries('{limits}w', 30_000, 3);
    const { refusedBy, states } = await limiter.admit([window(2)]);
    expect(refusedBy).not.toBeNull();
    // The fourth of five has to leave; only the first three are old.
    expect(states[0]!.resetMs).toBeGreaterThan(55_000);
  });

  it('a sliding window of nothing admits nothing', async () => {
    const { refusedBy, states } = await limiter.admit([window(0, 3_600_000)]);
    expect(refusedBy).not.toBeNull();
    expect(states[0]).toEqual({ remaining: 0, resetMs: 3_600_000 });
  });

  it('a sliding window leaves nothing behind when it is over', async () => {
    await limiter.admit([window(3, 60_000)]);
    expect(await redis.pttl('{limits}w')).toBeGreaterThan(0);
  });
});

describe('a token bucket', () => {
  it('a token bucket admits its burst at once from several processes, and not one more', async () => {
    // One token in 10 s: none comes back while the test runs.
    expect(admitted(await admitMany(100, [bucket(0.1, 20)]))).toHaveLength(20);
  });

  it('a token bucket gives one token back for each interval', async () => {
    await admitMany(3, [bucket(0.1, 3)]);
    const refusal = await limiter.admit([bucket(0.1, 3)]);
    expect(refusal.states[0]!.remaining).toBe(0);
    expect(refusal.states[0]!.resetMs).toBeGreaterThan(9_000);
    expect(refusal.states[0]!.resetMs).toBeLessThanOrEqual(10_000);
    await ageBucket('{limits}b', 20_000);
    expect(admitted(await admitMany(5, [bucket(0.1, 3)]))).toHaveLength(2);
  });

  it('a token bucket never holds more than its burst, however long it rests', async () => {
    await limiter.admit([bucket(0.1, 3)]);
    await ageBucket('{limits}b', 3_600_000);
    expect(admitted(await admitMany(10, [bucket(0.1, 3)]))).toHaveLength(3);
  });

  it('a token bucket tells what remains', async () => {
    const remaining = [];
    for (let i = 0; i < 3; i++) remaining.push((await limiter.admit([bucket(0.1, 3)])).states[0]!.remaining);
    expect(remaining).toEqual([2, 1, 0]);
  });
});

describe('permits in flight', () => {
  it('permits in flight are as many as there are, over all processes, and come back when released', async () => {
    const running = admitted(await admitMany(10, [permits(2)]));
    expect(running).toHaveLength(2);
    await Promise.all(running.flatMap((one) => [limiter.release(one), other.release(one)]));
    expect(admitted(await admitMany(10, [permits(2)]))).toHaveLength(2);
  });

  it('permits in flight come back by themselves when their process is gone', async () => {
    await other.admit([permits(1)]);
    await ageEntries('{limits}s', 15_000, 1);
    expect((await limiter.admit([permits(1)])).refusedBy).toBeNull();
  });

  it('permits in flight stay taken while their request runs, however long it does', async () => {
    await limiter.admit([permits(1)]);
    await ageEntries('{limits}s', 14_000, 1);
    await limiter.renew();
    await ageEntries('{limits}s', 14_000, 1);
    expect((await other.admit([permits(1)])).refusedBy).not.toBeNull();
  });

  it('permits in flight are not taken again by a renewal that comes after the release', async () => {
    const admission = await limiter.admit([permits(1)]);
    await limiter.release(admission);
    await limiter.renew();
    expect(await redis.zcard('{limits}s')).toBe(0);
  });
});

describe('several limits', () => {
  it('several limits are all used or none, and the first that refuses is named', async () => {
    const limits = [window(3), bucket(0.1, 2), permits(9)];
    expect(admitted(await admitMany(2, limits))).toHaveLength(2);
    const refusal = await limiter.admit(limits);
    expect(refusal.refusedBy).toEqual(limits[1]);
    expect(refusal.states.map(({ remaining }) => remaining)).toEqual([1, 0, 7]);
    expect(await redis.zcard('{limits}w')).toBe(2);
    expect(await redis.zcard('{limits}s')).toBe(2);
  });
});

describe('a caller who asks often', () => {
  const caller = () => [bucket(50, 200, '{busy}b'), permits(320, '{busy}p')];
  /** Looks at callers when it is told to. */
  const looks: (() => void)[] = [];
  const timer = {
    after: (ms: number, act: () => void) => {
      if (ms === 100) looks.push(act);
      return () => undefined;
    },
  };
  const look = () => looks.splice(0).forEach((act) => act());

  it('a caller who asks often seldom asks Redis, and gives back what is kept when he has gone', async () => {
    const busy = new RateLimiter(redis, timer);
    const send = vi.spyOn(redis, 'sendCommand');
    for (let i = 0; i < 60; i++) await busy.release(await busy.admit(caller()));
    expect(send.mock.calls.length).toBeLessThan(60);
    expect(await redis.zcard('{busy}p')).toBeGreaterThan(0);
    look();
    look();
    look();
    await expect.poll(() => redis.zcard('{busy}p')).toBe(0);
    await busy.onModuleDestroy();
  });

  it('a caller who asks often gives back what is kept when the process stops', async () => {
    const busy = new RateLimiter(redis, NO_TIMER);
    for (let i = 0; i < 20; i++) await busy.release(await busy.admit(caller()));
    expect(await redis.zcard('{busy}p')).toBeGreaterThan(0);
    await busy.onModuleDestroy();
    expect(await redis.zcard('{busy}p')).toBe(0);
  });

  it('a caller who asks often is never admitted more than his rate and his permits, by all processes together', async () => {
    const startedAt = performance.now();
    const running: [RateLimiter, Admission][] = [];
    let count = 0;
    for (let round = 0; round < 12; round++) {
      const asked = Array.from({ length: 40 }, async (_, i) => {
        const one = i % 2 ? limiter : other;
        const admission = await one.admit(caller());
        if (admission.refusedBy === null) running.push([one, admission]);
        return admission.refusedBy === null;
      });
      count += (await Promise.all(asked)).filter(Boolean).length;
      expect(count).toBeLessThanOrEqual(200 + (performance.now() - startedAt) / 20);
      expect(await redis.zcard('{busy}p')).toBeGreaterThanOrEqual(running.length);
      expect(new Set(running.map(([, { id }]) => id)).size).toBe(running.length);
      await Promise.all(running.splice(0, 30).map(([one, admission]) => one.release(admission)));
    }
    expect(count).toBeGreaterThanOrEqual(200 - 2 * 16);
  });

  it('a caller who asks often keeps a permit that is kept for the next request as long as it is renewed', async () => {
    for (let i = 0; i < 20; i++) await limiter.release(await limiter.admit(caller()));
    const kept = await redis.zcard('{busy}p');
    await ageEntries('{busy}p', 14_000, kept);
    await limiter.renew();
    await ageEntries('{busy}p', 14_000, kept);
    await other.admit(caller());
    expect(await redis.zcard('{busy}p')).toBe(kept + 1);
  });

  it('a caller who asks often is admitted by no permit that Redis does not count any more', async () => {
    const few = () => [bucket(1_000, 100_000, '{busy}b'), permits(64, '{busy}p')];
    for (let i = 0; i < 20; i++) await limiter.release(await limiter.admit(few()));
    expect(await redis.zcard('{busy}p')).toBeGreaterThan(0);
    // Started anew, failed over, or not reached for as long as a lease lasts.
    await redis.del('{busy}p');
    await limiter.renew();
    let running = 0;
    for (let i = 0; i < 80; i++) if ((await other.admit(few())).refusedBy === null) running += 1;
    for (let i = 0; i < 80; i++) if ((await limiter.admit(few())).refusedBy === null) running += 1;
    expect(running).toBe(64);
  });

  it('a caller who asks often keeps no permit of a request that Redis has forgotten meanwhile', async () => {
    const few = () => [bucket(1_000, 100_000, '{busy}b'), permits(64, '{busy}p')];
    const long = [];
    for (let i = 0; i < 20; i++) long.push(await limiter.admit(few()));
    await redis.del('{busy}p');
    await limiter.renew();
    for (const one of long) await limiter.release(one);
    let running = 0;
    for (let i = 0; i < 80; i++) if ((await other.admit(few())).refusedBy === null) running += 1;
    for (let i = 0; i < 80; i++) if ((await limiter.admit(few())).refusedBy === null) running += 1;
    expect(running).toBe(64);
  });
});

it('the limiter answers a throttler of Nest', async () => {
  const ask = () => limiter.increment('k', 60_000, 2, 0, 'window');
  expect(await ask()).toMatchObject({ totalHits: 1, isBlocked: false });
  expect(await ask()).toMatchObject({ totalHits: 2, isBlocked: false });
  expect(await ask()).toMatchObject({ totalHits: 3, isBlocked: true, timeToBlockExpire: 60 });
});

it('the limiter rejects when Redis is away instead of admitting', async () => {
  redis.disconnect();
  await expect(limiter.admit([window(1)])).rejects.toThrow(/Connection is closed/);
});

/** As if the `count` oldest entries were `ms` older: Redis's clock cannot be turned. */
async function ageEntries(key: string, ms: number, count: number): Promise<void> {
  for (const member of await redis.zrange(key, 0, count - 1)) await redis.zincrby(key, -ms * 1000, member);
}

async function ageBucket(key: string, ms: number): Promise<void> {
  await redis.set(key, String(Number(await redis.get(key)) - ms * 1000), 'KEEPTTL');
}

describe('questions that come together', () => {
  it('questions that come together are one run of the script, each with its own answer', async () => {
    const send = vi.spyOn(redis, 'sendCommand');
    const alone = limiter.admit([permits(1, 'alone')]);
    const together = Array.from({ length: 20 }, (_, i) =>
      limiter.admit([window(100, 60_000, `{limits}w${i % 2}`), permits(5)]),
    );
    expect((await alone).refusedBy).toBeNull();
    const admissions = await Promise.all(together);
    expect(admitted(admissions)).toHaveLength(5);
    expect(admissions.map(({ states }) => states[0]!.remaining).slice(0, 5)).toEqual([99, 99, 98, 98, 97]);
    // Those of a client that has not sent the script before come twice: by hash, and whole.
    const runs = send.mock.calls.filter(([{ name }]) => name.startsWith('eval'));
    expect(runs.length).toBeLessThanOrEqual(4);
    await Promise.all(admissions.map((admission) => limiter.release(admission)));
    expect(admitted(await Promise.all(Array.from({ length: 6 }, () => limiter.admit([permits(5)]))))).toHaveLength(5);
  });

  it('questions that come together do not wait for an answer that is slow', async () => {
    const impatient = new RateLimiter(redis, {
      after: (_ms, act) => {
        const due = setImmediate(act);
        return () => clearImmediate(due);
      },
    });
    const send = vi.spyOn(redis, 'sendCommand').mockReturnValueOnce(new Promise(() => undefined));
    void impatient.admit([permits(2)]);
    expect((await impatient.admit([permits(2)])).refusedBy).toBeNull();
    expect(send.mock.calls.length).toBeGreaterThan(1);
    await impatient.onModuleDestroy();
  });
});
