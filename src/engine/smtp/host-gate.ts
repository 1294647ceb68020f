import type { Clock, GiveUpSignal, HostCaps, HostGate, HostLease } from '../ports.js';

interface Door {
  open: number;
  /** When the last minute's connections were opened, oldest first. */
  readonly opened: number[];
  readonly waiting: Set<Waiter>;
  cancelTimer: (() => void) | null;
}

interface Waiter {
  readonly caps: HostCaps;
  readonly enter: () => void;
}

const MINUTE_MS = 60_000;

/** The `HostGate` of one process: first come, first served. */
export class MemoryHostGate implements HostGate {
  readonly #doors = new Map<string, Door>();

  constructor(private readonly clock: Clock) {}

  enter(host: string, caps: HostCaps, signal: GiveUpSignal): Promise<HostLease> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const door = this.#doors.get(host) ?? { open: 0, opened: [], waiting: new Set(), cancelTimer: null };
    this.#doors.set(host, door);
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        door.waiting.delete(waiter);
        if (door.waiting.size === 0) this.#stopTimer(door);
        reject(signal.reason);
      };
      const waiter: Waiter = {
        caps,
        enter: () => {
          signal.removeEventListener('abort', giveUp);
          resolve({ release: () => this.#leave(host, door) });
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      door.waiting.add(waiter);
      this.#admit(door);
    });
  }

  #leave(host: string, door: Door): void {
    door.open -= 1;
    this.#admit(door);
    if (door.open === 0 && door.waiting.size === 0 && door.opened.length === 0) this.#doors.delete(host);
  }

  #admit(door: Door): void {
    for (const waiter of door.waiting) {
      if (door.open >= waiter.caps.connections) return;
      const waitMs = this.#waitMs(door, waiter.caps);
      if (waitMs > 0) {
        door.cancelTimer ??= this.clock.after(waitMs, () => {
          door.cancelTimer = null;
          this.#admit(door);
        });
        return;
      }
      door.waiting.delete(waiter);
      door.open += 1;
      if (waiter.caps.connectionsPerMinute !== null) door.opened.push(this.clock.now());
      waiter.enter();
    }
  }

  #stopTimer(door: Door): void {
    door.cancelTimer?.();
    door.cancelTimer = null;
  }

  #waitMs(door: Door, caps: HostCaps): number {
    if (caps.connectionsPerMinute === null) return 0;
    const now = this.clock.now();
    while (door.opened.length > 0 && door.opened[0]! <= now - MINUTE_MS) door.opened.shift();
    return door.opened.length < caps.connectionsPerMinute ? 0 : door.opened[0]! + MINUTE_MS - now;
  }
}
