import type { RecipientProbe } from './recipient-probe.js';

/** The probes that wait for the same connections. */
export class Lines {
  readonly putBack = new LinkedQueue();
  readonly urgent = new LinkedQueue();
  readonly normal = new TurnQueue();

  get length(): number {
    return this.putBack.length + this.urgent.length + this.normal.length;
  }

  take(): RecipientProbe | null {
    return this.putBack.take() ?? this.urgent.take() ?? this.normal.take();
  }
}

/** First in, first out within a turn; one of each turn after the other. */
class TurnQueue {
  length = 0;
  /** The lines that have probes; the first one is next. */
  readonly #lines = new Map<string, LinkedQueue>();

  add(probe: RecipientProbe): void {
    this.length += 1;
    const turn = probe.asker.turn ?? '';
    let line = this.#lines.get(turn);
    if (line === undefined) {
      line = new LinkedQueue();
      this.#lines.set(turn, line);
    }
    line.add(probe);
  }

  get nextTurn(): string {
    return this.#lines.keys().next().value ?? '';
  }

  take(): RecipientProbe | null {
    const next = this.#lines.entries().next().value;
    if (next === undefined) return null;
    const [turn, line] = next;
    this.length -= 1;
    const probe = line.take();
    // The only line keeps its turn, as in most batches.
    if (line.length === 0 || this.#lines.size > 1) this.#lines.delete(turn);
    if (line.length > 0) this.#lines.set(turn, line);
    return probe;
  }
}

/** Probes linked to each other, because an array that is emptied from its front is moved again and again. */
class LinkedQueue {
  first: RecipientProbe | null = null;
  length = 0;
  #last: RecipientProbe | null = null;

  /** The first one of a kind. */
  find(isOne: (probe: RecipientProbe) => boolean): RecipientProbe | null {
    for (let probe = this.first; probe !== null; probe = probe.next) if (isOne(probe)) return probe;
    return null;
  }

  add(probe: RecipientProbe): void {
    probe.next = null;
    if (this.#last === null) this.first = probe;
    else this.#last.next = probe;
    this.#last = probe;
    this.length += 1;
  }

  addFirst(probe: RecipientProbe): void {
    probe.next = this.first;
    this.first = probe;
    this.#last ??= probe;
    this.length += 1;
  }

  take(): RecipientProbe | null {
    const { first } = this;
    if (first === null) return null;
    this.first = first.next;
    first.next = null;
    if (this.first === null) this.#last = null;
    this.length -= 1;
    return first;
  }
}
