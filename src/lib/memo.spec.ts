import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Memo } from './memo.js';

describe('a memo', () => {
  it('a memo remembers null, and gives back what it is told', () => {
    const memo = new Memo<string, string | null>(2);
    expect(memo.get('a')).toBeUndefined();
    expect(memo.set('a', null)).toBeNull();
    expect(memo.get('a')).toBeNull();
  });

  it('a memo forgets all when there would be more than allowed, and not when a value is replaced', () => {
    const memo = new Memo<string, number>(2);
    memo.set('a', 1);
    memo.set('b', 2);
    memo.set('b', 3);
    expect([memo.get('a'), memo.get('b')]).toEqual([1, 3]);
    memo.set('c', 4);
    expect([memo.get('a'), memo.get('b'), memo.get('c')]).toEqual([undefined, undefined, 4]);
  });

  it('a memo never gives a value that was not the last one set, and never holds more than allowed', () => {
    const step = fc.tuple(fc.nat(9), fc.nat(99));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 60 }), (maxEntries, steps) => {
        const memo = new Memo<number, number>(maxEntries);
        const last = new Map<number, number>();
        for (const [key, value] of steps) {
          memo.set(key, value);
          last.set(key, value);
          const known = [...last.keys()].filter((one) => memo.get(one) !== undefined);
          expect(known.length).toBeLessThanOrEqual(maxEntries);
          for (const one of known) expect(memo.get(one)).toBe(last.get(one));
          expect(memo.get(key)).toBe(value);
        }
      }),
    );
  });
});
