import { expect, it } from 'vitest';
import { readAhead } from './read-ahead.js';

function source(most: number) {
  const state = { asked: 0, isClosed: false };
  async function* numbers(): AsyncGenerator<number> {
    try {
      while (state.asked < most) {
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

it('gives every item in order', async () => {
  const seen: number[] = [];
  for await (const item of source(5).items) seen.push(item);
  for await (const item of source(0).items) seen.push(-item);
  expect(seen).toEqual([1, 2, 3, 4, 5]);
});

it('is one item ahead and no more', async () => {
  const { state, items } = source(9);
  for (const wanted of [1, 2, 3]) {
    expect((await items.next()).value).toBe(wanted);
    await new Promise((resolve) => setImmediate(resolve));
    expect(state.asked).toBe(wanted + 1);
  }
});

it('closes what it reads when nobody wants more', async () => {
  const { state, items } = source(9);
  await items.next();
  await items.return();
  expect(state).toEqual({ asked: 2, isClosed: true });
});

it('tells a fault when its turn comes, after what came before it', async () => {
  async function* failing(): AsyncGenerator<number> {
    yield 1;
    await Promise.resolve();
    throw new Error('gone');
  }
  const items = readAhead(failing());
  expect((await items.next()).value).toBe(1);
  await new Promise((resolve) => setImmediate(resolve));
  await expect(items.next()).rejects.toThrow('gone');
  expect((await items.next()).done).toBe(true);
});

it('closes in peace although what it has asked for fails', async () => {
  async function* failing(): AsyncGenerator<number> {
    yield 1;
    await Promise.resolve();
    throw new Error('gone');
  }
  const items = readAhead(failing());
  await items.next();
  await expect(items.return()).resolves.toMatchObject({ done: true });
});
