/**
 * Holds work up for a while: whoever begins things looks at `isHeld` first, and listens for its end.
 *
 * A hold is free or held. Both changes call every listener, each once, in the order in which they came; `set` to what it is already calls
 * nobody. A listener must not throw. Like an `AbortSignal` it says nothing about what was begun before, and unlike one it may end.
 */
export class Hold {
  readonly #listeners = new Set<() => void>();
  #isHeld = false;

  get isHeld(): boolean {
    return this.#isHeld;
  }

  set(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    for (const listener of Array.from(this.#listeners)) listener();
  }

  /** @returns ends the listening */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Resolves when it is free, or when the signal is aborted. */
  async untilFree(signal: AbortSignal): Promise<void> {
    if (!this.#isHeld || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (this.#isHeld && !signal.aborted) return;
        unlisten();
        signal.removeEventListener('abort', look);
        resolve();
      };
      const unlisten = this.listen(look);
      signal.addEventListener('abort', look);
    });
  }
}
