import type { Timer } from '../lib/clock.js';

export type { Timer };

/** The time of day for everything outside the engine; injected, so that a test can make midnight pass. */
export interface WallClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** The same as a date. */
  date(): Date;
}

/** Nest tokens of the `WallClock` and the `Timer`. */
export const CLOCK = Symbol('CLOCK');
export const TIMER = Symbol('TIMER');

/** A clock that says this time: `date` follows `now`, also where a test replaces that. */
export const wallClock = (now: () => number = Date.now): WallClock => ({
  now,
  date() {
    return new Date(this.now());
  },
});

/** No wait keeps the process alive: the stop awaits all that must happen before its end. */
function after(ms: number, callback: () => void): () => void {
  const timeout = setTimeout(callback, ms).unref();
  return () => clearTimeout(timeout);
}

/** The timer of the process, for objects made outside Nest. No wait keeps the process alive. */
export const SYSTEM_TIMER: Timer = { after };
