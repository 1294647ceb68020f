import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Limit, Limiter } from '../../src/platform/redis/limits.js';
import { RateLimiter } from '../../src/platform/redis/rate-limiter.js';
import { createRedis, type RedisClient } from '../../src/platform/redis/redis.js';
import { NO_TIMER } from '../support/manual-clock.js';
import { MemoryLimiter } from '../support/memory-limiter.js';
import { testRedis } from '../support/redis.js';

let redis: RedisClient;

beforeAll(async () => {
  redis = createRedis((await testRedis()).url);
});

afterAll(() => redis.disconnect());

const counters: [name: string, make: () => Limiter][] = [
  ['that counts in Redis', () => new RateLimiter(redis, NO_TIMER)],
  ['that counts in memory', () => new MemoryLimiter(() => performance.now())],
];

describe.each(counters)('a limiter %s', (name, make) => {
  const key = `{${name}}`;
  // Nothing comes back while the test runs.
  const window: Limit = { kind: 'window', key: `${key}w`, requests: 3, windowMs: 3_600_000 };
  const bucket: Limit = { kind: 'bucket', key: `${key}b`, perSecond: 0.001, burst: 2 };
  const permits: Limit = { kind: 'permits', key: `${key}p`, permits: 1 };

  it(`a limiter ${name} admits what a window, a bucket and permits have room for, names the first that has none, and then uses none`, async () => {
    const limiter = make();
    const first = await limiter.admit([window, bucket, permits]);
    expect(first).toMatchObject({ refusedBy: null, waitMs: 0 });
    expect(first.states.map(({ remaining }) => remaining)).toEqual([2, 1, 0]);
    expect(await limiter.admit([window, bucket, permits])).toMatchObject({ refusedBy: permits });
    await limiter.release(first);
    const second = await limiter.admit([window, bucket, permits]);
    expect(second.states.map(({ remaining }) => remaining)).toEqual([1, 0, 0]);
    await limiter.release(second);
    const refused = await limiter.admit([window, bucket, permits]);
    expect(refused).toMatchObject({ refusedBy: bucket });
    expect(refused.waitMs).toBeGreaterThan(900_000);
    expect(refused.waitMs).toBeLessThanOrEqual(1_000_000);
    expect((await limiter.admit([window])).states).toMatchObject([{ remaining: 0 }]);
    const last = await limiter.admit([window]);
    expect(last.refusedBy).toEqual(window);
    expect(last.waitMs).toBeGreaterThan(3_500_000);
    expect(last.waitMs).toBeLessThanOrEqual(3_600_000);
  });
});
