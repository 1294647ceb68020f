import { expect, it } from 'vitest';
import { isoTime } from './full.presenter.js';

it('times are written as Date writes them, in every order of calls', () => {
  const start = Date.parse('2026-11-21T23:59:58.000Z');
  const times = [0, 1, 999, 1_000, -1, -1_000, start, ...Array.from({ length: 5_000 }, (_, i) => start + i * 617)];
  for (const ms of [...times, ...times]) expect(isoTime(ms)).toBe(new Date(ms).toISOString());
});
