import { describe, expect, it } from 'vitest';

import { ManualClock } from '../../../../test/support/manual-clock.js';
import type { SharedBlock } from '../../ports.js';
import { CircuitBreaker } from './breaker.js';

const QUARTER_MS = 15 * 60_000;
const REFUSAL = { code: 554, enhanced: '5.7.1' } as const;

function opened() {
  const clock = new ManualClock();
  const breaker = new CircuitBreaker(clock);
  for (let refusal = 0; refusal < 3; refusal += 1) breaker.recordRefusal('operator', '192.0.2.1', REFUSAL);
  return { clock, breaker };
}

describe('a circuit', () => {
  it('a circuit opens at the third refusal in a row, for a quarter of an hour', () => {
    const breaker = new CircuitBreaker(new ManualClock());
    breaker.recordRefusal('operator', '192.0.2.1', REFUSAL);
    breaker.recordRefusal('operator', '192.0.2.1', REFUSAL);
    expect(breaker.pauseMs('operator', '192.0.2.1')).toBe(0);
    breaker.recordRefusal('operator', '192.0.2.1', REFUSAL);
    expect(breaker.pauseMs('operator', '192.0.2.1')).toBe(QUARTER_MS);
    expect(breaker.admit('operator', '192.0.2.1', {})).toBe(QUARTER_MS);
  });

  it('a circuit starts again when the operator answers about a mailbox in between', () => {
    const breaker = new CircuitBreaker(new ManualClock());
    for (let time = 0; time < 5; time += 1) {
      breaker.recordRefusal('operator', '192.0.2.1', REFUSAL);
      breaker.recordRefusal('operator', '192.0.2.1', REFUSAL);
      breaker.recordAnswer('operator', '192.0.2.1');
    }
    expect(breaker.pauseMs('operator', '192.0.2.1')).toBe(0);
  });

  it('a circuit is one for each operator and source address', () => {
    const { breaker } = opened();
    expect(breaker.pauseMs('another', '192.0.2.1')).toBe(0);
    expect(breaker.pauseMs('operator', '192.0.2.2')).toBe(0);
  });

  it('a circuit admits one attempt after the pause, at all hosts that it tries, and another a minute later', () => {
    const { clock, breaker } = opened();
    const [first, second] = [{}, {}];
    clock.advance(QUARTER_MS);
    expect(breaker.admit('operator', '192.0.2.1', first)).toBe(0);
    expect(breaker.admit('operator', '192.0.2.1', first)).toBe(0);
    expect(breaker.admit('operator', '192.0.2.1', second)).toBe(60_000);
    expect(breaker.pauseMs('operator', '192.0.2.1')).toBe(0);
    clock.advance(60_000);
    expect(breaker.admit('operator', '192.0.2.1', second)).toBe(0);
  });

  it('a circuit closes when the attempt on trial is answered', () => {
    const { clock, breaker } = opened();
    clock.advance(QUARTER_MS);
    breaker.admit('operator', '192.0.2.1', {});
    breaker.recordAnswer('operator', '192.0.2.1');
    expect(breaker.admit('operator', '192.0.2.1', {})).toBe(0);
    expect(breaker.admit('operator', '192.0.2.1', {})).toBe(0);
  });

  it('a circuit doubles its pause with each refused trial, up to four hours', () => {
    const { clock, breaker } = opened();
    const pauses = [2, 4, 8, 16, 16].map((quarters) => {
      clock.advance(breaker.pauseMs('operator', '192.0.2.1'));
      breaker.admit('operator', '192.0.2.1', {});
      breaker.recordRefusal('operator', '192.0.2.1', REFUSAL);
      return breaker.pauseMs('operator', '192.0.2.1') / QUARTER_MS === quarters;
    });
    expect(pauses).toEqual([true, true, true, true, true]);
  });

  it('a circuit does not grow by refusals that were on their way when it opened', () => {
    const { breaker } = opened();
    for (let refusal = 0; refusal < 20; refusal += 1) breaker.recordRefusal('operator', '192.0.2.1', REFUSAL);
    expect(breaker.pauseMs('operator', '192.0.2.1')).toBe(QUARTER_MS);
  });

  it('a circuit is told of while it is open or on trial, with the codes of its last refusal', () => {
    const { clock, breaker } = opened();
    breaker.recordRefusal('other', '192.0.2.1', { code: 550, enhanced: null });
    const openUntil = clock.now() + QUARTER_MS;
    const told = {
      operator: 'operator',
      source: '192.0.2.1',
      address: '',
      refusals: 3,
      openUntil,
      lastRefusal: '554 5.7.1',
    };
    expect([...breaker.openCircuits()]).toEqual([told]);
    clock.advance(QUARTER_MS);
    expect([...breaker.openCircuits()]).toEqual([told]);
    breaker.recordAnswer('operator', '192.0.2.1');
    expect([...breaker.openCircuits()]).toEqual([]);
  });
});

