import { describe, expect, it } from 'vitest';

import { inDeliveryOrder, mxSetOf } from './mx-set.js';

const mx = (preference: number, exchange: string) => ({ preference, exchange });
const namesOf = (hosts: readonly { name: string }[]) => hosts.map(({ name }) => name);

describe('the set of MX records', () => {
  it('the set of MX records is sorted by preference, then by name, each host once at its best preference', () => {
    const set = mxSetOf([mx(20, 'c'), mx(10, 'b'), mx(10, 'a'), mx(30, 'a'), mx(5, 'c')]);
    expect(set?.hosts).toEqual([
      { name: 'c', preference: 5 },
      { name: 'a', preference: 10 },
      { name: 'b', preference: 10 },
    ]);
  });

  it('the set of MX records has the same key for the same way to deliver, and another for another', () => {
    const key = mxSetOf([mx(10, 'a'), mx(10, 'b'), mx(20, 'c')])?.key;
    expect(mxSetOf([mx(9, 'c'), mx(1, 'b'), mx(1, 'a')])?.key).toBe(key);
    expect(mxSetOf([mx(10, 'a'), mx(15, 'b'), mx(20, 'c')])?.key).not.toBe(key);
    expect(mxSetOf([mx(10, 'a'), mx(10, 'b')])?.key).not.toBe(key);
  });

  it('the set of MX records is a null MX when every exchange is empty, and has no empty one among others', () => {
    expect(mxSetOf([mx(0, '')])).toBeNull();
    expect(mxSetOf([mx(0, ''), mx(10, '')])).toBeNull();
    expect(mxSetOf([mx(0, ''), mx(10, 'a')])?.hosts).toEqual([{ name: 'a', preference: 10 }]);
  });

  it('the set of MX records keeps the ten best of any number of records', () => {
    const records = Array.from({ length: 500 }, (_, i) => mx(500 - i, `mx${i}`));
    expect(namesOf(mxSetOf(records)!.hosts)).toEqual(Array.from({ length: 10 }, (_, i) => `mx${499 - i}`));
  });
});

describe('the order of delivery', () => {
  const chance = (...fractions: number[]) => ({ fraction: () => fractions.shift() ?? 0 });

  it('the order of delivery follows the preferences and lets chance choose among equal ones only', () => {
    const set = mxSetOf([mx(5, 'first'), mx(10, 'a'), mx(10, 'b'), mx(10, 'c'), mx(20, 'last')])!;
    expect(namesOf(inDeliveryOrder(set, chance(0, 0)))).toEqual(['first', 'b', 'c', 'a', 'last']);
    expect(namesOf(inDeliveryOrder(set, chance(0.99, 0.99)))).toEqual(['first', 'a', 'b', 'c', 'last']);
    expect(namesOf(set.hosts)).toEqual(['first', 'a', 'b', 'c', 'last']);
  });

  it('the order of delivery puts each of equal hosts first in its share of the cases', () => {
    const set = mxSetOf([mx(10, 'a'), mx(10, 'b'), mx(10, 'c')])!;
    const steps = Array.from({ length: 60 }, (_, i) => [(Math.floor(i / 2) % 3) / 3, (i % 2) / 2]);
    const firsts = steps.map((fractions) => inDeliveryOrder(set, chance(...fractions))[0]!.name);
    for (const name of ['a', 'b', 'c']) expect(firsts.filter((first) => first === name)).toHaveLength(20);
  });

  it('the order of delivery asks chance nothing where there is no choice', () => {
    const set = mxSetOf([mx(5, 'a'), mx(10, 'b')])!;
    const never = {
      fraction: (): number => {
        throw new Error('asked');
      },
    };
    expect(inDeliveryOrder(set, never)).toBe(set.hosts);
  });
});
