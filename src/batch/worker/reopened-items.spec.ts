import { expect, it } from 'vitest';
import { NOTHING_VERIFIED } from '../../engine/types.js';
import { ResultDecoder, ResultEncoder } from '../model/result-codec.js';
import { encodeRowRef } from '../model/row-ref.js';
import { withoutAnswers } from './reopened-items.service.js';

const ITEMS = ['a@one.example', 'b@two.example', 'c@three.example'];
const CHUNK = 7;

/** The results of a pass over the items at these offsets, each checked at a time. */
function packed(pass: number, checkedAt: Readonly<Record<number, number>>) {
  const encoder = new ResultEncoder();
  for (const [offset, at] of Object.entries(checkedAt)) {
    const verification = {
      ...NOTHING_VERIFIED,
      email: ITEMS[Number(offset)]!,
      verdict: 'invalid',
      checkedAt: at,
    } as const;
    encoder.add({ offset: Number(offset), verification, creditsCharged: 1, latencyMs: 0 });
  }
  return { pass, results: encoder.toString() };
}

const chunk = { items: ITEMS };
const falseAnswer = (offset: number, at: number) => ({ row: { ref: encodeRowRef(CHUNK, offset) }, at, credits: 1 });
const verdicts = (results: string) => {
  const decoder = new ResultDecoder(results, ITEMS);
  return ITEMS.map((_, offset) => decoder.verdictAt(offset));
};

it('a pass loses the false answers alone, and a pass without any stays as it is', () => {
  const stored = { chunk, passes: [packed(0, { 0: 1_000, 1: 1_005 }), packed(2, { 2: 9_000 })] };
  const { taken, passes } = withoutAnswers(stored, [falseAnswer(1, 1_005)]);
  expect([...taken.keys()]).toEqual([1]);
  expect(taken.get(1)).toMatchObject({ creditsCharged: 1, verification: { verdict: 'invalid', checkedAt: 1_005 } });
  expect(passes.map(({ pass, results }) => [pass, verdicts(results)])).toEqual([[0, ['invalid', null, null]]]);
});

it('a later answer to the same item is not taken for the false one', () => {
  const stored = { chunk, passes: [packed(0, {}), packed(1, { 1: 8_000 })] };
  expect(withoutAnswers(stored, [falseAnswer(1, 1_005)])).toEqual({ taken: new Map(), passes: [] });
});
