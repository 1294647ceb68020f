import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectReady } from './collect-ready.js';

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
  return { state, push, finish, groups: collectReady(items(), stop) };
}

describe('items collected while the consumer was busy', () => {
  it('items collected while the consumer was busy come in a group with all others that have come since the group before', async () => {
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

  it('items collected while the consumer was busy are given before the failure that came after them', async () => {
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

  it('items collected while the consumer was busy are read no more when the consumer wants no more: the source is stopped and waited for', async () => {
    const { state, push, groups } = source();
    push(1);
    await groups.next();
    await groups.return(undefined);
    expect(state).toEqual({ isStopped: true, isClosed: true });
  });

  it('items collected while the consumer was busy end in peace for a consumer that wants no more although the source fails', async () => {
    const { push, finish, groups } = source();
    push(1);
    await groups.next();
    finish(() => {
      throw new Error('the source has failed');
    });
    await expect(groups.return(undefined)).resolves.toMatchObject({ done: true });
  });

  it('items collected while the consumer was busy are all given, once and in order, whatever the turns that source and consumer take', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.nat(12), async (scheduler, count) => {
        async function* items(): AsyncGenerator<number> {
          for (let i = 0; i < count; i += 1) {
            await scheduler.schedule(Promise.resolve());
            yield i;
          }
        }
        const given: number[] = [];
        const consume = async (): Promise<void> => {
          for await (const group of collectReady(items(), () => {})) {
            expect(group.length).toBeGreaterThan(0);
            given.push(...group);
            await scheduler.schedule(Promise.resolve());
          }
        };
        await scheduler.waitFor(consume());
        expect(given).toEqual(Array.from({ length: count }, (_, i) => i));
      }),
    );
  });
});
