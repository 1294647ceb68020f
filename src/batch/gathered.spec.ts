import { describe, expect, it } from 'vitest';
import { gathered } from './gathered.js';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Gives what is pushed; ends, or fails, when it is told to. */
function source() {
  const state = { isStopped: false, isClosed: false };
  let waiting: number[] = [];
  let wake = (): void => undefined;
  let end: (() => void) | null = null;
  async function* items(): AsyncGenerator<number> {
    try {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift()!;
        if (end !== null) return end();
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      state.isClosed = true;
    }
  }
  const finish = (how: () => void) => {
    end = how;
    wake();
  };
  const stop = () => {
    state.isStopped = true;
    finish(() => undefined);
  };
  const push = (...some: number[]) => {
    waiting = [...waiting, ...some];
    wake();
  };
  return { state, push, finish, groups: gathered(items(), stop) };
}

describe('items in groups', () => {
  it('are all that have come while the group before was used', async () => {
    const { push, finish, groups } = source();
    push(1);
    expect((await groups.next()).value).toEqual([1]);
    push(2, 3);
    await turn();
    push(4);
    await turn();
    expect((await groups.next()).value).toEqual([2, 3, 4]);
    finish(() => undefined);
    expect(await groups.next()).toEqual({ value: undefined, done: true });
  });

  it('are given before the failure that came after them', async () => {
    const { push, finish, groups } = source();
    push(1);
    expect((await groups.next()).value).toEqual([1]);
    push(2);
    finish(() => {
      throw new Error('the source has failed');
    });
    await turn();
    expect((await groups.next()).value).toEqual([2]);
    await expect(groups.next()).rejects.toThrow('the source has failed');
  });

  it('are read no more when nobody wants them: the source is stopped and waited for', async () => {
    const { state, push, groups } = source();
    push(1);
    await groups.next();
    await groups.return(undefined);
    expect(state).toEqual({ isStopped: true, isClosed: true });
  });
});
