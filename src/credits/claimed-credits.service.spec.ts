import { describe, expect, it } from 'vitest';
import { divideCharge } from './claimed-credits.service.js';

const work = (verdict: string, items: number, credits: number) => ({ verdict, reason: 'any', items, credits });

describe('a divided charge', () => {
  const works = [work('valid', 3, 3), work('unknown', 2, 0), work('invalid', 4, 4)];
  const charge = { credits: 7, works };

  it.each([0, 1, 3, 5, 7, 9])('a divided charge of which %i credits are free adds up to the whole', (free) => {
    const [first, rest] = divideCharge(charge, free);
    expect([first.credits, rest.credits]).toEqual([Math.min(7, free), 7 - Math.min(7, free)]);
    for (const part of [first, rest])
      expect(part.works.reduce((sum, { credits }) => sum + credits, 0)).toBe(part.credits);
    const items = [...first.works, ...rest.works].reduce((sum, one) => sum + one.items, 0);
    expect(items).toBe(9);
  });

  it('a divided charge counts each item on the credit that paid for it, and what costs nothing on the free part', () => {
    expect(divideCharge(charge, 5)).toEqual([
      { credits: 5, works: [work('valid', 3, 3), work('unknown', 2, 0), work('invalid', 2, 2)] },
      { credits: 2, works: [work('invalid', 2, 2)] },
    ]);
  });
});
