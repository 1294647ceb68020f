import type { WallClock } from '../../platform/clock.js';
import { SMALL_BATCH } from '../model/batch.store.js';
import { CHUNK_SIZE } from '../model/row-ref.js';
import { itemsOf, type OpenUnit } from './open-unit.js';
import { accountsWithTheirShare, MAX_UNITS, SHARE_OF_ROOM } from './share-of-units.js';

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
export class WorkerRoom {
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
    return items >= SHARED_OPEN ? Math.max(1, Math.floor(((MAX_OPEN - items) * SHARE_OF_ROOM) / CHUNK_SIZE)) : Infinity;
  }

  private isWithin(maxItems: number): boolean {
    return this.open.size < MAX_UNITS && itemsOf(this.inWork()) < maxItems;
  }
}
