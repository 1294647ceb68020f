/**
 * Waiters that take turns: one of each turn after the other, first come, first served within a turn, so that nobody waits for the end of
 * somebody else's long line. Waiters without a turn go before all others.
 */
export class Turns<Waiter> {
  readonly #urgent = new Set<Waiter>();
  /** Lines by turn; the first one is next. */
  readonly #lines = new Map<string, Set<Waiter>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @param turn null: the waiter goes before all that have one */
  add(waiter: Waiter, turn: string | null): void {
    this.#size += 1;
    if (turn === null) this.#urgent.add(waiter);
    else {
      const line = this.#lines.get(turn);
      if (line === undefined) this.#lines.set(turn, new Set([waiter]));
      else line.add(waiter);
    }
  }

  /** The waiter whose turn it is; it stays. */
  get first(): Waiter | null {
    for (const waiter of this.#urgent) return waiter;
    for (const line of this.#lines.values()) for (const waiter of line) return waiter;
    return null;
  }

  /** Takes the waiter whose turn it is, and ends its turn. */
  take(): Waiter | null {
    const { first } = this;
    if (first === null) return null;
    this.#size -= 1;
    if (this.#urgent.delete(first)) return first;
    const [turn, line] = this.#lines.entries().next().value!;
    line.delete(first);
    this.#lines.delete(turn);
    if (line.size > 0) this.#lines.set(turn, line);
    return first;
  }

  /** The waiter waits no more. */
  delete(waiter: Waiter, turn: string | null): void {
    const line = turn === null ? this.#urgent : this.#lines.get(turn);
    if (line?.delete(waiter) !== true) return;
    this.#size -= 1;
    if (turn !== null && line.size === 0) this.#lines.delete(turn);
  }

  *[Symbol.iterator](): Generator<Waiter> {
    yield* this.#urgent;
    for (const line of this.#lines.values()) yield* line;
  }

  clear(): void {
    this.#urgent.clear();
    this.#lines.clear();
    this.#size = 0;
  }
}
