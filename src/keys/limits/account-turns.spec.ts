import { setMaxListeners } from 'node:events';
import { expect, it } from 'vitest';
import { Lines } from './account-turns.js';

it('the line of a name is bounded, keeps no other name waiting, and is forgotten when all have left it', async () => {
  const lines = new Lines(2);
  const gone = new AbortController();
  setMaxListeners(0, gone.signal);
  const places = [await lines.enter('many'), await lines.enter('many')];
  const waiting = Array.from({ length: 200 }, () => lines.enter('many', { gone: () => gone.signal }));
  const refused = { code: 'unavailable', details: { retryAfterSeconds: 1 } };
  await expect(lines.enter('many')).rejects.toMatchObject(refused);
  const urgent = lines.enter('many', { isUrgent: true });
  (await lines.enter('other')).release();
  places[0]!.release();
  (await urgent).release();
  const begun = await waiting[0]!;
  gone.abort(new Error('the callers have gone'));
  const ends = await Promise.allSettled(waiting);
  expect(ends.map(({ status }) => status).filter((status) => status === 'fulfilled')).toHaveLength(1);
  // Giving a place back twice gives back one.
  places[0]!.release();
  let hasEntered = false;
  const next = lines.enter('many').finally(() => (hasEntered = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(hasEntered).toBe(false);
  begun.release();
  (await next).release();
  places[1]!.release();
  expect(Reflect.get(lines, 'lines')).toEqual(new Map());
});
