import { Hold } from '../../lib/hold.js';

/** Sweeps of a worker write to PostgreSQL each two seconds: after so long without an answer it was away, not slow. */
const SILENT_MS = 6_000;
/** Within which every worker that is alive has renewed its leases when PostgreSQL is back: two sweeps and a bit. */
const GRACE_MS = 5_000;

/**
 * Tells which leases of others count as expired.
 *
 * While PostgreSQL does not answer nobody can renew a lease, so that all of them expire although their workers live. Who comes first when it is back
 * would take what others still work on, and have it asked twice. So a worker that has met such a silence takes, for a grace, only what had expired before
 * it, and calls no worker dead: by then the others have renewed what is theirs.
 */
export class SilenceOfDatabase {
  private answeredAt: { readonly now: number; readonly time: number };
  /** The last silence: when it began, and until when its grace lasts. */
  private last: { readonly time: number; readonly graceEndsAt: number } | null = null;

  /** @param now by `performance.now()`, which no change of the time of day makes jump. @param time by the wall clock, as leases are */
  constructor(now: number, time: number) {
    this.answeredAt = { now, time };
  }

  /** PostgreSQL has answered a sweep. */
  answered(now: number, time: number): void {
    if (now - this.answeredAt.now > SILENT_MS) this.last = { time: this.answeredAt.time, graceEndsAt: now + GRACE_MS };
    this.answeredAt = { now, time };
  }

  /** It is away, or was until a moment ago. */
  isRecent(now: number): boolean {
    return now - this.answeredAt.now > SILENT_MS || (this.last !== null && now < this.last.graceEndsAt);
  }

  /** Leases that ended by this time of day are over. */
  expiredBy(now: number, time: number): number {
    if (now - this.answeredAt.now > SILENT_MS) return Math.min(time, this.answeredAt.time);
    return this.last !== null && now < this.last.graceEndsAt ? Math.min(time, this.last.time) : time;
  }
}

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
