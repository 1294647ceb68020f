import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadPolicies, policyNamed } from '../../src/platform/config/policies.js';
import { ADMIT_SCRIPT } from '../../src/platform/redis/admit-script.js';
import { createRedis, type RedisClient } from '../../src/platform/redis/redis.js';
import { testRedis } from '../support/redis.js';

/* The limits' own script, word for word, but for its clock: the last two arguments are seconds and microseconds. */
const CLOCK = "redis.call('TIME')";
const SCRIPT = ADMIT_SCRIPT.replace(CLOCK, '{ ARGV[#ARGV - 1], ARGV[#ARGV] }');

const SECOND = 1_000_000;
const START = Date.parse('2026-11-21T10:00:00.000Z') * 1000;
/** Sent at once, so that a simulated minute takes a second or two. */
const SENT_TOGETHER = 500;

const { keyPolicies } = loadPolicies({ retentionDays: 30 });
let redis: RedisClient;

beforeAll(async () => {
  redis = createRedis((await testRedis()).url);
});

afterAll(() => redis.disconnect());

/** The times, in microseconds, of those requests that a bucket admits. */
async function admitted(key: string, { perSecond, burst }: Bucket, times: readonly number[]): Promise<number[]> {
  const passed: number[] = [];
  for (let i = 0; i < times.length; i += SENT_TOGETHER) {
    const sent = times.slice(i, i + SENT_TOGETHER);
    const pipeline = redis.pipeline();
    for (const time of sent) {
      const clock = [Math.floor(time / SECOND), time % SECOND];
      pipeline.eval(SCRIPT, 1, key, 'id', 1, 'bucket', burst, Math.ceil(SECOND / perSecond), ...clock);
    }
    const replies = (await pipeline.exec()) as [Error | null, number[]][];
    for (const [j, [error, reply]] of replies.entries()) {
      expect(error).toBeNull();
      if (reply[0] === 0) passed.push(sent[j]!);
    }
  }
  return passed;
}

interface Bucket {
  readonly perSecond: number;
  readonly burst: number;
}

/** The most that were admitted within any span of this length. */
function maxWithin(times: readonly number[], span: number): number {
  let most = 0;
  for (let first = 0, last = 0; last < times.length; last++) {
    while (times[last]! - times[first]! >= span) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

it('the clock is the only replaced part', () => {
  expect(ADMIT_SCRIPT.split(CLOCK)).toHaveLength(2);
});

describe.each([
  ['free', 60],
  ['pro', 15],
  ['scale', 15],
] as const)('the plan %s, asked for three times its rate for %i s', (plan, seconds) => {
  const rate = policyNamed(keyPolicies, plan).rate as Bucket;

  it('a plan that is asked for three times its rate admits its rate and its burst, within 1%, and never more in any span', async () => {
    const { perSecond, burst } = rate;
    const interval = SECOND / (3 * perSecond);
    // Unevenly, as callers are: each a fraction of its interval late, by a fixed sequence.
    const times = Array.from({ length: 3 * perSecond * seconds }, (_, i) =>
      Math.floor(START + (i + ((i * 0.618) % 1)) * interval),
    );
    const passed = await admitted(`even:${plan}`, rate, times);
    const allowed = perSecond * seconds + burst;
    expect(passed.length).toBeLessThanOrEqual(allowed);
    expect(passed.length).toBeGreaterThanOrEqual(Math.floor(allowed * 0.99));
    for (const span of [0.1, 1, 2.5, 10, seconds])
      expect(maxWithin(passed, span * SECOND), `${span} s`).toBeLessThanOrEqual(perSecond * span + burst);
  });
});

describe('a bucket', () => {
  const FREE = keyPolicies.free.rate as Bucket;
  const at = (seconds: number, count: number) => Array<number>(count).fill(START + seconds * SECOND);

  it('a bucket admits its burst at one instant, and then one for each interval, to the microsecond', async () => {
    const times = [...at(0, 25), START + 99_999, START + 100_000, START + 100_001, START + 199_999, START + 200_000];
    const passed = await admitted('instant', FREE, times);
    expect(passed).toEqual([...at(0, 20), START + 100_000, START + 200_000]);
  });

  it('a bucket is full again after its burst’s time, and no fuller after an hour', async () => {
    expect(await admitted('full', FREE, [...at(0, 21), ...at(2, 21), ...at(3602, 30)])).toHaveLength(60);
  });

  it('a bucket keeps what a caller leaves unused below the rate, up to the burst', async () => {
    const slow = Array.from({ length: 50 }, (_, i) => START + i * 200_000);
    expect(await admitted('slow', FREE, [...slow, ...at(10, 30)])).toHaveLength(50 + 20);
  });
});
