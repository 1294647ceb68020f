/**
 * Wakes a loop that waits for something to change: PostgreSQL's latch, tokio's `Notify`.
 *
 * A latch has two states, clear and set, and at most one loop waits for it.
 * - `notify` sets the latch. If the loop waits, it wakes and the latch is clear again.
 * - `wait` returns at once when the latch is set, and clears it; otherwise it waits for the next `notify`.
 *
 * Nothing is lost: a notification that comes while the loop is busy stays until the loop waits the next time. Notifications are not
 * counted, ten are as good as one, so the loop looks at what has changed each time it wakes. `until` does that by itself, and one
 * wake-up too many only costs it another look.
 *
 * A latch cannot fail and has no end: to stop a loop, set what its condition reads and notify.
 */
export class Latch {
  #isSet = false;
  #waiting: Promise<void> | null = null;
  #wake = (): void => {};

  notify(): void {
    if (this.#waiting === null) {
      this.#isSet = true;
      return;
    }
    this.#waiting = null;
    this.#wake();
  }

  wait(): Promise<void> {
    if (this.#isSet) {
      this.#isSet = false;
      return Promise.resolve();
    }
    return (this.#waiting ??= new Promise((resolve) => (this.#wake = resolve)));
  }

  /** Looks at the condition now and after each notification, and returns when it is true. */
  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await this.wait();
  }

  /** Forgets a notification that came before now. */
  reset(): void {
    this.#isSet = false;
  }
}
