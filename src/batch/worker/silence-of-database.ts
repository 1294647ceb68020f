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
