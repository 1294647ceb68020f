/**
 * Remembers what was computed, up to a bound, and forgets everything at once when it is full.
 *
 * For values that can be computed again at any time and cost little memory: to forget all of them is the cheapest bound there is, a `get`
 * is one look-up in a `Map` and moves nothing. A list repeats its domains far more often than the memo is emptied; a caller that
 * fills it with invented keys only makes it forget. Facts that were expensive to learn belong into an `LruMap`.
 *
 * A value may be null; `undefined` means that nothing is remembered.
 */
export class Memo<K, V extends {} | null> {
  readonly #values = new Map<K, V>();

  constructor(private readonly maxEntries: number) {}

  get(key: K): V | undefined {
    return this.#values.get(key);
  }

  /** @returns the value */
  set(key: K, value: V): V {
    if (this.#values.size >= this.maxEntries && !this.#values.has(key)) this.#values.clear();
    this.#values.set(key, value);
    return value;
  }
}
