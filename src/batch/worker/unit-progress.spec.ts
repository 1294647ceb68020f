import { describe, expect, it } from 'vitest';
import type { LeasedChunk } from './leased-chunk.js';
import { UnitProgress } from './unit-progress.js';

const chunk = (number: number): LeasedChunk => ({
  batchId: 1,
  number,
  pass: 0,
  windowPass: 0,
  partition: 0,
  items: [],
  offsets: Array.from({ length: 100 }, (_, offset) => offset),
  duplicates: new Map(),
  kept: null,
  free: new Set(),
  retries: null,
  attempts: 1,
});

function unitOf(chunks: number) {
  const all = Array.from({ length: chunks }, (_, number) => chunk(number));
  return { all, progress: new UnitProgress(all, 0) };
}

const settle = (progress: UnitProgress, items: number): void => {
  for (let i = 0; i < items; i++) progress.settle();
};

describe('a unit', () => {
  it('a unit waits when it has more items than get their results in two minutes, which is known after six seconds', () => {
    const { progress } = unitOf(10);
    expect(progress.isWaiting(5_999)).toBe(false);
    expect(progress.isWaiting(6_000)).toBe(true);
    settle(progress, 40);
    expect(progress.isWaiting(6_000)).toBe(true);
    settle(progress, 10);
    expect(progress.isWaiting(6_000)).toBe(false);
    expect(progress.open).toBe(950);
  });

  it('a unit gives back its last chunks as far as it has not begun them and will not soon', () => {
    const { all, progress } = unitOf(10);
    for (const begun of all.slice(0, 2)) expect(progress.begin(begun)).toBe(true);
    settle(progress, 15);
    // Two and a half a second: 300 items are kept.
    expect(progress.giveBack(6_000)).toEqual(all.slice(4).toReversed());
    expect(progress.open).toBe(385);
    expect(progress.giveBack(6_000)).toEqual([]);
    expect(progress.begin(all[9]!)).toBe(false);
    expect(progress.begin(all[2]!)).toBe(true);
  });

  it('a unit gives back nothing that it has begun, and keeps a chunk although nothing comes', () => {
    const { all, progress } = unitOf(3);
    for (const begun of all.slice(0, 2)) progress.begin(begun);
    expect(progress.giveBack(6_000)).toEqual([all[2]]);
    const idle = unitOf(3);
    expect(idle.progress.giveBack(6_000)).toEqual(idle.all.slice(1).toReversed());
  });

  it('a unit wants others to look at its chunks again when half of what it kept is done, within five minutes', () => {
    const { progress } = unitOf(10);
    settle(progress, 20);
    expect(progress.returnAt(40_000).getTime()).toBe(340_000);
    settle(progress, 480);
    expect(progress.returnAt(40_000).getTime()).toBe(60_000);
    settle(progress, 490);
    expect(progress.returnAt(40_000).getTime()).toBe(45_000);
  });

  it('a unit wants others to look again within 20 s when it is young or had no result, as while a server is away', () => {
    const { progress } = unitOf(10);
    expect(progress.returnAt(2_000).getTime()).toBe(22_000);
    expect(progress.returnAt(40_000).getTime()).toBe(60_000);
    settle(progress, 20);
    expect(progress.returnAt(2_000).getTime()).toBe(22_000);
  });

  it('a unit begins nothing more of a chunk that it has lost, counts the rest of it no longer, and gives nothing of it back', () => {
    const { all, progress } = unitOf(3);
    const [lost, kept] = all as [LeasedChunk, LeasedChunk];
    expect(progress.begin(lost)).toBe(true);
    progress.settle();
    progress.lose(lost);
    for (let i = 0; i < 99; i++) expect(progress.begin(lost)).toBe(false);
    expect(progress.open).toBe(200);
    expect([progress.hasLost(lost), progress.hasLost(kept), progress.begin(kept)]).toEqual([true, false, true]);
  });
});
