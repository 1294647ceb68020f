import { describe, expect, it } from 'vitest';
import { utcDay } from './utc-day.js';

describe('a UTC day', () => {
  it.each([
    ['2026-11-21T00:00:00.000Z', '2026-11-21', 86_400],
    ['2026-11-21T12:00:00.500Z', '2026-11-21', 43_200],
    ['2026-11-21T23:59:59.999Z', '2026-11-21', 1],
    ['2028-02-28T23:59:59.000Z', '2028-02-28', 1],
  ])('a UTC day at %s is %s and lasts %i seconds more', (now, date, secondsLeft) => {
    expect(utcDay(Date.parse(now))).toMatchObject({ date, secondsLeft });
  });

  it('a UTC day ends where the next one begins', () => {
    const { endsAt } = utcDay(Date.parse('2028-02-28T23:59:59.000Z'));
    expect(endsAt.toISOString()).toBe('2028-02-29T00:00:00.000Z');
    expect(utcDay(endsAt.getTime()).date).toBe('2028-02-29');
  });
});
