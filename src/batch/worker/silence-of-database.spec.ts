import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../lib/durations.js';
import { SilenceOfDatabase } from './chunk-leases.js';

/** Answered each two seconds until 20 s; the wall clock stands a day from the monotonic one. */
function answeredUntil20s(): SilenceOfDatabase {
  const silence = new SilenceOfDatabase(0, DAY_MS);
  for (let now = 2_000; now <= 20_000; now += 2_000) silence.answered(now, DAY_MS + now);
  return silence;
}

describe('leases of others', () => {
  it('leases of others are over at their time while PostgreSQL answers', () => {
    const silence = answeredUntil20s();
    expect(silence.expiredBy(23_000, DAY_MS + 23_000)).toBe(DAY_MS + 23_000);
    expect(silence.isRecent(23_000)).toBe(false);
  });

  it('leases of others do not end while it is silent, nor before all workers have had the time to renew them', () => {
    const silence = answeredUntil20s();
    expect(silence.expiredBy(40_000, DAY_MS + 40_000)).toBe(DAY_MS + 20_000);
    expect(silence.isRecent(40_000)).toBe(true);
    silence.answered(41_000, DAY_MS + 41_000);
    silence.answered(43_000, DAY_MS + 43_000);
    expect(silence.expiredBy(45_900, DAY_MS + 45_900)).toBe(DAY_MS + 20_000);
    silence.answered(45_000, DAY_MS + 45_000);
    expect(silence.expiredBy(46_100, DAY_MS + 46_100)).toBe(DAY_MS + 46_100);
    expect(silence.isRecent(46_100)).toBe(false);
  });

  it('leases of others end at their time when only the time of day has jumped', () => {
    const silence = answeredUntil20s();
    expect(silence.expiredBy(21_000, 2 * DAY_MS)).toBe(2 * DAY_MS);
    expect(silence.expiredBy(21_000, DAY_MS / 2)).toBe(DAY_MS / 2);
  });
});
