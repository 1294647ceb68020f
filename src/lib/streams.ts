import { Latch } from './latch.js';

/**
 * Reads items as they come and yields them in groups: each group holds all that have come since the group before was taken.
 *
 * Two loops share the group that is being collected. The reader takes items from the source, adds them and wakes the consumer; it never
 * waits for the consumer, so the source must bound what it gives ahead. The consumer takes the group as soon as it has an item, and waits
 * while it has none.
 *
 * Nothing is lost, and everything comes in order: when the source ends, or fails, the consumer first gets what came before that. A
 * consumer that wants no more stops the source, and the iteration ends when the source has ended; the source's failure is then nobody's
 * concern.
 *
 * @param stop makes the source end soon; called in any case, once, when the iteration ends
 */
export async function* collectReady<T>(items: AsyncIterable<T>, stop: () => void): AsyncGenerator<T[], void> {
  const changed = new Latch();
  let group: T[] = [];
  let isOver = false;

  async function read(): Promise<void> {
    for await (const item of items) if (group.push(item) === 1) changed.notify();
  }

  const reading = read().finally(() => {
    isOver = true;
    changed.notify();
  });
  // The failure is rethrown by `await reading` below; this only silences the warning about an unhandled rejection.
  reading.catch(() => undefined);
  try {
    for (;;) {
      await changed.until(() => group.length > 0 || isOver);
      if (group.length === 0) return await reading;
      const ready = group;
      group = [];
      yield ready;
    }
  } finally {
    stop();
    await reading.catch(() => undefined);
  }
}

/**
 * Yields the items of a source and keeps exactly one request for the next item under way while the consumer uses the last one.
 *
 * The source is asked when the iteration begins, and again each time an item is handed out; never twice at once, so one item at most
 * waits, however slow the consumer is. An error of the source is thrown in its turn, after the items before it.
 *
 * A consumer that wants no more first waits for the request under way, whose item or error is dropped, and then closes the source:
 * nothing stays open behind it.
 */
export async function* readAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T, void> {
  let next = request(items);
  try {
    for (let item = await next; !item.done; item = await next) {
      next = request(items);
      yield item.value;
    }
  } finally {
    await next.catch(() => undefined);
    await items.return(undefined);
  }
}

function request<T>(items: AsyncGenerator<T>): Promise<IteratorResult<T>> {
  const requested = items.next();
  // The error is thrown by the next `await`; this only silences the warning about an unhandled rejection until then.
  requested.catch(() => undefined);
  return requested;
}

/**
 * Puts answers that come in any order into the order of their questions.
 *
 * A question has been let through, is answered but early (an older question is still open), or is done. `throttle` lets questions through
 * while fewer than `maxOpen` are between the oldest open one and the newest, so that no more answers than that are kept. `take` keeps an
 * early answer; the answer to the oldest open question brings all early ones behind it with it, and wakes `throttle`.
 *
 * Nothing is lost as long as each question is answered once. One that never is holds up all behind it: the caller must answer failures
 * too. `throttle` ends with the questions, and fails as they fail.
 */
export class InOrder<Answer> {
  readonly #early = new Map<number, Answer>();
  readonly #room = new Latch();
  /** The oldest open question. */
  #due = 0;
  #asked = 0;

  constructor(private readonly maxOpen: number) {}

  /** The questions as they may be asked. */
  async *throttle<Question>(
    questions: AsyncIterable<Question> | Iterable<Question>,
  ): AsyncGenerator<Question, void, void> {
    for await (const question of questions) {
      await this.#room.until(() => this.#asked - this.#due < this.maxOpen);
      this.#asked += 1;
      yield question;
    }
  }

  /** Takes the answer to a question, counted from 0, and gives those that are due now. */
  take(index: number, answer: Answer): Answer[] {
    this.#early.set(index, answer);
    const due: Answer[] = [];
    while (this.#early.has(this.#due)) {
      due.push(this.#early.get(this.#due)!);
      this.#early.delete(this.#due);
      this.#due += 1;
    }
    if (due.length > 0) this.#room.notify();
    return due;
  }
}
