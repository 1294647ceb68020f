import { Latch } from './latch.js';

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
