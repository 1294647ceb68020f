import { describe, expect, it } from 'vitest';
import { daysAhead, endOfDay, FOREVER, isForever, tomorrow } from './mute-times.js';

describe('how long something is muted', () => {
  it('how long something is muted is until somebody ends it, or until a time that comes', () => {
    expect(isForever(FOREVER)).toBe(true);
    expect(isForever(daysAhead(365))).toBe(false);
    expect(Date.parse(daysAhead(1))).toBeGreaterThan(Date.now());
  });

  it.each([
    ['2026-11-30', [2026, 11, 1]],
    ['2026-12-31', [2027, 0, 1]],
    ['2028-02-28', [2028, 1, 29]],
  ] as const)('how long something is muted is until %s is over where the reader is', (day, [year, month, date]) => {
    expect(endOfDay(day)).toBe(new Date(year, month, date).toISOString());
  });

  it('how long something is muted is until tomorrow at the least, where a day is named', () => {
    expect(tomorrow()).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(Date.parse(endOfDay(tomorrow()))).toBeGreaterThan(Date.now());
  });
});
