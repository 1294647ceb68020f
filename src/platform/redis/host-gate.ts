import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Clock, GiveUpSignal, HostCaps, HostGate, HostLease, Random } from '../../engine/ports.js';
import { HostGateCalls, stemOf } from './host-gate-calls.js';
import { HOLD_SCRIPT } from './host-gate-scripts.js';
import { defineScript } from './lua-script.js';

export interface RedisHostGateOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Milliseconds after which the places of a killed process are free again. */
  readonly placeMs?: number;
  /** Milliseconds after which a killed process loses its turn. */
  readonly ticketMs?: number;
  /** Milliseconds of failing calls that a waiter bears, so that a Redis that restarts does not cost a batch its answers. Default: 0. */
  readonly patienceMs?: number;
}

interface Waiter {
  readonly caps: HostCaps;
  enter(lease: HostLease): void;
  fail(error: Error): void;
}

/** Who in this process waits for one host: in the order they came, asking Redis with one voice. */
interface Door {
  readonly waiting: Set<Waiter>;
  /** When the first one in line began to wait. */
  since: number;
  asking: boolean;
  /** A place was given back while Redis was being asked. */
  freed: boolean;
  /** Since when Redis does not answer. */
  failingSince: number | null;
  /** Our ticket stands in line. */
  inLine: boolean;
  cancelTimer: () => void;
}

const PLACE_MS = 30_000;
const TICKET_MS = 5_000;
/** Between two looks: a fifth of the time waited so far, so that a place given back idles no longer than that. */
const SOONEST_LOOK_MS = 20;
const LATEST_LOOK_MS = 250;
const LOOK_PART = 0.2;
/** Until the next call after one that failed. */
const AGAIN_MS = 500;
/** A look shows that the ticket's process is alive, so there are several in the ticket's time. */
const LOOKS_PER_TICKET = 4;
/** A place survives two renewals that fail. */
const RENEWALS_PER_PLACE = 3;

const holdPlaces = defineScript<number>('holdPlaces', null, HOLD_SCRIPT);

/**
 * The `HostGate` of all processes on one Redis. Within a process first come, first served; processes take turns in the
 * order in which they began to wait, so that one with a long queue does not shut out one with a single question. A place
 * is a lease, renewed while it is held. When Redis does not answer for longer than the
 * patience, `enter` rejects with the client's error.
 */
export class RedisHostGate implements HostGate {
  readonly #ticket = randomUUID();
  readonly #doors = new Map<string, Door>();
  /** Place to the host that it is at. */
  readonly #held = new Map<number, string>();
  readonly #calls: HostGateCalls;
  #renewing = false;
  #places = 0;

  constructor(
    private readonly redis: Redis,
    private readonly options: RedisHostGateOptions,
  ) {
    const { placeMs = PLACE_MS, ticketMs = TICKET_MS } = options;
    this.#calls = new HostGateCalls(redis, options.clock, this.#ticket, { placeMs, ticketMs });
  }

  enter(host: string, caps: HostCaps, signal: GiveUpSignal): Promise<HostLease> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const door = this.#doors.get(host) ?? this.#newDoor();
    this.#doors.set(host, door);
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        door.waiting.delete(waiter);
        this.#closeIfEmpty(host, door);
        reject(signal.reason);
      };
      const settled = () => signal.removeEventListener('abort', giveUp);
      const waiter: Waiter = {
        caps,
        enter: (lease) => {
          settled();
          resolve(lease);
        },
        fail: (error) => {
          settled();
          reject(error);
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      door.waiting.add(waiter);
      if (door.waiting.size === 1) void this.#admit(host, door);
    });
  }

  #newDoor(): Door {
    const since = this.options.clock.now();
    return {
      waiting: new Set(),
      since,
      asking: false,
      freed: false,
      failingSince: null,
      inLine: false,
      cancelTimer: () => {},
    };
  }

  /** Lets in who may enter now; one attempt after another, so that the order holds. */
  async #admit(host: string, door: Door): Promise<void> {
    if (door.asking) return;
    door.cancelTimer();
    door.asking = true;
    try {
      for (let first = firstOf(door); first !== null; first = firstOf(door)) {
        door.freed = false;
        const certainMs = await this.#attempt(host, first.caps, door);
        if (certainMs === null || door.freed) continue;
        this.#lookAgain(host, door, certainMs);
        break;
      }
    } catch (error) {
      this.#bear(host, door, error as Error);
    } finally {
      door.asking = false;
      this.#closeIfEmpty(host, door);
    }
  }

  /** Tries again as long as it may; then nobody who waits gets leave. */
  #bear(host: string, door: Door, error: Error): void {
    const { clock, patienceMs = 0 } = this.options;
    const now = clock.now();
    door.failingSince ??= now;
    if (now - door.failingSince < patienceMs) {
      door.cancelTimer = clock.after(AGAIN_MS, () => void this.#admit(host, door));
      return;
    }
    for (const waiter of door.waiting) waiter.fail(error);
    door.waiting.clear();
  }

  /** Null when a place was got, else for how long there certainly is none. */
  async #attempt(host: string, caps: HostCaps, door: Door): Promise<number | null> {
    const place = (this.#places += 1);
    const answer = await this.#calls.attempt(host, caps, place);
    door.failingSince = null;
    door.inLine = answer >= 0;
    if (door.inLine) return answer;
    const lease = this.#hold(host, place);
    // Whoever it was asked for may be gone by now: the next one takes it.
    const waiter = firstOf(door);
    door.since = this.options.clock.now();
    if (waiter === null) lease.release();
    else {
      door.waiting.delete(waiter);
      waiter.enter(lease);
    }
    return null;
  }

  #lookAgain(host: string, door: Door, certainMs: number): void {
    const { clock, random, ticketMs = TICKET_MS } = this.options;
    const part = (clock.now() - door.since) * LOOK_PART;
    const soon = Math.min(Math.max(part, SOONEST_LOOK_MS), LATEST_LOOK_MS) * (0.75 + random.fraction() / 2);
    const ms = Math.min(Math.max(certainMs, soon), ticketMs / LOOKS_PER_TICKET);
    door.cancelTimer = clock.after(ms, () => void this.#admit(host, door));
  }

  #hold(host: string, place: number): HostLease {
    this.#held.set(place, host);
    this.#renewLater();
    return {
      release: () => {
        this.#held.delete(place);
        this.#calls.giveBack(host, place);
        const door = this.#doors.get(host);
        if (door === undefined) return;
        door.freed = true;
        void this.#admit(host, door);
      },
    };
  }

  #closeIfEmpty(host: string, door: Door): void {
    if (door.waiting.size > 0 || door.asking) return;
    door.cancelTimer();
    if (this.#doors.get(host) === door) this.#doors.delete(host);
    if (!door.inLine) return;
    door.inLine = false;
    for (const part of ['line', 'asking'])
      this.redis.zrem(`${stemOf(host)}:${part}`, this.#ticket).catch(() => undefined);
  }

  #renewLater(): void {
    if (this.#renewing) return;
    this.#renewing = true;
    const { clock, placeMs = PLACE_MS } = this.options;
    clock.after(placeMs / RENEWALS_PER_PLACE, () => {
      this.#renewing = false;
      if (this.#held.size === 0) return;
      const stems = [...this.#held.values()].map(stemOf);
      const values = [this.#ticket, placeMs, ...this.#held.keys()];
      holdPlaces(this.redis, stems.length, ...stems, ...values).catch(() => undefined);
      this.#renewLater();
    });
  }
}

function firstOf({ waiting }: Door): Waiter | null {
  for (const waiter of waiting) return waiter;
  return null;
}
