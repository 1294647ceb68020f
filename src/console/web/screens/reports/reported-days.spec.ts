import { describe, expect, it } from 'vitest';
import { reportedDays } from './reported-days.js';

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
