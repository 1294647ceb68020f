/** So many waiters without a turn go one after another before one with a turn does, so that a flood of them keeps nobody waiting for ever. */
export const MAX_URGENT_IN_A_ROW = 4;

/** A waiter's place in a line. The places of a line are a ring, whose head has no waiter. */
export interface Place<Waiter> {
  readonly waiter: Waiter | null;
  readonly turn: string | null;
  before: Place<Waiter>;
  after: Place<Waiter>;
}

/**
 * Waiters that take turns: one of each turn after the other, first come, first served within a turn, so that nobody waits for the end of
 * somebody else's long line. Waiters without a turn go before those that have one, but for every fifth, which is one of these.
 *
 * Lines are linked rings, because waiters leave them from anywhere: a `Set` from whose front entries are deleted makes V8 walk over the
 * deleted ones each time, and an array moves all that follow.
 */
export class Turns<Waiter> {
  readonly #urgent = newHead<Waiter>(null);
  /** Heads of lines by turn; the first one is next. */
  readonly #lines = new Map<string, Place<Waiter>>();
  #size = 0;
  #urgentInARow = 0;

  get size(): number {
    return this.#size;
  }

  get hasUrgent(): boolean {
    return !isEmpty(this.#urgent);
  }

  /** @param turn null: the waiter goes before those that have one */
  add(waiter: Waiter, turn: string | null): Place<Waiter> {
    this.#size += 1;
    const head = turn === null ? this.#urgent : this.#lineOf(turn);
    const place: Place<Waiter> = { waiter, turn, before: head.before, after: head };
    head.before.after = place;
    head.before = place;
    return place;
  }

  /** The waiter whose turn it is; it stays. */
  get first(): Waiter | null {
    return this.#first(anyTurn)?.waiter ?? null;
  }

  /** Takes the waiter whose turn it is, of those turns that may be taken, and ends its turn. */
  take(mayTake: (turn: string | null) => boolean = anyTurn): Waiter | null {
    const first = this.#first(mayTake);
    if (first === null) return null;
    const { turn, waiter } = first;
    this.#urgentInARow = turn === null && this.#lines.size > 0 ? this.#urgentInARow + 1 : 0;
    this.delete(first);
    // The only line keeps its turn, as in most cases.
    const line = turn !== null && this.#lines.size > 1 ? this.#lines.get(turn) : undefined;
    if (line !== undefined) {
      this.#lines.delete(turn!);
      this.#lines.set(turn!, line);
    }
    return waiter;
  }

  /** The waiter waits no more. A second call does nothing. */
  delete(place: Place<Waiter>): void {
    const { turn } = place;
    if (place.after === place) return;
    place.before.after = place.after;
    place.after.before = place.before;
    // A place that V8 has promoted would keep all later ones alive until the next full collection.
    place.before = place;
    place.after = place;
    this.#size -= 1;
    if (turn !== null && isEmpty(this.#lines.get(turn)!)) this.#lines.delete(turn);
  }

  *[Symbol.iterator](): Generator<Waiter> {
    for (const head of [this.#urgent, ...this.#lines.values()])
      for (let place = head.after; place !== head; place = place.after) yield place.waiter!;
  }

  #first(mayTake: (turn: string | null) => boolean): Place<Waiter> | null {
    const line = this.#nextLine(mayTake);
    if (this.hasUrgent && (line === undefined || this.#urgentInARow < MAX_URGENT_IN_A_ROW) && mayTake(null))
      return this.#urgent.after;
    return line?.after ?? null;
  }

  #nextLine(mayTake: (turn: string | null) => boolean): Place<Waiter> | undefined {
    for (const [turn, line] of this.#lines) if (mayTake(turn)) return line;
    return undefined;
  }

  #lineOf(turn: string): Place<Waiter> {
    let line = this.#lines.get(turn);
    if (line === undefined) {
      line = newHead(turn);
      this.#lines.set(turn, line);
    }
    return line;
  }
}

function anyTurn(): boolean {
  return true;
}

function newHead<Waiter>(turn: string | null): Place<Waiter> {
  const head = { waiter: null, turn } as Place<Waiter>;
  head.before = head;
  head.after = head;
  return head;
}

function isEmpty(head: Place<unknown>): boolean {
  return head.after === head;
}
