import { describe, expect, it } from 'vitest';

import { ManualClock } from '../../../../test/support/manual-clock.js';
import { HOUR_MS } from '../../../lib/durations.js';
import { TransientRefusals } from './refusals.js';

describe('a transient "no such user" refusal', () => {
  it('a transient "no such user" refusal counts as repeated only when an hour or more lies between the first one and the last', () => {
    const clock = new ManualClock();
    const refusals = new TransientRefusals(clock);
    const repeated = [0, HOUR_MS / 2, HOUR_MS / 2 - 1, 1, HOUR_MS].map((ms) => {
      clock.advance(ms);
      return refusals.recordAndCheck('nobody@example.com');
    });
    expect(repeated).toEqual([false, false, false, true, true]);
    expect(refusals.recordAndCheck('somebody@example.com')).toBe(false);
  });

  it('a transient "no such user" refusal is forgotten after a day', () => {
    const clock = new ManualClock();
    const refusals = new TransientRefusals(clock);
    refusals.recordAndCheck('nobody@example.com');
    clock.advance(24 * HOUR_MS);
    expect(refusals.recordAndCheck('nobody@example.com')).toBe(false);
    clock.advance(HOUR_MS);
    expect(refusals.recordAndCheck('nobody@example.com')).toBe(true);
  });
});
