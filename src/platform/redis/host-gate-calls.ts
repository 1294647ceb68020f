import type { Redis } from 'ioredis';
import type { Clock, HostCaps } from '../../engine/ports.js';
import { ENTER_SCRIPT } from './host-gate-scripts.js';
import { defineScript } from './lua-script.js';

interface Attempt {
  readonly host: string;
  readonly caps: HostCaps;
  readonly place: number;
  readonly answered: (answer: number) => void;
  readonly failed: (error: Error) => void;
}

/** Attempts of one call: Redis does nothing else meanwhile. */
const MOST_ATTEMPTS = 50;
/** A place given back waits so long for company: as long as whoever wants it waits before he looks again. */
const GIVE_BACK_WITHIN_MS = 20;

const enterHosts = defineScript<number[]>('enterHosts', null, ENTER_SCRIPT);

/** What a process tells Redis about places, gathered for one turn of the event loop: a call costs more than what it does. */
export class HostGateCalls {
  #attempts: Attempt[] = [];
  /** Place to the host that it was at. */
  #given = new Map<number, string>();
  #isDue = false;
  #isLater = false;

  /** @param times milliseconds of a place, and of a ticket in line */
  constructor(
    private readonly redis: Redis,
    private readonly clock: Clock,
    private readonly ticket: string,
    private readonly times: { readonly placeMs: number; readonly ticketMs: number },
  ) {}

  /**
   * Resolves with -1 when there is a place, else with the milliseconds for which there certainly is none.
   * @param place a number that the process has not used before
   */
  attempt(host: string, caps: HostCaps, place: number): Promise<number> {
    return new Promise((answered, failed) => {
      this.#attempts.push({ host, caps, place, answered, failed });
      this.#callSoon();
    });
  }

  giveBack(host: string, place: number): void {
    this.#given.set(place, host);
    if (this.#isLater) return;
    this.#isLater = true;
    this.clock.after(GIVE_BACK_WITHIN_MS, () => {
      this.#isLater = false;
      if (this.#given.size > 0) this.#callSoon();
    });
  }

  #callSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      const attempts = this.#attempts;
      const given = this.#given;
      this.#attempts = [];
      this.#given = new Map();
      void this.#call(given, attempts.slice(0, MOST_ATTEMPTS));
      for (let i = MOST_ATTEMPTS; i < attempts.length; i += MOST_ATTEMPTS)
        void this.#call(new Map(), attempts.slice(i, i + MOST_ATTEMPTS));
    });
  }

  async #call(given: ReadonlyMap<number, string>, attempts: readonly Attempt[]): Promise<void> {
    const { placeMs, ticketMs } = this.times;
    const keys: string[] = [];
    const values: (string | number)[] = [given.size, this.ticket, placeMs, ticketMs];
    for (const [place, host] of given) {
      keys.push(stemOf(host));
      values.push(place);
    }
    for (const { host, caps, place } of attempts) {
      keys.push(stemOf(host));
      values.push(place, caps.connections, caps.connectionsPerMinute ?? 0);
    }
    try {
      const answers = await enterHosts(this.redis, keys.length, ...keys, ...values);
      attempts.forEach(({ answered }, i) => answered(answers[i]!));
    } catch (error) {
      // A place that cannot be given back is free when its lease ends.
      for (const { failed } of attempts) failed(error as Error);
    }
  }
}

/** Under it are all keys of a host. */
export const stemOf = (host: string): string => `gate:${host}`;
