import type { Semaphore } from '../semaphore.js';

export interface FlushPace {
  /** The pause after a flush during which others came; a single caller never meets it. */
  readonly gather?: () => Promise<unknown>;
  /** When items are frequent the first one to reach an idle batcher waits for others, too. Left out: never. */
  readonly frequent?: Frequency;
  /** One permit, shared with batchers beside which this one does not flush. */
  readonly turn?: Semaphore;
}

/** So many items within so many milliseconds. */
export interface Frequency {
  readonly items: number;
  readonly withinMs: number;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
}

interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (result: Out | PromiseLike<Out>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Handles many single items in few flushes, one flush at a time.
 *
 * The batcher is idle or flushing. The first item to reach an idle batcher is flushed at once, alone. Items that come while a flush runs
 * wait, and when it ends the oldest of them, as many as a flush may have, make the next one. So a single caller never waits, and the more
 * callers there are, the larger are the flushes: PostgreSQL sees one statement and one commit instead of hundreds. As only one flush
 * runs, flushes of a process never wait for each other's locks. Before a flush of items that have waited the batcher may `gather` more, and
 * while items are `frequent` before any flush: then they come too far apart to meet, and near enough to be waited for.
 *
 * Batchers whose flushes would wait for each other all the same may share a `turn`: one of them flushes at a time, and what is flushed is
 * taken when the turn has come, with all that has come until then.
 *
 * Nothing is lost: the batcher looks for waiting items after each flush and becomes idle in the same step, so an item either is seen by
 * that look, or finds the batcher idle. A flush that fails rejects its own items; the others go on. There is nothing to stop: a
 * caller that closes what the flush uses first waits for the promises of its items.
 */
export class MicroBatcher<In, Out> {
  #waiting: Waiting<In, Out>[] = [];
  #isFlushing = false;
  /** When the last items came, the oldest first: as many as are frequent. */
  readonly #cameAt: number[] = [];

  /**
   * @param flush gives a result for each item, in their order, or the promise of one, for which the next flush does not wait
   * @param maxSize items of a flush
   */
  constructor(
    private readonly flush: (items: readonly In[]) => Promise<readonly (Out | PromiseLike<Out>)[]>,
    private readonly maxSize: number,
    private readonly pace: FlushPace = {},
  ) {}

  add(item: In): Promise<Out> {
    const isFrequent = this.#count();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isFlushing) void this.#run(isFrequent);
    });
  }

  /** Counts an item. @returns whether items are frequent */
  #count(): boolean {
    const { frequent } = this.pace;
    if (frequent === undefined) return false;
    const now = frequent.now();
    this.#cameAt.push(now);
    if (this.#cameAt.length < frequent.items) return false;
    return now - this.#cameAt.shift()! <= frequent.withinMs;
  }

  async #run(isFrequent: boolean): Promise<void> {
    this.#isFlushing = true;
    const { gather, turn } = this.pace;
    if (isFrequent) await gather?.();
    const flushNext = (): Promise<boolean> => this.#flush(this.#waiting.splice(0, this.maxSize));
    while (this.#waiting.length > 0) {
      const othersCame = await (turn === undefined ? flushNext() : turn.run(flushNext));
      if (othersCame) await gather?.();
    }
    this.#isFlushing = false;
  }

  /** @returns whether others came meanwhile, before those of this flush could come again */
  async #flush(batch: readonly Waiting<In, Out>[]): Promise<boolean> {
    try {
      const results = await this.flush(batch.map(({ item }) => item));
      if (results.length !== batch.length)
        throw new Error(`${batch.length} items were flushed, ${results.length} answered`);
      const othersCame = this.#waiting.length > 0;
      batch.forEach(({ resolve }, i) => resolve(results[i]!));
      return othersCame;
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return false;
    }
  }
}
