import type { Redis } from 'ioredis';
import type { Clock, HostCaps } from '../../engine/ports.js';
import { ENTER_SCRIPT } from './host-gate-scripts.js';
import { defineScript } from './lua-script.js';

interface Attempt {
  readonly host: string;
  readonly caps: HostCaps;
  readonly place: string;
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
  /** Place to the key that it was in. */
  #given = new Map<string, string>();
  #isDue = false;
  #isLater = false;

  /** @param times milliseconds of a place, and of a ticket in line */
  constructor(
    private readonly redis: Redis,
    private readonly clock: Clock,
    private readonly ticket: string,
    private readonly times: { readonly placeMs: number; readonly ticketMs: number },
  ) {}

  /** Resolves with -1 when there is a place, else with the milliseconds for which there certainly is none. */
  attempt(host: string, caps: HostCaps, place: string): Promise<number> {
    return new Promise((answered, failed) => {
      this.#attempts.push({ host, caps, place, answered, failed });
      this.#callSoon();
    });
  }

  giveBack(openKey: string, place: string): void {
    this.#given.set(place, openKey);
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

  async #call(given: ReadonlyMap<string, string>, attempts: readonly Attempt[]): Promise<void> {
    const { placeMs, ticketMs } = this.times;
    const keys = [...given.values(), ...attempts.flatMap(({ host }) => Object.values(keysOf(host)))];
    const wishes = attempts.flatMap(({ place, caps }) => [place, caps.connections, caps.connectionsPerMinute ?? 0]);
    const values = [given.size, this.ticket, placeMs, ticketMs, ...given.keys(), ...wishes];
    try {
      const answers = await enterHosts(this.redis, keys.length, ...keys, ...values);
      attempts.forEach(({ answered }, i) => answered(answers[i]!));
    } catch (error) {
      // A place that cannot be given back is free when its lease ends.
      for (const { failed } of attempts) failed(error as Error);
    }
  }
}

/** In the order in which the script takes them. */
export function keysOf(host: string) {
  const key = (part: string) => `gate:${host}:${part}`;
  return { open: key('open'), opened: key('opened'), line: key('line'), asking: key('asking') };
}
