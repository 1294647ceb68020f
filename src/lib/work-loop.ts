import type { Timer } from './clock.js';

export interface WorkLoopOptions {
  /** Looks for work and gives what it finds to `begin`, until there is no more work or no more room. It may wait for room. */
  readonly fill: () => Promise<void>;
  /** Called with the error of a `fill` or a task that failed; must not throw. */
  readonly onError: (error: unknown) => void;
}

export interface StopOptions {
  readonly timer: Timer;
  /** Tasks that end within it are finished. */
  readonly graceMs: number;
  /** Called when the grace is over and tasks still run: makes them end soon. */
  readonly abort: () => void;
}

/**
 * A worker that looks for work when it is woken, and works on many things at once.
 *
 * It is idle, filling or stopped, and beside that any number of tasks run.
 * - `wake` makes an idle loop fill. While it fills, `wake` makes it look once more afterwards: work that a look has just missed is found by the next one.
 * - A task that ends has made room, so it wakes the loop by itself.
 *
 * Nothing is lost: between the last look and idleness no other code runs, so a `wake` either comes before the last look, or finds the
 * loop idle. A `fill` that fails is reported and counts as a look; the next `wake`, or one that came meanwhile, looks again.
 *
 * `stop` begins nothing more. It waits for the `fill` under way (which must not wait for room any longer once `isStopping`), then for the
 * tasks, which it aborts when the grace is over. What is left undone is found by the next process.
 */
export class WorkLoop {
  readonly #tasks = new Set<Promise<void>>();
  #filling = Promise.resolve();
  #isFilling = false;
  #isAsked = false;
  #isStopping = false;

  constructor(private readonly options: WorkLoopOptions) {}

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Resolves when the loop has looked and found nothing more. Never rejects. */
  wake(): Promise<void> {
    if (this.#isStopping) return Promise.resolve();
    this.#isAsked = true;
    if (!this.#isFilling) this.#filling = this.#fill();
    return this.#filling;
  }

  /** Called by `fill`. The loop looks for more when the task ends. */
  begin(task: () => Promise<void>): void {
    const running = this.#run(task).finally(() => {
      this.#tasks.delete(running);
      void this.wake();
    });
    this.#tasks.add(running);
  }

  /** A second call waits for the same, with a grace of its own. */
  async stop({ timer, graceMs, abort }: StopOptions): Promise<void> {
    this.#isStopping = true;
    await this.#filling;
    if (this.#tasks.size === 0) return;
    const cancelTimer = timer.after(graceMs, abort);
    await Promise.all(this.#tasks);
    cancelTimer();
  }

  async #fill(): Promise<void> {
    this.#isFilling = true;
    while (this.#isAsked && !this.#isStopping) {
      this.#isAsked = false;
      try {
        await this.options.fill();
      } catch (error) {
        this.options.onError(error);
      }
    }
    // In the same step as the last look: a `finally` of the promise runs later, and a `wake` in between would find nobody who looks.
    this.#isFilling = false;
  }

  async #run(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.options.onError(error);
    }
  }
}
