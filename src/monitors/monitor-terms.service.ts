import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Owner } from '../keys/access/owner.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { KEY_POLICIES, type KeyPolicies } from '../platform/config/policies.js';
import { randomId } from '../platform/random-id.js';

/** Who pauses by itself; what the owner or an administrator has paused is left alone. */
const OURS = `paused IS NULL OR paused IN ('plan', 'suspended')`;

/**
 * Pauses what is out of an account's terms, and lets it go on when it is within them again: monitors of a suspended account, and of the
 * others those beyond what the plan has room for, the newest first. Nothing is deleted.
 */
@Injectable()
export class MonitorTermsService {
  constructor(
    private readonly database: DataSource,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** @param owner only this one's; null: everybody's. @returns how many were paused or go on */
  async apply(owner: Owner | null = null, tx: EntityManager = this.database.manager): Promise<number> {
    const room = Object.fromEntries(Object.values(this.policies).map(({ name, monitors }) => [name, monitors]));
    const rows: { id: number; paused: string | null }[] = await tx.query(
      `WITH ranked AS (
         SELECT monitors.id, paused, suspended_at, policy,
                row_number() OVER (PARTITION BY account_id, simulated ORDER BY monitors.created_at, monitors.id) AS place
           FROM monitors JOIN accounts ON accounts.id = account_id
          WHERE (${OURS}) AND ($1::uuid IS NULL OR (account_id = $1 AND simulated = $2))
       ), wanted AS (
         SELECT id, paused AS was, CASE WHEN suspended_at IS NOT NULL THEN 'suspended'
                                        WHEN place > coalesce(($3::jsonb ->> policy)::integer, 0) THEN 'plan' END AS paused
           FROM ranked
       ), changed AS (
         UPDATE monitors SET paused = wanted.paused, holder = NULL, leased_until = NULL
           FROM wanted WHERE monitors.id = wanted.id AND wanted.paused IS DISTINCT FROM wanted.was
            AND monitors.paused IS NOT DISTINCT FROM wanted.was
         RETURNING monitors.id, monitors.paused
       )
       SELECT id, paused FROM changed`,
      [owner?.accountId ?? null, owner?.simulated ?? null, JSON.stringify(room)],
    );
    if (rows.length === 0) return 0;
    await tx.query(
      `INSERT INTO monitor_events (id, monitor_id, at, type, data)
       SELECT id, monitor_id, $1, type, data FROM jsonb_to_recordset($2) AS row(id bigint, monitor_id bigint, type text, data jsonb)`,
      [
        new Date(this.clock.now()),
        JSON.stringify(
          rows.map(({ id, paused }) => ({
            id: randomId(),
            monitor_id: id,
            type: paused === null ? 'monitor.resumed' : 'monitor.paused',
            data: { by: paused },
          })),
        ),
      ],
    );
    return rows.length;
  }
}