describe('circuits of several processes', () => {
  function processes() {
    const clock = new ManualClock();
    const told: SharedBlock[] = [];
    const one = new CircuitBreaker(clock, (block) => {
      told.push(block);
      other.adopt(block);
    });
    const other: CircuitBreaker = new CircuitBreaker(clock, (block) => {
      told.push(block);
      one.adopt(block);
    });
    const refuse = (breaker: CircuitBreaker) => {
      for (let refusal = 0; refusal < 3; refusal += 1) breaker.recordRefusal('operator', 'a', REFUSAL);
    };
    return { clock, told, one, other, refuse };
  }

  it('circuits of several processes are open in all when one has opened it, and the one tries first', () => {
    const { clock, one, other, refuse } = processes();
    refuse(one);
    expect(other.pauseMs('operator', 'a')).toBeGreaterThanOrEqual(QUARTER_MS);
    expect([...other.openCircuits()]).toMatchObject([{ source: 'a', refusals: 3, lastRefusal: '554 5.7.1' }]);
    clock.advance(QUARTER_MS);
    expect(one.admit('operator', 'a', {})).toBe(0);
    expect(other.admit('operator', 'a', {})).toBe(60_000);
    clock.advance(60_000);
    expect(other.admit('operator', 'a', {})).toBe(0);
  });

  it('circuits of several processes are closed in all when the trial of one is answered, and open for longer when it is refused', () => {
    const { clock, one, other, refuse } = processes();
    refuse(one);
    clock.advance(QUARTER_MS);
    one.recordRefusal('operator', 'a', REFUSAL);
    expect(other.pauseMs('operator', 'a')).toBe(2 * QUARTER_MS + 60_000);
    clock.advance(2 * QUARTER_MS);
    one.recordAnswer('operator', 'a');
    expect(other.admit('operator', 'a', {})).toBe(0);
    expect([...other.openCircuits()]).toEqual([]);
  });

  it('circuits of several processes stay open although an answer was on its way to another one', () => {
    const { one, other, refuse } = processes();
    refuse(one);
    other.recordAnswer('operator', 'a');
    expect(one.pauseMs('operator', 'a')).toBe(QUARTER_MS);
    expect(other.pauseMs('operator', 'a')).toBeGreaterThan(0);
  });

  it('circuits of several processes forget no newer finding for one that is told again', () => {
    const { clock, told, one, other, refuse } = processes();
    refuse(one);
    clock.advance(QUARTER_MS);
    one.recordAnswer('operator', 'a');
    refuse(other);
    for (const block of told.slice(0, 2)) one.adopt(block);
    expect(one.pauseMs('operator', 'a')).toBeGreaterThan(0);
    clock.advance(2 * QUARTER_MS);
    other.recordAnswer('operator', 'a');
    for (const block of told.slice(0, 1)) one.adopt(block);
    expect(one.pauseMs('operator', 'a')).toBe(0);
  });
});
