import { describe, expect, it } from 'vitest';

import { ManualClock } from '../../../test/support/manual-clock.js';
import { SoftRefusals } from './soft-refusals.js';

const HOUR_MS = 60 * 60_000;

describe('temporary "no such user" refusals', () => {
  it('repeat themselves only when an hour or more lies between the first and the last', () => {
    const clock = new ManualClock();
    const soft = new SoftRefusals(clock);
    const notes = [0, HOUR_MS / 2, HOUR_MS / 2 - 1, 1, HOUR_MS].map((ms) => {
      clock.advance(ms);
      return soft.isRepeated('nobody@example.com');
    });
    expect(notes).toEqual([false, false, false, true, true]);
    expect(soft.isRepeated('somebody@example.com')).toBe(false);
  });

  it('are a new story after a day', () => {
    const clock = new ManualClock();
    const soft = new SoftRefusals(clock);
    soft.isRepeated('nobody@example.com');
    clock.advance(24 * HOUR_MS);
    expect(soft.isRepeated('nobody@example.com')).toBe(false);
    clock.advance(HOUR_MS);
    expect(soft.isRepeated('nobody@example.com')).toBe(true);
  });
});
