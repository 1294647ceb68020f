import type { Timer } from '../../src/platform/clock.js';
import { MemoryConnectionLimiter } from '../../src/engine/verification/engine.js';
import { type Clock } from '../../src/lib/clock.js';
import { type EnginePorts } from '../../src/engine/ports.js';

interface Alarm {
  readonly dueAt: number;
  readonly ms: number;
  readonly callback: () => void;
}

/** Never fires. */
export const NO_TIMER: Timer = { after: () => () => undefined };

/** Time that passes only when a test says so. */
export class ManualClock implements Clock {
  readonly #timers = new Set<Alarm>();
  readonly #waiting = new Set<{ ms: number; timers: number; resolve: () => void }>();
  #now: number;

  constructor(startsAt = Date.UTC(2026, 0, 1)) {
    this.#now = startsAt;
  }

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(this.now());
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { dueAt: this.#now + ms, ms, callback };
    this.#timers.add(timer);
    for (const waiting of this.#waiting) {
      if (waiting.ms !== ms || this.#count(ms) < waiting.timers) continue;
      this.#waiting.delete(waiting);
      waiting.resolve();
    }
    return () => this.#timers.delete(timer);
  }

  /** Timers that are set and have not fired. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Resolves when so many timers of so many milliseconds are running. */
  armed(ms: number, timers = 1): Promise<void> {
    if (this.#count(ms) >= timers) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.add({ ms, timers, resolve }));
  }

  /** Moves on, firing what falls due on the way, in order. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (let next = this.#next(until); next !== undefined; next = this.#next(until)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.dueAt);
      next.callback();
    }
    this.#now = until;
  }

  #count(ms: number): number {
    return [...this.#timers].filter((timer) => timer.ms === ms).length;
  }

  #next(until: number): Alarm | undefined {
    return [...this.#timers].filter(({ dueAt }) => dueAt <= until).sort((one, other) => one.dueAt - other.dueAt)[0];
  }
}

/** The ports that go by the clock. */
export function timedPorts(clock: Clock): Pick<EnginePorts, 'clock' | 'connectionLimiter'> {
  return { clock, connectionLimiter: new MemoryConnectionLimiter(clock) };
}

/** Time that runs as the machine's, and that a test moves on: what falls due on the way is done then, in order. */
export class MovedClock implements Clock {
  readonly #alarms = new Set<{ readonly dueAt: number; readonly ring: () => void }>();
  #ahead = 0;

  now(): number {
    return Date.now() + this.#ahead;
  }

  date(): Date {
    return new Date(this.now());
  }

  after(ms: number, callback: () => void): () => void {
    const cancel = () => {
      clearTimeout(timeout);
      this.#alarms.delete(alarm);
    };
    const ring = () => {
      cancel();
      callback();
    };
    const alarm = { dueAt: this.now() + ms, ring };
    const timeout = setTimeout(ring, ms).unref();
    this.#alarms.add(alarm);
    return cancel;
  }

  advance(ms: number): void {
    this.#ahead += ms;
    const due = [...this.#alarms].filter(({ dueAt }) => dueAt <= this.now());
    for (const alarm of due.sort((one, other) => one.dueAt - other.dueAt)) if (this.#alarms.has(alarm)) alarm.ring();
  }
}
