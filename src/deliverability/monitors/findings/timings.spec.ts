import { describe, expect, it } from 'vitest';
import { nextRunTimes } from './timings.js';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const MINUTE = 60_000;
const IDS = Array.from({ length: 500 }, (_, n) => 1_000_000 + n * 7_919);

/** Minutes until each of the times at which a monitor may run next. */
const minutes = (id: number, runs: number, now = NOW) =>
  nextRunTimes({ id, intervalMinutes: 60, simulated: false, runs }, now).map((at) => (at.getTime() - now) / MINUTE);

describe('the next run of a monitor', () => {
  it('the next run of a monitor is after its first one at most an interval away', () => {
    const all = IDS.flatMap((id) => minutes(id, 1));
    expect(Math.max(...all)).toBeLessThanOrEqual(60);
    expect(Math.min(...all)).toBeGreaterThan(0);
  });

  it('the next run of a monitor comes an interval after the last, a tenth of it sooner or later, when it ran at its time', () => {
    for (const id of IDS.slice(0, 100)) {
      const [first = 0] = nextRunTimes({ id, intervalMinutes: 60, simulated: false, runs: 1 }, NOW);
      const now = Number(first) + MINUTE / 6;
      const [second = 0] = nextRunTimes({ id, intervalMinutes: 60, simulated: false, runs: 2 }, now);
      for (const next of minutes(id, 3, Number(second) + MINUTE / 6)) {
        expect(next).toBeGreaterThan(53);
        expect(next).toBeLessThan(67);
      }
    }
  });
});
