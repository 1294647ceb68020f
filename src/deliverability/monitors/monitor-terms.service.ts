import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Owner } from '../../keys/access/owner.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { KEY_POLICIES, type KeyPolicies } from '../../platform/config/policies.js';
import { randomId } from '../../platform/random-id.js';

/** Who pauses by itself; what the owner or an administrator has paused is left alone. */
const OURS = `paused IS NULL OR paused IN ('plan', 'suspended')`;

/**
 * Pauses what is out of an account's terms, and lets it go on when it is within them again: monitors of a suspended account, and of the
 * others those beyond what the plan has room for, the newest first. Nothing is deleted. An interval that is too short for the plan becomes
 * the shortest that it allows, and its owner may choose a shorter one under a larger plan.
 */
@Injectable()
export class MonitorTermsService {
  constructor(
    private readonly database: DataSource,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** @returns how many were paused or go on */
  applyToAll(): Promise<number> {
    return this.database.transaction((tx) => this.apply(null, tx));
  }

  /** @param owner only this one's; null: everybody's. @returns as `applyToAll` */
  async apply(owner: Owner | null, tx: EntityManager): Promise<number> {
    await this.stretch(owner, tx);
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
    const entries = rows.map(({ id, paused }) => ({
      id: randomId(),
      monitor_id: id,
      type: paused === null ? 'monitor.resumed' : 'monitor.paused',
      data: { by: paused },
    }));
    await this.note(tx, entries);
    return rows.length;
  }

  /** What would run too soon for its new interval waits; one of a test key, which runs every few seconds, does not. */
  private async stretch(owner: Owner | null, tx: EntityManager): Promise<void> {
    const shortest = Object.fromEntries(
      Object.values(this.policies).map((policy) => [policy.name, policy.monitorMinutes]),
    );
    const [rows]: [{ id: number }[], number] = await tx.query(
      `UPDATE monitors SET interval_minutes = ($3::jsonb ->> policy)::integer,
              next_run_at = CASE WHEN simulated THEN next_run_at ELSE
                greatest(next_run_at, last_run_at + ($3::jsonb ->> policy)::integer * interval '1 minute') END
         FROM accounts
        WHERE accounts.id = account_id AND monitors.id = ANY (ARRAY(
                SELECT monitors.id FROM monitors JOIN accounts ON accounts.id = account_id
                 WHERE ($1::uuid IS NULL OR (account_id = $1 AND simulated = $2))
                   AND interval_minutes < ($3::jsonb ->> policy)::integer
                 ORDER BY monitors.id FOR UPDATE OF monitors))
       RETURNING monitors.id`,
      [owner?.accountId ?? null, owner?.simulated ?? null, JSON.stringify(shortest)],
    );
    const data = { changed: ['interval_minutes'], by: 'plan' };
    await this.note(
      tx,
      rows.map(({ id }) => ({ id: randomId(), monitor_id: id, type: 'monitor.edited', data })),
    );
  }

  private async note(tx: EntityManager, entries: readonly object[]): Promise<void> {
    if (entries.length === 0) return;
    await tx.query(
      `INSERT INTO monitor_events (id, monitor_id, at, type, data)
       SELECT id, monitor_id, $1, type, data FROM jsonb_to_recordset($2) AS row(id bigint, monitor_id bigint, type text, data jsonb)`,
      [new Date(this.clock.now()), JSON.stringify(entries)],
    );
  }
}
