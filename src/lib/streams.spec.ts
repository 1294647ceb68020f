import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectReady, readAhead, InOrder } from './streams.js';

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

function countedSource(count: number) {
  const state = { asked: 0, isClosed: false };
  async function* numbers(): AsyncGenerator<number> {
    try {
      while (state.asked < count) {
        state.asked += 1;
        await Promise.resolve();
        yield state.asked;
      }
    } finally {
      state.isClosed = true;
    }
  }
  return { state, items: readAhead(numbers()) };
}

async function* failing(): AsyncGenerator<number> {
  yield 1;
  await Promise.resolve();
  throw new Error('gone');
}

describe('items that are read ahead', () => {
  it('items that are read ahead are all there, in order', async () => {
    const seen: number[] = [];
    for await (const item of countedSource(5).items) seen.push(item);
    for await (const item of countedSource(0).items) seen.push(-item);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  it('items that are read ahead are one ahead of the consumer and no more', async () => {
    const { state, items } = countedSource(9);
    for (const wanted of [1, 2, 3]) {
      expect((await items.next()).value).toBe(wanted);
      await turn();
      expect(state.asked).toBe(wanted + 1);
    }
  });

  it('items that are read ahead have a source that is closed when the consumer wants no more', async () => {
    const { state, items } = countedSource(9);
    await items.next();
    await items.return();
    expect(state).toEqual({ asked: 2, isClosed: true });
  });

  it('items that are read ahead are given before the error that came after them', async () => {
    const items = readAhead(failing());
    expect((await items.next()).value).toBe(1);
    await turn();
    await expect(items.next()).rejects.toThrow('gone');
    expect((await items.next()).done).toBe(true);
  });

  it('items that are read ahead end in peace for a consumer that wants no more although the request under way fails', async () => {
    const items = readAhead(failing());
    await items.next();
    await expect(items.return()).resolves.toMatchObject({ done: true });
  });
});

describe('answers put in the order of their questions', () => {
  it('answers put in the order of their questions come when all before them are there, and not earlier', () => {
    const order = new InOrder<string>(10);
    expect(order.take(1, 'b')).toEqual([]);
    expect(order.take(3, 'd')).toEqual([]);
    expect(order.take(0, 'a')).toEqual(['a', 'b']);
    expect(order.take(2, 'c')).toEqual(['c', 'd']);
  });

  it('answers put in the order of their questions may be undefined', () => {
    const order = new InOrder<number | undefined>(10);
    order.take(1, 1);
    expect(order.take(0, undefined)).toEqual([undefined, 1]);
  });

  it('answers put in the order of their questions hold questions back while as many as may be are between the oldest open one and the newest', async () => {
    const order = new InOrder<string>(2);
    const questions = order.throttle(['a', 'b', 'c', 'd']);
    const next = async () => (await questions.next()).value;
    expect([await next(), await next()]).toEqual(['a', 'b']);
    let third: string | void = undefined;
    const waiting = next().then((question) => (third = question));
    order.take(1, 'B');
    await new Promise((resolve) => setImmediate(resolve));
    expect(third).toBeUndefined();
    order.take(0, 'A');
    await waiting;
    expect(third).toBe('c');
    expect(await next()).toBe('d');
    expect(await next()).toBeUndefined();
  });

  it('answers put in the order of their questions are all given, in order, and never more kept than allowed, whatever the order in which they come', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 1, max: 4 }),
        fc.nat(12),
        async (scheduler, maxOpen, count) => {
          const order = new InOrder<number>(maxOpen);
          const given: number[] = [];
          let asked = 0;
          const ask = async (): Promise<void> => {
            for await (const question of order.throttle(Array.from({ length: count }, (_, i) => i))) {
              asked += 1;
              expect(asked - given.length).toBeLessThanOrEqual(maxOpen);
              void scheduler.schedule(Promise.resolve()).then(() => given.push(...order.take(question, question)));
            }
          };
          const asking = ask();
          await scheduler.waitFor(asking);
          await scheduler.waitAll();
          expect(given).toEqual(Array.from({ length: count }, (_, i) => i));
        },
      ),
    );
  });
});
