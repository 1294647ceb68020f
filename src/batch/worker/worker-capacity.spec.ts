import { beforeEach, describe, expect, it } from 'vitest';
import type { LeasedChunk } from './leased-chunk.js';
import type { Batch } from '../model/batch.js';
import { HeldLease } from './chunk-leases.js';
import { type OpenUnit, openUnit, WorkerCapacity } from './worker-capacity.js';
import { wallClock } from '../../platform/clock.js';

let now: number;
let open: Set<OpenUnit>;
let room: WorkerCapacity;

beforeEach(() => {
  now = 0;
  open = new Set();
  room = new WorkerCapacity(
    open,
    wallClock(() => now),
  );
});

/** A unit with so many items. */
function take(items: number, accountId = 'somebody'): OpenUnit {
  const chunk: LeasedChunk = {
    batchId: 1,
    number: 0,
    pass: 0,
    windowPass: 0,
    partition: 0,
    items: [],
    offsets: Array.from({ length: items }, (_, offset) => offset),
    duplicates: new Map(),
    kept: null,
    free: new Set(),
    retries: null,
    attempts: 1,
  };
  const batch = { id: 1, accountId } as Batch;
  const common = { leaseOwner: 'us', lease: new HeldLease(0), isByDomain: false, isPoisoned: false };
  const unit = openUnit({ batch, chunks: [chunk], ...common }, now);
  open.add(unit);
  return unit;
}

describe('the room of a worker', () => {
  it('the room of a worker is for all batches up to 42,000 items, and for small ones up to 3,200 more', () => {
    take(41_999);
    expect([room.isForAll, room.isForSmall]).toEqual([true, true]);
    take(1);
    expect([room.isForAll, room.isForSmall]).toEqual([false, true]);
    take(3_199);
    expect([room.isForAll, room.isForSmall]).toEqual([false, true]);
    take(1);
    expect([room.isForAll, room.isForSmall]).toEqual([false, false]);
  });

  it('the room of a worker comes back with each result, and with units that are known to wait for mail hosts', () => {
    const unit = take(45_200);
    expect(room.isForSmall).toBe(false);
    unit.progress.settle();
    expect([room.isForAll, room.isForSmall]).toEqual([false, true]);
    expect(room.inWork()).toEqual([unit]);
    now = 6_000;
    expect(room.inWork()).toEqual([]);
    expect([room.isForAll, room.isForSmall]).toEqual([true, true]);
  });

  it('the room of a worker is for nobody while a thousand units are open, even if all of them wait', () => {
    for (let i = 0; i < 999; i++) take(1);
    now = 6_000;
    expect([room.isForAll, room.isForSmall]).toEqual([true, true]);
    take(1);
    expect([room.isForAll, room.isForSmall]).toEqual([false, false]);
  });

  it('the room of a worker is crowded from 12,000 items on, those that wait included', () => {
    take(11_999);
    expect(room.isCrowded).toBe(false);
    take(1);
    now = 6_000;
    expect(room.isCrowded).toBe(true);
  });
});

describe('a worker that has 24,000 items in work', () => {
  it('a worker that has 24,000 items in work has room only for accounts without work here, and gives a unit a quarter of what is left, one chunk at least', () => {
    take(12_000, 'first');
    take(11_999, 'second');
    expect([room.busyAccounts(), room.maxChunks()]).toEqual([[], Infinity]);
    take(1, 'third');
    expect([room.busyAccounts(), room.maxChunks()]).toEqual([['first', 'second', 'third'], 4]);
    take(17_000, 'fourth');
    expect(room.maxChunks()).toBe(1);
  });

  it('a worker that has 24,000 items in work has room for all when these items are known to wait for mail hosts', () => {
    take(30_000);
    now = 6_000;
    expect([room.busyAccounts(), room.maxChunks()]).toEqual([[], Infinity]);
  });
});
