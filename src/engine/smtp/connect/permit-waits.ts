import type { CancelSignal, Permit } from '../../../lib/semaphore.js';
import { AbortFlag } from './abort.js';

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
