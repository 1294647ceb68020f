/**
 * Puts answers that come in any order into the order of their questions. What came too early is kept, so questions are let
 * through only while fewer than `most` of them stand between the oldest unanswered one and the newest.
 */
export class InOrder<Answer> {
  readonly #early = new Map<number, Answer>();
  #due = 0;
  #asked = 0;
  #wake = () => {};

  constructor(private readonly most: number) {}

  /** The questions as they may be asked. */
  async *throttle(questions: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string, void, void> {
    for await (const question of questions) {
      while (this.#asked - this.#due >= this.most) await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#asked += 1;
      yield question;
    }
  }

  /** Takes the answer to a question, counted from 0, and gives those that are due now. */
  take(index: number, answer: Answer): Answer[] {
    this.#early.set(index, answer);
    const due: Answer[] = [];
    for (let next = this.#early.get(this.#due); next !== undefined; next = this.#early.get(this.#due)) {
      this.#early.delete(this.#due);
      this.#due += 1;
      due.push(next);
    }
    if (due.length > 0) this.#wake();
    return due;
  }
}
