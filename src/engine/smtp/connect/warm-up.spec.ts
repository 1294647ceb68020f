import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.js';
import { DAY_MS } from '../../../lib/durations.js';
import { MemoryWarmUp, recipientsOfDay, untilNextDay } from './warm-up.js';

const TABLE = { firstDay: 50, growth: 1.5, most: 10_000 };
const SINCE = Date.UTC(2026, 10, 1);

describe('warming up', () => {
  it('warming up lets a source name more recipients each day, until it may name as many as it likes', () => {
    const days = Array.from({ length: 16 }, (_, day) => recipientsOfDay(TABLE, SINCE, SINCE + day * DAY_MS));
    expect(days.slice(0, 5)).toEqual([50, 75, 112, 168, 253]);
    expect(days.slice(13)).toEqual([9_730, null, null]);
  });

  it('warming up is over for a source that says nothing of its age, and asks nobody before it begins', () => {
    expect(recipientsOfDay(TABLE, null, SINCE)).toBeNull();
    expect(recipientsOfDay(TABLE, SINCE, SINCE - 1)).toBe(0);
  });

  it('warming up counts by operator and source, takes back what was not named, and begins anew each UTC day', async () => {
    const clock = new ManualClock();
    const warmUp = new MemoryWarmUp(clock);
    expect(await warmUp.take('google', 'a', 50, 30)).toBe(30);
    expect(await warmUp.take('google', 'a', 50, 30)).toBe(20);
    expect(await warmUp.take('google', 'a', 50, 30)).toBe(0);
    expect(await warmUp.take('google', 'b', 50, 30)).toBe(30);
    expect(await warmUp.take('gmx', 'a', 50, 30)).toBe(30);
    warmUp.giveBack('google', 'a', 5);
    expect(await warmUp.take('google', 'a', 50, 30)).toBe(5);
    clock.advance(untilNextDay(clock.now()));
    expect(await warmUp.take('google', 'a', 75, 100)).toBe(75);
  });
});
