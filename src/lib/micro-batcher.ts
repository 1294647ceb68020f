import type { Semaphore } from './semaphore.js';

export interface FlushPace {
  /** The pause after a flush in which those that come next gather; who comes after it waits for nothing. */
  readonly gather?: () => Promise<unknown>;
  /** One permit, shared with batchers beside which this one does not flush. */
  readonly turn?: Semaphore;
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
 * runs, flushes of a process never wait for each other's locks. After a flush the batcher may `gather` before it is idle again, so that
 * items that come often are flushed together although each flush is over before the next item; then a single caller, too, waits for the
 * rest of the pause, and a full flush for nothing.
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
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isFlushing) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isFlushing = true;
    const { gather, turn } = this.pace;
    const flushNext = (): Promise<void> => this.#flush(this.#waiting.splice(0, this.maxSize));
    while (this.#waiting.length > 0) {
      await (turn === undefined ? flushNext() : turn.run(flushNext));
      if (gather !== undefined && this.#waiting.length < this.maxSize) await gather();
    }
    this.#isFlushing = false;
  }

  async #flush(batch: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const results = await this.flush(batch.map(({ item }) => item));
      if (results.length !== batch.length)
        throw new Error(`${batch.length} items were flushed, ${results.length} answered`);
      batch.forEach(({ resolve }, i) => resolve(results[i]!));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
