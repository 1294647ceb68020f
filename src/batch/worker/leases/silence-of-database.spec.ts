import { describe, expect, it } from 'vitest';
import { SilenceOfDatabase } from './silence-of-database.js';

/** The wall clock stands this far from the monotonic one. */
const DAY = 86_400_000;

/** Answered each two seconds until 20 s. */
function answeredUntil20s(): SilenceOfDatabase {
  const silence = new SilenceOfDatabase(0, DAY);
  for (let now = 2_000; now <= 20_000; now += 2_000) silence.answered(now, DAY + now);
  return silence;
}

describe('leases of others', () => {
  it('are over at their time while PostgreSQL answers', () => {
    const silence = answeredUntil20s();
    expect(silence.expiredBy(23_000, DAY + 23_000)).toBe(DAY + 23_000);
    expect(silence.isRecent(23_000)).toBe(false);
  });

  it('do not end while it is silent, nor before all workers have had the time to renew them', () => {
    const silence = answeredUntil20s();
    expect(silence.expiredBy(40_000, DAY + 40_000)).toBe(DAY + 20_000);
    expect(silence.isRecent(40_000)).toBe(true);
    silence.answered(41_000, DAY + 41_000);
    silence.answered(43_000, DAY + 43_000);
    expect(silence.expiredBy(45_900, DAY + 45_900)).toBe(DAY + 20_000);
    silence.answered(45_000, DAY + 45_000);
    expect(silence.expiredBy(46_100, DAY + 46_100)).toBe(DAY + 46_100);
    expect(silence.isRecent(46_100)).toBe(false);
  });

  it('end at their time when only the time of day has jumped', () => {
    const silence = answeredUntil20s();
    expect(silence.expiredBy(21_000, 2 * DAY)).toBe(2 * DAY);
    expect(silence.expiredBy(21_000, DAY / 2)).toBe(DAY / 2);
  });
});
