import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/lib/durations.js';
import { RedisWarmUp } from '../../src/sending/egress/redis-warm-up.js';
import { createRedis, type RedisClient } from '../../src/platform/redis/redis.js';
import { ManualClock } from '../support/manual-clock.js';
import { testRedis } from '../support/redis.js';

let clients: RedisClient[];
beforeEach(async () => {
  const { url } = await testRedis();
  clients = [createRedis(url), createRedis(url)];
});
afterEach(() => {
  for (const client of clients) client.disconnect();
});

describe('the recipients of a new source', () => {
  it('the recipients of a new source are counted over all processes, by operator and source, and anew each UTC day', async () => {
    const clock = new ManualClock();
    const [one, other] = clients.map((client) => new RedisWarmUp(client, clock)) as [RedisWarmUp, RedisWarmUp];
    const granted = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? one : other).take('google', 'a', 50, 7)),
    );
    expect(granted.reduce((sum, count) => sum + count, 0)).toBe(50);
    expect(await other.take('google', 'a', 50, 1)).toBe(0);
    expect(await other.take('google', 'b', 50, 60)).toBe(50);
    expect(await other.take('gmx', 'a', 50, 1)).toBe(1);
    clock.advance(DAY_MS);
    expect(await one.take('google', 'a', 75, 100)).toBe(75);
  });

  it('the recipients of a new source may be given back, but never more than were taken', async () => {
    const clock = new ManualClock();
    const warmUp = new RedisWarmUp(clients[0]!, clock);
    expect(await warmUp.take('google', 'a', 50, 50)).toBe(50);
    warmUp.giveBack('google', 'a', 20);
    expect(await warmUp.take('google', 'a', 50, 50)).toBe(20);
    warmUp.giveBack('google', 'a', 500);
    expect(await warmUp.take('google', 'a', 50, 100)).toBe(50);
  });

  it('the recipients of a new source leave no counter behind for longer than two days, and all of them in one slot of a cluster', async () => {
    const warmUp = new RedisWarmUp(clients[0]!, new ManualClock());
    await warmUp.take('google', 'a', 50, 1);
    const keys = await clients[0]!.keys('*google@a*');
    expect(keys).toHaveLength(1);
    expect(keys[0]).toContain('{limiter}');
    const seconds = await clients[0]!.ttl(keys[0]!);
    expect(seconds).toBeGreaterThan(86_400);
    expect(seconds).toBeLessThanOrEqual(2 * 86_400);
  });
});
