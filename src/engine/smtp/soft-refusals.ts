import type { Clock } from '../ports.js';

const HOUR_MS = 60 * 60_000;
const REMEMBER_MS = 24 * HOUR_MS;
const MOST_REMEMBERED = 100_000;

/**
 * Addresses refused with "no such user" under a 4xx code (`unknown_local_recipient_reject_code=450` of Postfix): believed
 * only when the same comes again an hour or more later.
 */
export class SoftRefusals {
  readonly #firstAt = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** Notes the refusal; true when it repeats one of at least an hour ago. */
  isRepeated(address: string): boolean {
    const now = this.clock.now();
    const firstAt = this.#firstAt.get(address);
    if (firstAt !== undefined && now - firstAt < REMEMBER_MS) return now - firstAt >= HOUR_MS;
    if (this.#firstAt.size >= MOST_REMEMBERED) this.#firstAt.delete(this.#firstAt.keys().next().value!);
    this.#firstAt.set(address, now);
    return false;
  }
}
