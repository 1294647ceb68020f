import { describe, expect, it } from 'vitest';

import { ManualClock } from '../../../test/support/manual-clock.js';
import { CircuitBreaker } from './breaker.js';

const QUARTER_MS = 15 * 60_000;

function opened() {
  const clock = new ManualClock();
  const breaker = new CircuitBreaker(clock);
  for (let refusal = 0; refusal < 3; refusal += 1) breaker.refused('operator', '192.0.2.1');
  return { clock, breaker };
}

describe('a circuit', () => {
  it('opens at the third refusal in a row, for a quarter of an hour', () => {
    const breaker = new CircuitBreaker(new ManualClock());
    breaker.refused('operator', '192.0.2.1');
    breaker.refused('operator', '192.0.2.1');
    expect(breaker.pauseMs('operator', '192.0.2.1')).toBe(0);
    breaker.refused('operator', '192.0.2.1');
    expect(breaker.pauseMs('operator', '192.0.2.1')).toBe(QUARTER_MS);
    expect(breaker.enter('operator', '192.0.2.1', {})).toBe(QUARTER_MS);
  });

  it('starts anew when the operator speaks of a mailbox in between', () => {
    const breaker = new CircuitBreaker(new ManualClock());
    for (let round = 0; round < 5; round += 1) {
      breaker.refused('operator', '192.0.2.1');
      breaker.refused('operator', '192.0.2.1');
      breaker.answered('operator', '192.0.2.1');
    }
    expect(breaker.pauseMs('operator', '192.0.2.1')).toBe(0);
  });

  it('is one for each operator and source address', () => {
    const { breaker } = opened();
    expect(breaker.pauseMs('another', '192.0.2.1')).toBe(0);
    expect(breaker.pauseMs('operator', '192.0.2.2')).toBe(0);
  });

  it('gives leave to try to one after the pause, at all hosts it goes to, and to another a minute later', () => {
    const { clock, breaker } = opened();
    const [first, second] = [{}, {}];
    clock.advance(QUARTER_MS);
    expect(breaker.enter('operator', '192.0.2.1', first)).toBe(0);
    expect(breaker.enter('operator', '192.0.2.1', first)).toBe(0);
    expect(breaker.enter('operator', '192.0.2.1', second)).toBe(60_000);
    expect(breaker.pauseMs('operator', '192.0.2.1')).toBe(0);
    clock.advance(60_000);
    expect(breaker.enter('operator', '192.0.2.1', second)).toBe(0);
  });

  it('closes when the one that tried is answered', () => {
    const { clock, breaker } = opened();
    clock.advance(QUARTER_MS);
    breaker.enter('operator', '192.0.2.1', {});
    breaker.answered('operator', '192.0.2.1');
    expect(breaker.enter('operator', '192.0.2.1', {})).toBe(0);
    expect(breaker.enter('operator', '192.0.2.1', {})).toBe(0);
  });

  it('doubles its pause with each refused trial, up to four hours', () => {
    const { clock, breaker } = opened();
    const pauses = [2, 4, 8, 16, 16].map((quarters) => {
      clock.advance(breaker.pauseMs('operator', '192.0.2.1'));
      breaker.enter('operator', '192.0.2.1', {});
      breaker.refused('operator', '192.0.2.1');
      return breaker.pauseMs('operator', '192.0.2.1') / QUARTER_MS === quarters;
    });
    expect(pauses).toEqual([true, true, true, true, true]);
  });

  it('does not grow by refusals that were on their way when it opened', () => {
    const { breaker } = opened();
    for (let refusal = 0; refusal < 20; refusal += 1) breaker.refused('operator', '192.0.2.1');
    expect(breaker.pauseMs('operator', '192.0.2.1')).toBe(QUARTER_MS);
  });
});
