import { describe, expect, it } from 'vitest';

import { ManualClock } from '../../../test/support/manual-clock.js';
import { Egress } from './egress.js';

function egress() {
  const clock = new ManualClock();
  const told: number[] = [];
  const path = new Egress(clock, () => told.push(clock.now()));
  const silent = (from: number, count: number) => {
    for (let host = from; host < from + count; host += 1) path.silent(`192.0.2.${host}`);
  };
  return { clock, path, told, silent };
}

describe('the path out', () => {
  it('is closed when five different hosts in a row were silent, and that is told once', () => {
    const { path, told, silent } = egress();
    silent(1, 4);
    expect(path.closed).toBe(false);
    silent(5, 1);
    expect(path.closed).toBe(true);
    silent(6, 20);
    expect(told).toHaveLength(1);
  });

  it('is not closed by one host, however often it is silent', () => {
    const { path, silent } = egress();
    for (let time = 0; time < 20; time += 1) silent(1, 1);
    expect(path.closed).toBe(false);
  });

  it('is open as soon as any host answers', () => {
    const { path, silent } = egress();
    silent(1, 5);
    expect(path.closed).toBe(true);
    path.reached();
    expect(path.closed).toBe(false);
  });

  it('is not doubted for ten minutes after an answer, however many hosts are silent', () => {
    const { clock, path, silent } = egress();
    path.reached();
    clock.advance(10 * 60_000 - 1);
    silent(1, 20);
    expect(path.closed).toBe(false);
    clock.advance(1);
    silent(21, 5);
    expect(path.closed).toBe(true);
  });

  it('is tried by one a minute while it is closed', () => {
    const { clock, path, silent } = egress();
    silent(1, 5);
    clock.advance(59_999);
    expect(path.closed).toBe(true);
    clock.advance(1);
    expect([path.closed, path.closed]).toEqual([false, true]);
  });
});
