import { describe, expect, it } from 'vitest';
import { readAhead } from './read-ahead.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function source(count: number) {
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
    for await (const item of source(5).items) seen.push(item);
    for await (const item of source(0).items) seen.push(-item);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  it('items that are read ahead are one ahead of the consumer and no more', async () => {
    const { state, items } = source(9);
    for (const wanted of [1, 2, 3]) {
      expect((await items.next()).value).toBe(wanted);
      await turn();
      expect(state.asked).toBe(wanted + 1);
    }
  });

  it('items that are read ahead have a source that is closed when the consumer wants no more', async () => {
    const { state, items } = source(9);
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
