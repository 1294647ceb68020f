import { describe, expect, it } from 'vitest';
import { Grouping } from './grouping.js';

/** Rounds that end when the test says so. */
function rounds(most = 100) {
  const begun: { items: readonly number[]; end: () => void; fail: (error: Error) => void }[] = [];
  const grouping = new Grouping<number, string>(
    (items) =>
      new Promise((resolve, reject) => {
        begun.push({ items, end: () => resolve(items.map((item) => `done ${item}`)), fail: reject });
      }),
    most,
  );
  return { begun, grouping };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('grouping', () => {
  it('does one thing at once, and what comes meanwhile together after it', async () => {
    const { begun, grouping } = rounds();
    const results = [1, 2, 3].map((item) => grouping.add(item));
    expect(begun.map(({ items }) => items)).toEqual([[1]]);
    begun[0]!.end();
    await turn();
    expect(begun.map(({ items }) => items)).toEqual([[1], [2, 3]]);
    begun[1]!.end();
    expect(await Promise.all(results)).toEqual(['done 1', 'done 2', 'done 3']);
  });

  it('keeps a round to its size', async () => {
    const { begun, grouping } = rounds(2);
    const results = [1, 2, 3, 4].map((item) => grouping.add(item));
    for (let i = 0; i < 3; i++) {
      begun[i]!.end();
      await turn();
    }
    expect(begun.map(({ items }) => items)).toEqual([[1], [2, 3], [4]]);
    expect(await Promise.all(results)).toHaveLength(4);
  });

  it('fails those of a failed round and goes on with the others', async () => {
    const { begun, grouping } = rounds();
    const results = Promise.allSettled([grouping.add(1), grouping.add(2)]);
    begun[0]!.fail(new Error('away'));
    await turn();
    begun[1]!.end();
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    const later = grouping.add(3);
    begun[2]!.end();
    expect(await later).toBe('done 3');
  });
});
