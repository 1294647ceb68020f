import type { Clock } from '../../../lib/clock.js';

/** So many that wait for other answers wait no longer: they take up room that other addresses of their list could use. */
const MAX_WAITING = 100;
/** Other lists may keep a route busy for hours. */
const MAX_WAIT_MS = 5_000;

/** Those who wait until all probes of a route are answered, as far as that comes soon. */
export class AnswerWaits {
  #waiting: (() => void)[] = [];
  #cancelTimer: (() => void) | null = null;

  constructor(private readonly clock: Clock) {}

  /** True when it was called back at once, with all others, because so many wait. */
  add(callback: () => void): boolean {
    this.#waiting.push(callback);
    this.#cancelTimer ??= this.clock.after(MAX_WAIT_MS, () => this.end());
    if (this.#waiting.length < MAX_WAITING) return false;
    this.end();
    return true;
  }

  /** Calls all back. */
  end(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const callback of waiting) callback();
  }
}
