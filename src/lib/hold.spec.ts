import { describe, expect, it } from 'vitest';
import { Hold } from './hold.js';

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a hold', () => {
  it('a hold tells each listener of each change once, and of nothing that is no change', () => {
    const hold = new Hold();
    const heard: boolean[] = [];
    const unlisten = hold.listen(() => heard.push(hold.isHeld));
    hold.set(false);
    hold.set(true);
    hold.set(true);
    hold.set(false);
    unlisten();
    hold.set(true);
    expect(heard).toEqual([true, false]);
  });

  it('a hold is waited for until it is free again, by as many as like', async () => {
    const hold = new Hold();
    const { signal } = new AbortController();
    let went = 0;
    await hold.untilFree(signal);
    hold.set(true);
    for (let i = 0; i < 2; i++) void hold.untilFree(signal).then(() => (went += 1));
    await settle();
    expect(went).toBe(0);
    hold.set(false);
    await settle();
    expect(went).toBe(2);
  });

  it('a hold is waited for no longer when the signal is aborted, before or meanwhile', async () => {
    const hold = new Hold();
    const controller = new AbortController();
    hold.set(true);
    const waiting = hold.untilFree(controller.signal);
    controller.abort();
    await waiting;
    await hold.untilFree(controller.signal);
    expect(hold.isHeld).toBe(true);
  });
});
