import { setMaxListeners } from 'node:events';
import { expect, it } from 'vitest';
import { AccountTurns, Lines } from './account-turns.js';

it('the line of a name is bounded, keeps no other name waiting, and is forgotten when all have left it', async () => {
  const lines = new Lines(2);
  const gone = new AbortController();
  setMaxListeners(0, gone.signal);
  const places = [await lines.enter('many'), await lines.enter('many')];
  const waiting = Array.from({ length: 200 }, () => lines.enter('many', { gone: () => gone.signal }));
  const refused = { code: 'unavailable', details: { retryAfterSeconds: 1 } };
  await expect(lines.enter('many')).rejects.toMatchObject(refused);
  const deletion = lines.enter('many', { deletedBy: 'a key' });
  (await lines.enter('other')).release();
  places[0]!.release();
  (await deletion).release();
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

it('a flood of deletions by one key keeps neither the deletion of another key waiting nor what is no deletion', async () => {
  const lines = new Lines(1);
  const first = await lines.enter('account');
  const order: string[] = [];
  const enter = async (deletedBy?: string) => {
    const place = await lines.enter('account', deletedBy === undefined ? {} : { deletedBy });
    order.push(deletedBy ?? 'change');
    place.release();
  };
  const waiting = [...Array.from({ length: 9 }, () => enter('thief')), enter('owner'), enter()];
  first.release();
  await Promise.all(waiting);
  expect(order.slice(0, 4)).toEqual(['thief', 'owner', 'thief', 'change']);
});

it('a change that has its turn and asks for another one is refused loudly, in place of waiting for itself, and has its next turn when it has ended', async () => {
  const turns = new AccountTurns();
  const caller = { accountId: 'a', simulated: false };
  for (const line of ['keys', 'endpoints'] as const) {
    const twice = turns.change(caller, 'keys', () => turns.change(caller, line, async () => 'never'));
    await expect(twice).rejects.toThrow(`asks for a turn of the line ${line}`);
  }
  expect(await turns.change(caller, 'keys', async () => 'next')).toBe('next');
});
