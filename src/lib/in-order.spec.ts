import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InOrder } from './in-order.js';

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
