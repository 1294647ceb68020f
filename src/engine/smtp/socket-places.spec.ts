import { expect, it, vi } from 'vitest';

import { GiveUp } from './give-up.js';
import { SocketPlaces } from './socket-places.js';

it('gives places at once while there are some, then to whoever has waited longest', async () => {
  const onFull = vi.fn<() => void>();
  const places = new SocketPlaces(2, onFull);
  const signal = new GiveUp();
  const held = [places.enter(signal), places.enter(signal)];
  expect(held.some((place) => place instanceof Promise)).toBe(false);
  expect(onFull).not.toHaveBeenCalled();
  const entered: string[] = [];
  const waiting = ['first', 'second'].map(async (name) => {
    const place = await places.enter(signal);
    entered.push(name);
    return place;
  });
  expect(onFull).toHaveBeenCalledTimes(2);
  (await held[0]!).release();
  const first = await waiting[0]!;
  expect(entered).toEqual(['first']);
  first.release();
  await waiting[1];
  expect(entered).toEqual(['first', 'second']);
});

it('keeps no place for whoever gives up, before or while waiting', async () => {
  const places = new SocketPlaces(1, () => {});
  const stays = new GiveUp();
  const leaves = new GiveUp();
  const held = await places.enter(stays);
  const waiting = places.enter(leaves);
  const next = places.enter(stays);
  leaves.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  held.release();
  (await next).release();
  await expect(places.enter(leaves)).rejects.toThrow('gone');
  expect(places.enter(stays)).not.toBeInstanceOf(Promise);
});
