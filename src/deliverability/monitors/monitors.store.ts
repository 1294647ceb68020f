import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Owner } from '../../keys/access/owner.js';
import { storedForm } from '../../platform/database/check-history.js';
import type { PageRequest } from '../../platform/http/page.js';
import { MONITOR_COLUMNS } from './monitor-columns.js';
import { selected } from '../../platform/database/rows.js';
import type { Monitor, MonitorState } from './findings/monitor.js';

export interface MonitorWithCounts extends Monitor {
  readonly open: Readonly<Record<'critical' | 'warning' | 'info', number>>;
  /** What the last run has cost if our own resolver was not believed in it; null: it was, or there was no run. */
  readonly untrustedCredits: number | null;
}

/** What an owner or an administrator changes. */
export type MonitorChange = Partial<
  Pick<Monitor, 'name' | 'settings' | 'intervalMinutes' | 'paused' | 'pausedWhy' | 'nextRunAt' | 'memory'>
>;

const count = (severity: string): string => `count(*) FILTER (WHERE severity = '${severity}')`;

const SELECTED = `${selected(MONITOR_COLUMNS, 'monitor')}, (
    SELECT json_build_object('critical', ${count('critical')}, 'warning', ${count('warning')}, 'info', ${count('info')})
      FROM monitor_findings WHERE monitor_id = monitor.id AND state IN ('open', 'clearing')) AS open,
    (SELECT credits_charged FROM monitor_runs WHERE id = monitor.last_run_id AND untrusted) AS "untrustedCredits"`;

@Injectable()
export class MonitorsStore {
  constructor(private readonly database: DataSource) {}

  /** Counts an owner's, for a caller that adds to them: until its transaction ends, no other one of this owner counts. */
  async count(tx: EntityManager, { accountId, simulated }: Owner): Promise<number> {
    const what = `monitors of ${accountId} ${simulated}`;
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [what]);
    const [row]: { count: number }[] = await tx.query(
      'SELECT count(*)::integer AS count FROM monitors WHERE account_id = $1 AND simulated = $2',
      [accountId, simulated],
    );
    return row!.count;
  }

  /** @returns false: the owner has one of this target */
  async insert(tx: EntityManager, monitor: Monitor): Promise<boolean> {
    const members = Object.keys(MONITOR_COLUMNS) as (keyof Monitor)[];
    const rows: unknown[] = await tx.query(
      `INSERT INTO monitors (${members.map((member) => MONITOR_COLUMNS[member]).join(', ')})
       VALUES (${members.map((_, i) => `$${i + 1}`).join(', ')})
       ON CONFLICT (account_id, simulated, kind, target) DO NOTHING RETURNING id`,
      members.map((member) => storedForm(monitor[member])),
    );
    return rows.length > 0;
  }

  async findByTarget(
    tx: EntityManager,
    { accountId, simulated }: Owner,
    { kind, target }: Pick<Monitor, 'kind' | 'target'>,
  ): Promise<number | null> {
    const [row]: { id: number }[] = await tx.query(
      'SELECT id FROM monitors WHERE account_id = $1 AND simulated = $2 AND kind = $3 AND target = $4',
      [accountId, simulated, kind, target],
    );
    return row?.id ?? null;
  }

  async find(
    { accountId, simulated }: Owner,
    id: number,
    tx: EntityManager = this.database.manager,
  ): Promise<MonitorWithCounts | null> {
    const [row]: MonitorWithCounts[] = await tx.query(
      `SELECT ${SELECTED} FROM monitors AS monitor WHERE id = $1 AND account_id = $2 AND simulated = $3`,
      [id, accountId, simulated],
    );
    return row ?? null;
  }

  /** Until the transaction ends nobody else changes or runs it. */
  async lock(tx: EntityManager, { accountId, simulated }: Owner, id: number): Promise<Monitor | null> {
    const [row]: Monitor[] = await tx.query(
      `SELECT ${selected(MONITOR_COLUMNS, 'monitor')} FROM monitors AS monitor
        WHERE id = $1 AND account_id = $2 AND simulated = $3 FOR UPDATE`,
      [id, accountId, simulated],
    );
    return row ?? null;
  }

  /** Newest first, one more than asked for. */
  list(
    { accountId, simulated }: Owner,
    state: MonitorState | null,
    { limit, after }: PageRequest,
  ): Promise<MonitorWithCounts[]> {
    return this.database.query(
      `SELECT ${SELECTED} FROM monitors AS monitor
        WHERE account_id = $1 AND simulated = $2
          AND ($3::text IS NULL OR CASE WHEN paused IS NULL THEN state ELSE 'paused' END = $3)
          AND ($4::timestamptz IS NULL OR (date_trunc('milliseconds', created_at), id) < ($4, $5::bigint))
        ORDER BY created_at DESC, id DESC LIMIT $6`,
      [accountId, simulated, state, after?.at ?? null, after?.id ?? null, limit + 1],
    );
  }

  /** What runs at this moment was begun under other choices and counts no more. */
  async change(tx: EntityManager, id: number, change: MonitorChange): Promise<void> {
    const members = Object.keys(change) as (keyof MonitorChange)[];
    const set = members.map((member, i) => `${MONITOR_COLUMNS[member]} = $${i + 2}`);
    await tx.query(`UPDATE monitors SET ${[...set, 'holder = NULL', 'leased_until = NULL'].join(', ')} WHERE id = $1`, [
      id,
      ...members.map((member) => storedForm(change[member])),
    ]);
  }

  async delete(tx: EntityManager, id: number): Promise<void> {
    await tx.query('DELETE FROM monitors WHERE id = $1', [id]);
  }
}
