import { describe, expect, it } from 'vitest';
import { InOrder } from './in-order.js';

describe('answers in the order of their questions', () => {
  it('come when all before them are there, and not earlier', () => {
    const order = new InOrder<string>(10);
    expect(order.take(1, 'b')).toEqual([]);
    expect(order.take(3, 'd')).toEqual([]);
    expect(order.take(0, 'a')).toEqual(['a', 'b']);
    expect(order.take(2, 'c')).toEqual(['c', 'd']);
  });

  it('hold questions back while as many as may be are behind the oldest open one', async () => {
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
});
