import { describe, expect, it } from 'vitest';

import { ManualClock } from '../../../../test/support/manual-clock.js';
import type { HostCaps } from '../../ports.js';
import type { Permit } from '../../../lib/semaphore.js';
import { MemoryConnectionLimiter } from './connection-limiter.js';

const TWO: HostCaps = { connections: 2, connectionsPerMinute: null };
const HASTY: HostCaps = { connections: 100, connectionsPerMinute: 3 };

function openLimiter() {
  const clock = new ManualClock();
  const limiter = new MemoryConnectionLimiter(clock);
  const granted: (Permit & { readonly name: string })[] = [];
  const acquire = (
    name: string,
    caps: HostCaps,
    signal = new AbortController().signal,
    host = 'mx.test',
    turn: string | null = 'a',
  ) =>
    limiter
      .acquire(host, caps, signal, turn)
      .then((permit) => void granted.push({ name, release: () => permit.release() }));
  const names = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return granted.map(({ name }) => name);
  };
  return { clock, acquire, granted, names };
}

describe('the limiter of one process', () => {
  it('the limiter of one process grants as many permits as the caps say, then the next one to the waiter that has waited longest', async () => {
    const { acquire, granted, names } = openLimiter();
    for (const name of ['a', 'b', 'c', 'd']) void acquire(name, TWO);
    expect(await names()).toEqual(['a', 'b']);
    granted[1]!.release();
    expect(await names()).toEqual(['a', 'b', 'c']);
    granted[0]!.release();
    expect(await names()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('the limiter of one process lets waiters take turns, and those without a turn go first', async () => {
    const { acquire, granted, names } = openLimiter();
    for (const name of ['a', 'b', 'a1', 'a2']) void acquire(name, TWO);
    void acquire('b1', TWO, undefined, undefined, 'b');
    void acquire('now', TWO, undefined, undefined, null);
    await names();
    for (let i = 0; i < 4; i++) {
      granted[i]!.release();
      await names();
    }
    expect(await names()).toEqual(['a', 'b', 'now', 'a1', 'b1', 'a2']);
  });

  it('the limiter of one process has a queue of its own for each host', async () => {
    const { acquire, names } = openLimiter();
    for (const name of ['a', 'b', 'c']) void acquire(name, TWO);
    void acquire('elsewhere', TWO, undefined, 'mx.other');
    expect(await names()).toEqual(['a', 'b', 'elsewhere']);
  });

  it('the limiter of one process counts connections in any minute, closed ones too', async () => {
    const { clock, acquire, granted, names } = openLimiter();
    void acquire('a', HASTY);
    await names();
    clock.advance(30_000);
    for (const name of ['b', 'c', 'd', 'e']) void acquire(name, HASTY);
    await names();
    for (const permit of granted.splice(0)) permit.release();
    clock.advance(29_999);
    expect(await names()).toEqual([]);
    clock.advance(1);
    expect(await names()).toEqual(['d']);
    clock.advance(30_000);
    expect(await names()).toEqual(['d', 'e']);
  });

  it('the limiter of one process rejects a waiter that is cancelled, and keeps no permit for it', async () => {
    const { acquire, granted, names } = openLimiter();
    const controller = new AbortController();
    for (const name of ['a', 'b']) void acquire(name, TWO);
    const waiting = acquire('c', TWO, controller.signal);
    void acquire('d', TWO);
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(acquire('e', TWO, AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
    await names();
    granted[0]!.release();
    expect(await names()).toEqual(['a', 'b', 'd']);
  });

  it('the limiter of one process keeps no timer for a waiter that was cancelled', async () => {
    const { clock, acquire, names } = openLimiter();
    const controller = new AbortController();
    for (const name of ['a', 'b', 'c']) void acquire(name, HASTY);
    const waiting = acquire('d', HASTY, controller.signal);
    await names();
    expect(clock.pending).toBe(1);
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect(clock.pending).toBe(0);
  });
});
