import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Semaphore } from './semaphore.js';
import { MicroBatcher } from './micro-batcher.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Flushes that end when the test says so. */
function flushes(maxSize = 100) {
  const begun: { items: readonly number[]; end: () => void; fail: (error: Error) => void }[] = [];
  const batcher = new MicroBatcher<number, string>(
    (items) =>
      new Promise((resolve, reject) => {
        begun.push({ items, end: () => resolve(items.map((item) => `done ${item}`)), fail: reject });
      }),
    maxSize,
  );
  return { begun, batcher, items: () => begun.map(({ items }) => items) };
}

describe('a micro-batcher', () => {
  it('a micro-batcher flushes the first item at once and alone, and what comes meanwhile together after it', async () => {
    const { begun, batcher, items } = flushes();
    const results = [1, 2, 3].map((item) => batcher.add(item));
    expect(items()).toEqual([[1]]);
    begun[0]!.end();
    await turn();
    expect(items()).toEqual([[1], [2, 3]]);
    begun[1]!.end();
    expect(await Promise.all(results)).toEqual(['done 1', 'done 2', 'done 3']);
  });

  it('a micro-batcher is idle after the last flush, so that the next item is flushed at once again', async () => {
    const { begun, batcher, items } = flushes();
    const first = batcher.add(1);
    begun[0]!.end();
    await first;
    await turn();
    await turn();
    void batcher.add(2);
    expect(items()).toEqual([[1], [2]]);
  });

  describe('that gathers', () => {
    /** A batcher whose pauses end when the test says so. */
    function gathering(maxSize: number) {
      const flushed: number[][] = [];
      const pauses: (() => void)[] = [];
      const flush = async (items: readonly number[]) => {
        flushed.push([...items]);
        await turn();
        if (items.includes(13)) throw new Error('away');
        return items;
      };
      const gather = (): Promise<void> => new Promise((resolve) => pauses.push(resolve));
      return { batcher: new MicroBatcher<number, number>(flush, maxSize, { gather }), flushed, pauses };
    }

    it('a micro-batcher that gathers flushes together what comes in the pause after a flush, and at once what comes after the pause', async () => {
      const { batcher, flushed, pauses } = gathering(10);
      await batcher.add(1);
      await turn();
      expect(pauses).toHaveLength(1);
      const gathered = [batcher.add(2), batcher.add(3)];
      await turn();
      expect(flushed).toEqual([[1]]);
      pauses[0]!();
      await Promise.all(gathered);
      await turn();
      expect(flushed).toEqual([[1], [2, 3]]);
      pauses[1]!();
      await turn();
      await batcher.add(4);
      expect(flushed).toEqual([[1], [2, 3], [4]]);
      await turn();
      expect(pauses).toHaveLength(3);
    });

    it('a micro-batcher that gathers does not gather while as many wait as a flush may have', async () => {
      const { batcher, flushed, pauses } = gathering(2);
      await Promise.all([1, 2, 3].map((item) => batcher.add(item)));
      expect(flushed).toEqual([[1], [2, 3]]);
      await turn();
      expect(pauses).toHaveLength(1);
    });

    it('a micro-batcher that gathers goes on after a pause that followed a flush which failed', async () => {
      const { batcher, flushed, pauses } = gathering(10);
      await expect(batcher.add(13)).rejects.toThrow('away');
      await turn();
      const next = batcher.add(2);
      pauses[0]!();
      expect(await next).toBe(2);
      expect(flushed).toEqual([[13], [2]]);
    });
  });

  describe('that shares a turn', () => {
    /** Two batchers, and their flushes by name and items. */
    function sharing() {
      const turn = new Semaphore(1);
      const begun: { what: string; end: () => void; fail: (error: Error) => void }[] = [];
      const named = (name: string) =>
        new MicroBatcher<number, number>(
          (items) =>
            new Promise((resolve, reject) => {
              begun.push({ what: `${name} ${items.join(' ')}`, end: () => resolve(items), fail: reject });
            }),
          10,
          { turn },
        );
      return { begun, first: named('first'), second: named('second') };
    }

    it('a micro-batcher that shares a turn flushes after the other, with all that has come until then, and then lets the other flush', async () => {
      const { begun, first, second } = sharing();
      const results = [first.add(1)];
      await turn();
      results.push(second.add(1), first.add(2));
      await turn();
      results.push(second.add(2), first.add(3));
      await turn();
      expect(begun.map(({ what }) => what)).toEqual(['first 1']);
      for (let i = 0; i < 3; i++) {
        begun[i]!.end();
        await turn();
      }
      expect(begun.map(({ what }) => what)).toEqual(['first 1', 'second 1 2', 'first 2 3']);
      expect(await Promise.all(results)).toEqual([1, 1, 2, 2, 3]);
    });

    it('a micro-batcher that shares a turn gives the turn back when a flush fails', async () => {
      const { begun, first, second } = sharing();
      const failed = first.add(1);
      const later = second.add(1);
      await turn();
      begun[0]!.fail(new Error('away'));
      await expect(failed).rejects.toThrow('away');
      await turn();
      begun[1]!.end();
      expect(await later).toBe(1);
      void first.add(2);
      await turn();
      expect(begun.map(({ what }) => what)).toEqual(['first 1', 'second 1', 'first 2']);
    });
  });

  it('a micro-batcher goes on to the next flush while an answer that was given as a promise is still to come', async () => {
    const answers: ((text: string) => void)[] = [];
    const batcher = new MicroBatcher<number, string>(
      () => Promise.resolve([new Promise<string>((resolve) => answers.push(resolve))]),
      1,
    );
    const results = [batcher.add(1), batcher.add(2)];
    await turn();
    answers[1]!('second');
    expect(await results[1]).toBe('second');
    answers[0]!('first');
    expect(await results[0]).toBe('first');
  });

  it('a micro-batcher keeps a flush to its size and the oldest items first', async () => {
    const { begun, batcher, items } = flushes(2);
    const results = [1, 2, 3, 4].map((item) => batcher.add(item));
    for (let i = 0; i < 3; i += 1) {
      begun[i]!.end();
      await turn();
    }
    expect(items()).toEqual([[1], [2, 3], [4]]);
    expect(await Promise.all(results)).toHaveLength(4);
  });

  it('a micro-batcher rejects the items of a flush that failed and goes on with the others', async () => {
    const { begun, batcher } = flushes();
    const results = Promise.allSettled([batcher.add(1), batcher.add(2)]);
    begun[0]!.fail(new Error('away'));
    await turn();
    begun[1]!.end();
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    const later = batcher.add(3);
    begun[2]!.end();
    expect(await later).toBe('done 3');
  });

  it('a micro-batcher rejects the items of a flush that threw before it returned a promise', async () => {
    const batcher = new MicroBatcher<number, string>(() => {
      throw new Error('broken');
    }, 10);
    await expect(batcher.add(1)).rejects.toThrow('broken');
    await expect(batcher.add(2)).rejects.toThrow('broken');
  });

  it('a micro-batcher rejects the items of a flush that did not answer each of them', async () => {
    const batcher = new MicroBatcher<number, string>(() => Promise.resolve([]), 10);
    await expect(batcher.add(1)).rejects.toThrow('1 items were flushed, 0 answered');
  });

  it('a micro-batcher flushes every item once, in the order they came, never two flushes at a time, whatever the turns', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.nat(99), { maxLength: 20 }),
        async (scheduler, maxSize, items) => {
          const flushed: number[] = [];
          let underWay = 0;
          const batcher = new MicroBatcher<number, number>(async (some) => {
            underWay += 1;
            expect(underWay).toBe(1);
            expect(some.length).toBeLessThanOrEqual(maxSize);
            await scheduler.schedule(Promise.resolve());
            flushed.push(...some);
            underWay -= 1;
            return some.map((item) => item + 1);
          }, maxSize);
          const results: Promise<number>[] = [];
          const { task } = scheduler.scheduleSequence(
            items.map((item) => async () => {
              results.push(batcher.add(item));
            }),
          );
          await scheduler.waitFor(task);
          expect(await scheduler.waitFor(Promise.all(results))).toEqual(items.map((item) => item + 1));
          expect(flushed).toEqual(items);
        },
      ),
    );
  });
});
