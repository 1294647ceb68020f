import type { HostCaps } from '../../engine/ports.js';
import type { Clock } from '../../lib/clock.js';
import { defineScript } from '../../platform/redis/lua-script.js';
import { ACQUIRE_SCRIPT } from './connection-limiter-scripts.js';
import type { RedisClient } from '../../platform/redis/redis.js';

interface Attempt {
  readonly host: string;
  readonly caps: HostCaps;
  readonly permit: number;
  readonly isUrgent: boolean;
  readonly answered: (answer: number) => void;
  readonly failed: (error: Error) => void;
}

/** Attempts of one call: Redis does nothing else meanwhile. */
const MAX_ATTEMPTS = 50;
/** Released permits are sent together after this long, which is as long as a waiter pauses between two attempts at least. */
const RELEASE_WITHIN_MS = 20;

const acquirePermits = defineScript<number[]>('acquirePermits', null, ACQUIRE_SCRIPT);

/** Sends attempts and releases to Redis, batched for one turn of the event loop: a call costs more than its work in Redis. */
export class ConnectionLimiterCalls {
  #attempts: Attempt[] = [];
  /** Permits with their hosts. */
  #released = new Map<number, string>();
  #isCallDue = false;
  #isReleaseDue = false;

  /** @param times milliseconds that a permit, and a turn in line, are valid */
  constructor(
    private readonly redis: RedisClient,
    private readonly clock: Clock,
    private readonly turn: string,
    private readonly times: { readonly permitMs: number; readonly turnMs: number },
  ) {}

  /**
   * Resolves with -1 when the permit is granted, else with the milliseconds for which there certainly is none.
   * `permit` is a number that the process has not used before; an urgent attempt is for a single verification.
   */
  attempt({ host, caps, permit, isUrgent }: Omit<Attempt, 'answered' | 'failed'>): Promise<number> {
    return new Promise((answered, failed) => {
      this.#attempts.push({ host, caps, permit, isUrgent, answered, failed });
      this.#callSoon();
    });
  }

  release(host: string, permit: number): void {
    this.#released.set(permit, host);
    if (this.#isReleaseDue) return;
    this.#isReleaseDue = true;
    this.clock.after(RELEASE_WITHIN_MS, () => {
      this.#isReleaseDue = false;
      if (this.#released.size > 0) this.#callSoon();
    });
  }

  #callSoon(): void {
    if (this.#isCallDue) return;
    this.#isCallDue = true;
    setImmediate(() => {
      this.#isCallDue = false;
      const attempts = this.#attempts;
      const released = this.#released;
      this.#attempts = [];
      this.#released = new Map();
      void this.#call(released, attempts.slice(0, MAX_ATTEMPTS));
      for (let i = MAX_ATTEMPTS; i < attempts.length; i += MAX_ATTEMPTS)
        void this.#call(new Map(), attempts.slice(i, i + MAX_ATTEMPTS));
    });
  }

  async #call(released: ReadonlyMap<number, string>, attempts: readonly Attempt[]): Promise<void> {
    const { permitMs, turnMs } = this.times;
    const keys: string[] = [];
    const values: (string | number)[] = [released.size, this.turn, permitMs, turnMs];
    for (const [permit, host] of released) {
      keys.push(keyStem(host));
      values.push(permit);
    }
    for (const { host, caps, permit, isUrgent } of attempts) {
      keys.push(keyStem(host));
      values.push(permit, caps.connections, caps.connectionsPerMinute ?? 0, isUrgent ? 1 : 0);
    }
    try {
      const answers = await acquirePermits(this.redis, keys.length, ...keys, ...values);
      attempts.forEach(({ answered }, i) => answered(answers[i]!));
    } catch (error) {
      // A permit whose release is lost is free when its lease ends.
      for (const { failed } of attempts) failed(error as Error);
    }
  }
}

/** Prefix of all Redis keys of a host. The tag puts all of them into one slot of a cluster: a call is about many hosts. */
export const keyStem = (host: string): string => `{limiter}:${host}`;
