import { expect, it } from 'vitest';
import { nextSlice } from './slices.js';

const round = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Who has had slices after each round of the event loop, until all have theirs. */
async function begun(uploads: readonly string[]): Promise<string[]> {
  const all: string[] = [];
  const rounds: string[] = [];
  for (const upload of uploads) {
    const [mode, accountId] = upload.split(' ') as [string, string];
    void nextSlice({ accountId, simulated: mode === 'test' }).then(() => all.push(upload));
  }
  while (rounds.length < uploads.length) {
    await round();
    rounds.push(all.slice(rounds.length).join(' and '));
  }
  return rounds;
}

it('one slice is begun in each round of the event loop, and accounts take turns however many uploads one of them sends', async () => {
  const uploads = [...Array.from({ length: 4 }, () => 'live many'), 'live one', 'live other'];
  expect(await begun(uploads)).toEqual(['live many', 'live one', 'live other', 'live many', 'live many', 'live many']);
});

it('a test key has a slice after eight of live keys, and all that live keys leave', async () => {
  const uploads = ['test a', 'test b', 'test a', ...Array.from({ length: 9 }, () => 'live c')];
  const live = Array.from({ length: 8 }, () => 'live c');
  // Of which some may have been begun before.
  const rounds = await begun(uploads);
  const first = rounds.indexOf('test a');
  expect(rounds.slice(0, first)).toEqual(live.slice(0, first));
  expect(rounds.slice(first)).toEqual(['test a', ...Array(9 - first).fill('live c'), 'test b', 'test a']);
});
