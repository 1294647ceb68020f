import type { CancelSignal, Permit } from '../../../lib/semaphore.js';

/** How a permit is waited for; without a turn before those that have one. */
type Acquire = (signal: CancelSignal, turn: string | null) => Promise<Permit>;

/** Why a wait ended: other connections have answered all. */
export const NOT_NEEDED = new Error('nothing is left to ask');
const HASTE = new Error('a single verification has come');

/** The waits of one route for permits, in the turn of the probe that is next; one in a list's turn can be hastened. */
export class PermitWaits {
  readonly #inTurn = new Set<AbortFlag>();
  #inHaste = 0;

  /** @param turn whose turn it is; null when a single verification waits */
  constructor(private readonly turn: () => string | null) {}

  /** Rejects with the signal's reason, or as `acquire` does. */
  async wait(signal: CancelSignal, acquire: Acquire): Promise<Permit> {
    for (let turn = this.turn(); turn !== null; turn = this.turn()) {
      if (signal.aborted) throw signal.reason as Error;
      const waiting = new AbortFlag();
      const stop = () => waiting.abort(signal.reason as Error);
      signal.addEventListener('abort', stop, { once: true });
      this.#inTurn.add(waiting);
      try {
        return await acquire(waiting, turn);
      } catch (error) {
        if (error !== HASTE) throw error;
      } finally {
        this.#inTurn.delete(waiting);
        signal.removeEventListener('abort', stop);
      }
    }
    this.#inHaste += 1;
    try {
      return await acquire(signal, null);
    } finally {
      this.#inHaste -= 1;
    }
  }

  /** All waits in a list's turn end: nothing is left to ask. */
  end(): void {
    for (const waiting of this.#inTurn) waiting.abort(NOT_NEEDED);
  }

  /** A wait in a list's turn begins again before lists, when a single verification has come; one is enough. */
  hasten(): void {
    if (this.#inHaste > 0 || this.turn() !== null) return;
    for (const first of this.#inTurn) return first.abort(HASTE);
  }
}

/**
 * An `AbortController` and its signal in one. Node's own is slower: V8 gives each `AbortSignal` a shape of its own, so that each of the
 * many look-ups of a connection in its signal misses the caches.
 */
export class AbortFlag implements CancelSignal {
  reason: Error | undefined = undefined;
  #listeners: (() => void)[] = [];

  get aborted(): boolean {
    return this.reason !== undefined;
  }

  abort(reason: Error): void {
    if (this.aborted) return;
    this.reason = reason;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    // A flag has few listeners, and the last one added is mostly the first one removed.
    const at = this.#listeners.lastIndexOf(listener);
    if (at !== -1) this.#listeners.splice(at, 1);
  }
}
