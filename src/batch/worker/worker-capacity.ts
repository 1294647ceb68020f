import type { WallClock } from '../../platform/clock.js';
import { SMALL_BATCH } from '../model/batch.store.js';
import { CHUNK_SIZE } from '../model/row-ref.js';
import type { LeasedUnit } from './chunk-leases.js';
import type { LeasedChunk } from './leased-chunk.js';
import { accountsWithTheirShare, MAX_UNITS, SHARE_OF_CAPACITY, UnitProgress } from './unit-progress.js';

/** A unit of work from its lease until its results are stored, its chunks are repartitioned, or the worker gives it up. */
export interface OpenUnit {
  readonly unit: LeasedUnit;
  readonly controller: AbortController;
  /** Chunks whose results are not stored yet. */
  readonly left: Set<LeasedChunk>;
  readonly progress: UnitProgress;
  /** Chunks that it has given back, and the tables do not know yet. */
  readonly givenBack: Set<LeasedChunk>;
  /** There was no room to wait: when others may look at its chunks. */
  putOffUntil: Date | null;
}

export function openUnit(unit: LeasedUnit, now: number): OpenUnit {
  return {
    unit,
    controller: new AbortController(),
    left: new Set(unit.chunks),
    progress: new UnitProgress(unit.chunks, now),
    givenBack: new Set(),
    putOffUntil: null,
  };
}

/**
 * Takes out what the unit has lost. Its hold is held then until the caller looks at the lease again, so that what only waited to be asked is
 * taken back, and begun anew where it is still its own.
 * @param held numbers of the chunks that a renewal has found to be its own, null: none of it is wanted here any more
 */
export function keepHeld({ unit, controller, left, progress }: OpenUnit, held: ReadonlySet<number> | null): void {
  if (held === null) return controller.abort();
  // The chunks of a unit that is repartitioned are not known here.
  if (unit.isByDomain) return;
  const lost = [...left].filter(({ number }) => !held.has(number));
  for (const chunk of lost) {
    progress.lose(chunk);
    left.delete(chunk);
  }
  if (lost.length > 0) unit.lease.hold.set(true);
  if (left.size === 0) controller.abort();
}

export function itemsOf(units: Iterable<OpenUnit>): number {
  let items = 0;
  for (const { progress } of units) items += progress.open;
  return items;
}

/** Items in work at once in a process, about 1 KB each, without those that wait for mail hosts. */
const MAX_OPEN = 42_000;
/** Items in work from which on only accounts without work here get room, each a share of what is left, so that many of them find some. */
const SHARED_OPEN = 24_000;
/** Small batches that are leased together. */
export const MAX_SMALL_TOGETHER = 32;
/**
 * Room that only small batches have, beyond that of all: large ones that have just begun at slow mail hosts fill theirs, and it takes some
 * sweeps until they are known to wait.
 */
const SMALL_OPEN = MAX_SMALL_TOGETHER * SMALL_BATCH;
/**
 * Items that wait for mail hosts at once in a process. They have room of their own, so that no account waits for the slow hosts of
 * another one; what is beyond it is put off.
 */
export const MAX_WAITING = 24_000;
/** From so many open items on, with those that wait, units that wait give back what they have not begun. */
const CROWDED_OPEN = 12_000;

/** For which work a process has room beside the units that are open, and for how much of it. */
export class WorkerCapacity {
  constructor(
    private readonly open: ReadonlySet<OpenUnit>,
    private readonly clock: WallClock,
  ) {}

  get isForAll(): boolean {
    return this.isWithin(MAX_OPEN);
  }

  get isForSmall(): boolean {
    return this.isWithin(MAX_OPEN + SMALL_OPEN);
  }

  get isCrowded(): boolean {
    return itemsOf(this.open) >= CROWDED_OPEN;
  }

  /** Units that do not only wait for mail hosts. */
  inWork(): OpenUnit[] {
    const now = this.clock.now();
    return [...this.open].filter(({ progress }) => !progress.isWaiting(now));
  }

  /** Accounts whose work here leaves no more room for them. */
  busyAccounts(): string[] {
    const inWork = this.inWork();
    const withItems = itemsOf(inWork) >= SHARED_OPEN ? inWork.map(({ unit }) => unit.batch.accountId) : [];
    return [...withItems, ...accountsWithTheirShare([...this.open].map(({ unit }) => unit.batch.accountId))];
  }

  /** Chunks that one unit of a large batch may have. */
  maxChunks(): number {
    const items = itemsOf(this.inWork());
    return items >= SHARED_OPEN
      ? Math.max(1, Math.floor(((MAX_OPEN - items) * SHARE_OF_CAPACITY) / CHUNK_SIZE))
      : Infinity;
  }

  private isWithin(maxItems: number): boolean {
    return this.open.size < MAX_UNITS && itemsOf(this.inWork()) < maxItems;
  }
}
