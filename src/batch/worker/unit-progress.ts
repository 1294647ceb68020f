import type { LeasedChunk } from './leased-chunk.js';

/** Units open at once in a process: the leases of all are renewed in each sweep. */
export const MAX_UNITS = 1_000;
/** Open units from which on an account gets more of them only up to a share of those that are left. */
const SHARED_UNITS = MAX_UNITS / 2;
/** What is left of room is given out so that many accounts find some. */
export const SHARE_OF_CAPACITY = 1 / 4;

/**
 * Accounts that have as many units here as they may, so that the others find room.
 *
 * A unit that waits for a slow mail host has few items at times, a single one of a batch of one address: without a share a thousand such
 * batches of one account would be all that a worker has, for as long as their host likes. Units that wait count like all others.
 * @param accountIds the account of each open unit
 */
export function accountsWithTheirShare(accountIds: readonly string[]): string[] {
  if (accountIds.length < SHARED_UNITS) return [];
  const share = Math.max(1, Math.floor((MAX_UNITS - accountIds.length) * SHARE_OF_CAPACITY));
  const units = new Map<string, number>();
  for (const id of accountIds) units.set(id, (units.get(id) ?? 0) + 1);
  return [...units].filter(([, open]) => open >= share).map(([id]) => id);
}

/** A unit keeps as many items as get their results in this time; the others wait in the tables, where they take up nobody's room. */
const SOON_MS = 120_000;
/** The pace is that of so long a time: fast mail hosts are asked first, and the slow ones that are left tell nothing of it before. */
const RECENT_MS = 20_000;
/** The pace of a unit is known after this long: a process that has just started is slow by itself. */
const FIRST_CHECK_MS = 6_000;
const MIN_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 300_000;

/**
 * How far a unit is, and how fast. Where the caps of a mail operator set its pace, most of its items only wait, and it gives back chunks
 * that it has not begun.
 */
export class UnitProgress {
  /** Chunks of which an item was asked about. */
  private readonly begun = new Set<LeasedChunk>();
  private lastBegun: LeasedChunk | null = null;
  private readonly givenBack = new Set<LeasedChunk>();
  /** Chunks that another worker may have begun. */
  private readonly lost = new Set<LeasedChunk>();
  private settled = 0;
  /** Items without a result. */
  private left: number;
  /** How many items had results at which times, the oldest first. */
  private readonly measured: { readonly at: number; readonly settled: number }[];

  constructor(
    private readonly chunks: readonly LeasedChunk[],
    private readonly startedAt: number,
  ) {
    this.measured = [{ at: startedAt, settled: 0 }];
    this.left = chunks.reduce((items, { offsets }) => items + offsets.length, 0);
  }

  /** An item of the chunk is about to be asked about; false: the chunk was given back, or was lost. */
  begin(chunk: LeasedChunk): boolean {
    // Addresses of one chunk mostly come one after the other, and a million of them pass here.
    if (chunk === this.lastBegun) return true;
    if (this.givenBack.has(chunk)) return false;
    if (this.lost.has(chunk)) {
      this.left -= 1;
      return false;
    }
    this.begun.add(chunk);
    this.lastBegun = chunk;
    return true;
  }

  /** Items of a chunk need not be asked about: the chunk is not given back any more. */
  skip(chunk: LeasedChunk, items: number): void {
    this.begun.add(chunk);
    this.left -= items;
  }

  /** An item has its result. */
  settle(): void {
    this.settled += 1;
    this.left -= 1;
  }

  /** The lease of the chunk has ended: nothing of it is begun any more. What was begun ends, and its first commit counts, here or elsewhere. */
  lose(chunk: LeasedChunk): void {
    if (this.givenBack.has(chunk)) return;
    this.lost.add(chunk);
    this.lastBegun = null;
  }

  hasLost(chunk: LeasedChunk): boolean {
    return this.lost.has(chunk);
  }

  get open(): number {
    return this.left;
  }

  /** Keeps the pace up to date; to be called every few seconds. */
  measure(now: number): void {
    this.measured.push({ at: now, settled: this.settled });
    while (this.measured.length > 1 && this.measured[1]!.at <= now - RECENT_MS) this.measured.shift();
  }

  /** Items that got their results in each millisecond of late. */
  pace(now: number): number {
    const { at, settled } = this.measured[0]!;
    return (this.settled - settled) / Math.max(1, now - at);
  }

  /** The unit has more items than get their results soon. */
  isWaiting(now: number): boolean {
    return now - this.startedAt >= FIRST_CHECK_MS && this.left > this.pace(now) * SOON_MS;
  }

  /** Takes chunks out of the unit that it has not begun and will not begin soon. */
  giveBack(now: number): readonly LeasedChunk[] {
    if (!this.isWaiting(now)) return [];
    const soon = this.pace(now) * SOON_MS;
    const back: LeasedChunk[] = [];
    for (const chunk of this.chunks.toReversed()) {
      if (this.left - chunk.offsets.length < Math.max(1, soon)) break;
      if (this.begun.has(chunk) || this.givenBack.has(chunk)) continue;
      this.givenBack.add(chunk);
      this.left -= chunk.offsets.length;
      back.push(chunk);
    }
    return back;
  }

  /** When chunks that were given back may be looked at again: before this unit has nothing left, in case its pace grows. */
  returnAt(now: number): Date {
    const pace = this.pace(now);
    // A server that was away, or a process that has just started, looks like slow mail hosts: that is not believed for long.
    const longestMs = pace === 0 || now - this.startedAt < RECENT_MS ? RECENT_MS : MAX_PAUSE_MS;
    const halfMs = pace === 0 ? longestMs : this.left / pace / 2;
    return new Date(now + Math.min(longestMs, Math.max(MIN_PAUSE_MS, halfMs)));
  }
}
