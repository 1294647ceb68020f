import { describe, expect, it } from 'vitest';
import { lastingOf } from './lasting.js';

const used = (...days: readonly (readonly [day: string, credits: number])[]) => ({
  to: '2026-11-30',
  usage: days.map(([value, credits]) => ({ value, credits })),
  total: { credits: days.reduce((sum, [, credits]) => sum + credits, 0) },
});

describe('a balance', () => {
  it('a balance lasts as many days as the pace since the first use leaves, and names both figures', () => {
    const usage = used(['2026-11-01', 0], ['2026-11-21', 40], ['2026-11-29', 60]);
    expect(lastingOf(205, usage)).toBe(
      '100 credits used in the last 10 days. At that pace the balance lasts about 20 days.',
    );
  });

  it('a balance of which nothing was used is not said to last for any time', () => {
    expect(lastingOf(1000, used())).toBe('No credits were used in the last 30 days.');
    expect(lastingOf(1000, used(['2026-11-30', 0]))).toBe('No credits were used in the last 30 days.');
  });

  it('a balance that was used for less than a week is not said to last for any time', () => {
    const text = 'not enough days yet to estimate how long the balance lasts.';
    expect(lastingOf(1000, used(['2026-11-30', 1]))).toBe(`1 credit used today: ${text}`);
    expect(lastingOf(1000, used(['2026-11-25', 30]))).toBe(`30 credits used in the last 6 days: ${text}`);
    expect(lastingOf(1000, used(['2026-11-24', 30]))).toContain('At that pace');
  });

  it('a balance that is nearly used up, or hardly used, is not given a number of days', () => {
    expect(lastingOf(0, used(['2026-11-01', 30]))).toContain('lasts less than a day.');
    expect(lastingOf(365, used(['2026-11-01', 30]))).toContain('lasts about 365 days.');
    expect(lastingOf(366, used(['2026-11-01', 30]))).toContain('lasts more than a year.');
  });
});
