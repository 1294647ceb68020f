import { Hold } from '../../../lib/hold.js';

/**
 * The time from the last renewal until others may take the chunks of a suspended or unreachable process; those of a killed process are free
 * sooner. So long is also the pause before chunks are tried again after a fault of ours, and a stopping worker must have ended before it is over.
 */
export const LEASE_MS = 10_000;
/** Before a lease may end its unit begins nothing more, so that a late look, and clocks that differ a little, do no harm. */
const MARGIN_MS = 1_500;

/**
 * What a worker knows of the lease of one unit, measured by its own monotonic clock.
 *
 * The lease is sure, in doubt, or over.
 * - It is sure from each renewal on, counted from before the statement was sent, until shortly before its end.
 * - It is in doubt from then on, as when PostgreSQL does not answer: others may have taken the chunks. `hold` is held meanwhile, so that nothing is begun
 *   that another worker may ask about too; what is in flight ends, and its results are kept.
 * - The next renewal makes it sure again, for the chunks that it still has; the unit loses the others.
 */
export class HeldLease {
  readonly hold = new Hold();

  /** @param renewedAt a time by `performance.now()` before the lease was written */
  constructor(private renewedAt: number) {}

  /** The caller looks at it again when it has taken out what is lost. @param renewedAt as above */
  renewed(renewedAt: number): void {
    this.renewedAt = renewedAt;
  }

  isSure(now: number): boolean {
    return now - this.renewedAt < LEASE_MS - MARGIN_MS;
  }

  /** To be called again and again, for time makes a lease doubtful and calls nobody. @returns whether it is in doubt */
  look(now: number): boolean {
    this.hold.set(!this.isSure(now));
    return this.hold.isHeld;
  }
}
