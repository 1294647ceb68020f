import { HOUR_MS } from '../../../lib/durations.js';
import { LruMap } from '../../../lib/lru-map.js';
import type { Clock } from '../../../lib/clock.js';

const REMEMBER_MS = 24 * HOUR_MS;
const MAX_REMEMBERED = 100_000;

/**
 * Addresses refused with "no such user" under a 4xx code (`unknown_local_recipient_reject_code=450` of Postfix). One such refusal says
 * little; the judge believes it when it is repeated an hour or more after the first, within a day.
 */
export class TransientRefusals {
  readonly #firstAt = new LruMap<string, number>(MAX_REMEMBERED);

  constructor(private readonly clock: Clock) {}

  /** Records that the address was refused now. True when the first refusal of the day was at least an hour ago. */
  recordAndCheck(address: string): boolean {
    const now = this.clock.now();
    const firstAt = this.#firstAt.get(address);
    if (firstAt !== undefined && now - firstAt < REMEMBER_MS) return now - firstAt >= HOUR_MS;
    this.#firstAt.set(address, now);
    return false;
  }
}
