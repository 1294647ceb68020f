import { describe, expect, it } from 'vitest';
import { daysAhead, endOfDay, FOREVER, isForever, reportedDays, tomorrow } from './days.js';

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

const report = (day: string, messages: number, passed: number) => ({
  begins_at: `${day}T00:00:00.000Z`,
  messages,
  passed,
});

describe('messages by day', () => {
  it('messages by day are none without a report', () => {
    expect(reportedDays([])).toEqual([]);
  });

  it('messages by day are summed over the reports of a day, and a day between without one has none', () => {
    const days = reportedDays([report('2026-11-03', 5, 5), report('2026-11-01', 10, 7), report('2026-11-01', 2, 2)]);
    expect(days).toEqual([
      { day: '2026-11-01', passed: 9, failed: 3 },
      { day: '2026-11-02', passed: 0, failed: 0 },
      { day: '2026-11-03', passed: 5, failed: 0 },
    ]);
  });

  it('messages by day are those of the newest 400 days, whatever day a reporter writes', () => {
    const days = reportedDays([report('2026-11-03', 1, 1), report('1970-01-01', 1, 1)]);
    expect(days).toHaveLength(400);
    expect(days.at(-1)).toEqual({ day: '2026-11-03', passed: 1, failed: 0 });
  });
});
