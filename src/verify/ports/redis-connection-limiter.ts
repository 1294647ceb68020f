import { randomUUID } from 'node:crypto';
import { Turns } from '../../lib/turns.js';
import type { ConnectionLimiter, HostCaps } from '../../engine/ports.js';
import type { CancelSignal, Permit } from '../../lib/semaphore.js';
import type { Clock, Random } from '../../lib/clock.js';
import { defineScript } from '../../platform/redis/lua-script.js';
import type { RedisClient } from '../../platform/redis/redis.js';
import { ConnectionLimiterCalls, keyStem, RENEW_SCRIPT } from './connection-limiter-scripts.js';

export interface RedisConnectionLimiterOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Milliseconds after which the permits of a killed process are free again. */
  readonly permitMs?: number;
  /** Milliseconds after which a killed process loses its turn. */
  readonly turnMs?: number;
  /** Milliseconds of failing calls that a waiter tolerates, so that a Redis that restarts does not cost a batch its answers. Default: 0. */
  readonly patienceMs?: number;
}

interface Waiter {
  readonly caps: HostCaps;
  grant(permit: Permit): void;
  fail(error: Error): void;
}

/** This process's waiters for one host. */
interface HostQueue {
  readonly waiting: Turns<Waiter>;
  /** When the first waiter began to wait. */
  since: number;
  isAsking: boolean;
  /** While Redis was being asked, a permit was released, or the first waiter came that is urgent. */
  hasChanged: boolean;
  /** Since when Redis does not answer. */
  failingSince: number | null;
  /** Our turn is in a line of the host in Redis. */
  isInLine: boolean;
  cancelTimer: () => void;
}

const PERMIT_MS = 30_000;
const TURN_MS = 5_000;
/** Between two attempts passes a share of the time waited so far, so that a released permit idles no longer than that. */
const RETRY_SHARE = 0.2;
const MIN_RETRY_MS = 20;
const MAX_RETRY_MS = 250;
const RETRY_AFTER_FAILURE_MS = 500;
/** An attempt shows that the process is alive, so there are several in a turn's time. */
const ATTEMPTS_PER_TURN = 4;
/** A permit survives two renewals that fail. */
const RENEWALS_PER_PERMIT = 3;

const renewPermits = defineScript<number>('renewPermits', null, RENEW_SCRIPT);

/**
 * The `ConnectionLimiter` of all processes on one Redis.
 *
 * What: caps on open connections, and on connections a minute, hold over all processes. A permit is a lease in Redis, renewed while it is
 * held. Within a process waiters take turns by name, and those without a name go first (`Turns`). Processes take turns in the order in which they began to wait, so
 * that one with a long queue does not shut out one with a single probe: a process has one turn in a host's line, however many wait in it.
 * A process where somebody waits without a name is in the urgent line too, which goes before the other one but for every fifth permit.
 *
 * States of a host's queue: *asking*, while one call to Redis is under way; *pausing*, while a timer runs until the next attempt; gone,
 * when nobody waits. A waiter makes a new queue ask. An answer "granted" gives the permit to the first waiter and asks for the next one;
 * "none" puts our turn in line and pauses. The end of the pause, and a permit that this process releases, make the queue ask again.
 *
 * Invariants: a queue asks once at a time, so the order holds. A permit that is released while the queue asks is not missed
 * (`hasChanged` makes it ask again). A permit that nobody waits for any more is released at once. The last waiter to go takes our turn
 * out of the line.
 *
 * Failure: while Redis does not answer, waiters wait for as long as the patience, then `acquire` rejects with the client's error; nobody
 * connects without a permit. The leases of a killed process end by themselves, and so does its turn. When Redis has lost its data, the
 * next renewal takes the permits again, because their connections are open.
 */
export class RedisConnectionLimiter implements ConnectionLimiter {
  readonly #turn = randomUUID();
  readonly #queues = new Map<string, HostQueue>();
  /** Permits held, with their hosts. */
  readonly #held = new Map<number, string>();
  readonly #calls: ConnectionLimiterCalls;
  #isRenewing = false;
  #permits = 0;

  constructor(
    private readonly redis: RedisClient,
    private readonly options: RedisConnectionLimiterOptions,
  ) {
    const { permitMs = PERMIT_MS, turnMs = TURN_MS } = options;
    this.#calls = new ConnectionLimiterCalls(redis, options.clock, this.#turn, { permitMs, turnMs });
  }

