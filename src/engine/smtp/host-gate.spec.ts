import { describe, expect, it } from 'vitest';

import { ManualClock } from '../../../test/support/manual-clock.js';
import type { HostCaps, HostLease } from '../ports.js';
import { MemoryHostGate } from './host-gate.js';

const TWO: HostCaps = { connections: 2, connectionsPerMinute: null };
const HASTY: HostCaps = { connections: 100, connectionsPerMinute: 3 };

function gate() {
  const clock = new ManualClock();
  const door = new MemoryHostGate(clock);
  const entered: (HostLease & { readonly name: string })[] = [];
  const enter = (name: string, caps: HostCaps, signal = new AbortController().signal, host = 'mx.test') =>
    door.enter(host, caps, signal).then((lease) => void entered.push({ name, release: () => lease.release() }));
  const names = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return entered.map(({ name }) => name);
  };
  return { clock, enter, entered, names };
}

describe('the gate of one process', () => {
  it('lets in as many as the caps say, then whoever has waited longest', async () => {
    const { enter, entered, names } = gate();
    for (const name of ['a', 'b', 'c', 'd']) void enter(name, TWO);
    expect(await names()).toEqual(['a', 'b']);
    entered[1]!.release();
    expect(await names()).toEqual(['a', 'b', 'c']);
    entered[0]!.release();
    expect(await names()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('has a door of its own for each host', async () => {
    const { enter, names } = gate();
    for (const name of ['a', 'b', 'c']) void enter(name, TWO);
    void enter('elsewhere', TWO, undefined, 'mx.other');
    expect(await names()).toEqual(['a', 'b', 'elsewhere']);
  });

  it('counts connections in any minute, closed ones too', async () => {
    const { clock, enter, entered, names } = gate();
    void enter('a', HASTY);
    await names();
    clock.advance(30_000);
    for (const name of ['b', 'c', 'd', 'e']) void enter(name, HASTY);
    await names();
    for (const lease of entered.splice(0)) lease.release();
    clock.advance(29_999);
    expect(await names()).toEqual([]);
    clock.advance(1);
    expect(await names()).toEqual(['d']);
    clock.advance(30_000);
    expect(await names()).toEqual(['d', 'e']);
  });

  it('turns away whoever gives up, and keeps no place for them', async () => {
    const { enter, entered, names } = gate();
    const controller = new AbortController();
    for (const name of ['a', 'b']) void enter(name, TWO);
    const waiting = enter('c', TWO, controller.signal);
    void enter('d', TWO);
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(enter('e', TWO, AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
    await names();
    entered[0]!.release();
    expect(await names()).toEqual(['a', 'b', 'd']);
  });

  it('keeps no timer for whoever has given up', async () => {
    const { clock, enter, names } = gate();
    const controller = new AbortController();
    for (const name of ['a', 'b', 'c']) void enter(name, HASTY);
    const waiting = enter('d', HASTY, controller.signal);
    await names();
    expect(clock.pending).toBe(1);
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect(clock.pending).toBe(0);
  });
});
