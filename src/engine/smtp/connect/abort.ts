import type { CancelSignal } from '../../../lib/semaphore.js';

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
