import { expect, it } from 'vitest';
import { previewInTurn, Slices, WorkbookPlaces } from './upload-places.js';

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

const ONE = { accountId: 'one', simulated: false };
const OTHER = { accountId: 'other', simulated: false };
const stays = new AbortController().signal;

it('an account looks at one table at a time, and keeps no other account and not its other mode waiting', async () => {
  const begun: string[] = [];
  let finish = () => {};
  const preview = (name: string, work?: Promise<void>) => async () => {
    begun.push(name);
    await work;
  };
  const first = previewInTurn(ONE, stays, preview('first', new Promise((resolve) => (finish = resolve))));
  const second = previewInTurn(ONE, stays, preview('second'));
  await previewInTurn(OTHER, stays, preview('other'));
  await previewInTurn({ ...ONE, simulated: true }, stays, preview('test'));
  expect(begun).toEqual(['first', 'other', 'test']);
  finish();
  await Promise.all([first, second]);
  expect(begun).toEqual(['first', 'other', 'test', 'second']);
});

it('an account has one of the places of large workbooks, and whoever waits and has gone takes none', async () => {
  const places = new WorkbookPlaces();
  const place = await places.enter(ONE, stays);
  const gone = new AbortController();
  const second = places.enter(ONE, gone.signal);
  const others = await places.enter(OTHER, stays);
  gone.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  const waiting = places.enter({ accountId: 'third', simulated: false }, stays);
  place.release();
  (await waiting).release();
  others.release();
  (await places.enter(ONE, stays)).release();
});
