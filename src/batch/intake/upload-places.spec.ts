import { expect, it } from 'vitest';
import { Slices } from './upload-places.js';

const round = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Who has had slices after each round of the event loop, until all have theirs. */
async function begun(uploads: readonly string[]): Promise<string[]> {
  const slices = new Slices();
  const all: string[] = [];
  const rounds: string[] = [];
  for (const upload of uploads) {
    const [mode, accountId] = upload.split(' ') as [string, string];
    void slices.next({ accountId, simulated: mode === 'test' }).then(() => all.push(upload));
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
  const eight = Array.from({ length: 8 }, () => 'live c');
  expect(await begun(uploads)).toEqual([...eight, 'test a', 'live c', 'test b', 'test a']);
});
