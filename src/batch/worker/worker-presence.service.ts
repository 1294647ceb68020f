import { randomInt } from 'node:crypto';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { EGRESS_SOURCES } from '../../sending/egress/egress.module.js';
import type { EgressSources } from '../../sending/egress/egress-sources.js';
import { SessionLock } from '../../platform/database/session-locks.js';

/** The first key of the advisory locks of workers, which distinguishes them from others. */
export const PRESENCE_LOCKS = 0x6d736f77;
/** SQL: the numbers of the workers that are alive; `$1` is `PRESENCE_LOCKS`. */
export const LIVING_WORKERS = `
       SELECT objid::bigint::integer FROM pg_locks
        WHERE locktype = 'advisory' AND classid = $1 AND objsubid = 2 AND granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
const MAX_NUMBER = 2 ** 31 - 1;

/**
 * Holds an advisory lock as long as this process lives, so that its end tells other workers at once that the process has died. A
 * suspended process keeps its lock, and a lost machine's process keeps it until PostgreSQL notices: the leases of both expire.
 *
 * Beside it stands a row with its region, so that others can tell whose batches nobody works on.
 */
@Injectable()
export class WorkerPresenceService implements BeforeApplicationShutdown {
  private readonly own = randomInt(1, MAX_NUMBER);
  private readonly lock: SessionLock;

  constructor(
    private readonly database: DataSource,
    @Inject(EGRESS_SOURCES) private readonly sources: EgressSources,
  ) {
    this.lock = new SessionLock(database, [PRESENCE_LOCKS, this.own]);
  }

  /** The number that is locked; null while this process has no lock. */
  get number(): number | null {
    return this.lock.isHeld ? this.own : null;
  }

  /** Whose accounts this process works for, beside those without one; it follows the sources. */
  get region(): string | null {
    return this.sources.region;
  }

  /** Takes the lock, and again when its connection was lost, and tells the region. Called by every sweep. */
  async assure(): Promise<void> {
    if (!(await this.lock.take())) return;
    await this.database.query(
      `WITH gone AS (
         DELETE FROM batch_workers WHERE worker_id <> $2 AND worker_id NOT IN (${LIVING_WORKERS})
       )
       INSERT INTO batch_workers (worker_id, region) VALUES ($2, $3)
       ON CONFLICT (worker_id) DO UPDATE SET region = excluded.region
        WHERE batch_workers.region IS DISTINCT FROM excluded.region`,
      [PRESENCE_LOCKS, this.own, this.region],
    );
  }

  /** `BatchWorker.onModuleDestroy` has released the leases before. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.lock.release();
  }
}