  acquire(
    operator: string,
    caps: HostCaps,
    signal: CancelSignal,
    turn: string | null = null,
    source: string | null = null,
  ): Promise<Permit> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const host = source === null ? operator : `${operator}@${source}`;
    const queue = this.#queues.get(host) ?? this.#newQueue();
    this.#queues.set(host, queue);
    return new Promise((resolve, reject) => {
      const cancel = () => {
        queue.waiting.delete(place);
        this.#closeIfEmpty(host, queue);
        reject(signal.reason);
      };
      const settled = () => signal.removeEventListener('abort', cancel);
      const waiter: Waiter = {
        caps,
        grant: (permit) => {
          settled();
          resolve(permit);
        },
        fail: (error) => {
          settled();
          reject(error);
        },
      };
      signal.addEventListener('abort', cancel, { once: true });
      const isFirstUrgent = turn === null && !queue.waiting.hasUrgent;
      const place = queue.waiting.add(waiter, turn);
      if (queue.waiting.size === 1 || isFirstUrgent) this.#askAnew(host, queue);
    });
  }

  #newQueue(): HostQueue {
    const since = this.options.clock.now();
    return {
      waiting: new Turns(),
      since,
      isAsking: false,
      hasChanged: false,
      failingSince: null,
      isInLine: false,
      cancelTimer: () => {},
    };
  }

  #askAnew(host: string, queue: HostQueue): void {
    queue.hasChanged = true;
    void this.#ask(host, queue);
  }

  /** Asks Redis for one permit after another, until nobody waits or none is free. */
  async #ask(host: string, queue: HostQueue): Promise<void> {
    if (queue.isAsking) return;
    queue.cancelTimer();
    queue.isAsking = true;
    try {
      for (let { first } = queue.waiting; first !== null; first = queue.waiting.first) {
        queue.hasChanged = false;
        const certainMs = await this.#attempt(host, first.caps, queue);
        if (certainMs === null || queue.hasChanged) continue;
        this.#scheduleAttempt(host, queue, certainMs);
        break;
      }
    } catch (error) {
      this.#retryOrFail(host, queue, error as Error);
    } finally {
      queue.isAsking = false;
      this.#closeIfEmpty(host, queue);
    }
  }

  #retryOrFail(host: string, queue: HostQueue, error: Error): void {
    const { clock, patienceMs = 0 } = this.options;
    const now = clock.now();
    queue.failingSince ??= now;
    if (now - queue.failingSince < patienceMs) {
      queue.cancelTimer = clock.after(RETRY_AFTER_FAILURE_MS, () => void this.#ask(host, queue));
      return;
    }
    for (let waiter = queue.waiting.take(); waiter !== null; waiter = queue.waiting.take()) waiter.fail(error);
  }

  /** Null when a permit was granted, else for how many milliseconds there certainly is none. */
  async #attempt(host: string, caps: HostCaps, queue: HostQueue): Promise<number | null> {
    const id = (this.#permits += 1);
    const isUrgent = queue.waiting.hasUrgent;
    const answer = await this.#calls.attempt({ host, caps, permit: id, isUrgent });
    queue.failingSince = null;
    // An urgent turn that is over leaves the one in the other line.
    queue.isInLine = answer >= 0 || (isUrgent && queue.isInLine);
    if (answer >= 0) return answer;
    const permit = this.#hold(host, id);
    // The waiter that it was asked for may be gone by now: the next one takes it.
    const waiter = queue.waiting.take();
    queue.since = this.options.clock.now();
    if (waiter === null) permit.release();
    else waiter.grant(permit);
    return null;
  }

  #scheduleAttempt(host: string, queue: HostQueue, certainMs: number): void {
    const { clock, random, turnMs = TURN_MS } = this.options;
    const share = (clock.now() - queue.since) * RETRY_SHARE;
    const retryMs = Math.min(Math.max(share, MIN_RETRY_MS), MAX_RETRY_MS) * (0.75 + random.fraction() / 2);
    const ms = Math.min(Math.max(certainMs, retryMs), turnMs / ATTEMPTS_PER_TURN);
    queue.cancelTimer = clock.after(ms, () => void this.#ask(host, queue));
  }

  #hold(host: string, id: number): Permit {
    this.#held.set(id, host);
    this.#renewLater();
    return {
      release: () => {
        this.#held.delete(id);
        this.#calls.release(host, id);
        const queue = this.#queues.get(host);
        if (queue !== undefined) this.#askAnew(host, queue);
      },
    };
  }

  #closeIfEmpty(host: string, queue: HostQueue): void {
    if (queue.waiting.size > 0 || queue.isAsking) return;
    queue.cancelTimer();
    if (this.#queues.get(host) === queue) this.#queues.delete(host);
    if (!queue.isInLine) return;
    queue.isInLine = false;
    for (const part of ['line', 'urgent', 'asking'])
      this.redis.zrem(`${keyStem(host)}:${part}`, this.#turn).catch(() => undefined);
  }

  #renewLater(): void {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    const { clock, permitMs = PERMIT_MS } = this.options;
    clock.after(permitMs / RENEWALS_PER_PERMIT, () => {
      this.#isRenewing = false;
      if (this.#held.size === 0) return;
      const stems = [...this.#held.values()].map(keyStem);
      const values = [this.#turn, permitMs, ...this.#held.keys()];
      renewPermits(this.redis, stems.length, ...stems, ...values).catch(() => undefined);
      this.#renewLater();
    });
  }
}

const PAUSED = 'An administrator of this service has paused connections to this mail operator.';

/**
 * Grants no permit for an operator that is paused: what waits for one is answered at once, which says nothing about any mailbox, and
 * batches try again later as after any temporary failure. Connections that are open go on to their end.
 */
export class PausingConnectionLimiter implements ConnectionLimiter {
  constructor(
    private readonly limiter: ConnectionLimiter,
    private readonly isPaused: (operator: string) => boolean,
  ) {}

  async acquire(
    operator: string,
    caps: HostCaps,
    signal: CancelSignal,
    turn: string | null = null,
    source: string | null = null,
  ): Promise<Permit> {
    if (this.isPaused(operator)) throw new Error(PAUSED);
    const permit = await this.limiter.acquire(operator, caps, signal, turn, source);
    // It may have been paused while this one waited.
    if (!this.isPaused(operator)) return permit;
    permit.release();
    throw new Error(PAUSED);
  }
}
