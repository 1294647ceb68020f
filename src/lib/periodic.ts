import type { Timer } from './clock.js';

export interface PeriodicOptions {
  /** From the end of one run to the beginning of the next. */
  readonly everyMs: number;
  /** From `start` to the first run; 0, the default: `start` begins it. */
  readonly firstAfterMs?: number;
  /** Decides whether a wait keeps the process alive. */
  readonly timer: Timer;
  /** Called with the error of each run that failed; must not throw. */
  readonly onError: (error: unknown) => void;
}

/**
 * Runs a task again and again, never twice at once, until it is stopped.
 *
 * It is idle, waiting, running or stopped. `start` makes it wait, or run; the timer makes it run; the end of a run makes it wait again,
 * whether the run failed or not. The time is counted from the end, so a task that takes longer than its period is not begun once more at
 * once, and runs do not pile up while a database is away.
 *
 * `stop` cancels the timer and waits for the run under way, after which nothing is begun any more: what the task uses may be closed.
 */
export class Periodic {
  #isStarted = false;
  #isStopped = false;
  #running = Promise.resolve();
  #cancelTimer = (): void => {};

  constructor(
    private readonly task: () => Promise<unknown>,
    private readonly options: PeriodicOptions,
  ) {}

  /** A second call does nothing, nor does one after `stop`. */
  start(): void {
    if (this.#isStarted || this.#isStopped) return;
    this.#isStarted = true;
    const { firstAfterMs = 0 } = this.options;
    if (firstAfterMs > 0) this.#runAfter(firstAfterMs);
    else this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer();
    await this.#running;
  }

  #runAfter(ms: number): void {
    this.#cancelTimer = this.options.timer.after(ms, () => {
      this.#running = this.#run();
    });
  }

  async #run(): Promise<void> {
    try {
      await this.task();
    } catch (error) {
      this.options.onError(error);
    }
    if (!this.#isStopped) this.#runAfter(this.options.everyMs);
  }
}
