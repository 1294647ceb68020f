import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { randomId } from '../../platform/random-id.js';
import type { TimelineEntry } from './findings/judge-run.js';
import { FINDING_COLUMNS, MONITOR_COLUMNS, RUN_COLUMNS } from './monitor-columns.js';
import { selected } from '../../platform/database/rows.js';
import type { MonitorFinding, MonitorRun, RunResult } from './findings/monitor-run.js';
import type { HealthState, Monitor, MonitorMemory } from './findings/monitor.js';

/** A monitor that one process runs, until the lease ends. */
export interface LeasedMonitor extends Monitor {
  readonly holder: string;
  readonly policy: string;
}

export interface Lease {
  readonly holder: string;
  readonly now: Date;
  readonly until: Date;
}

/** What a run leaves of its monitor. */
interface AfterRun {
  readonly state: HealthState;
  readonly run: Pick<MonitorRun, 'id' | 'finishedAt' | 'number'>;
  readonly unansweredSince: Date | null;
  readonly stalledAt: Date | null;
  readonly watched: number;
  readonly memory: MonitorMemory;
  /** The next run is at the one of them at which the fewest others are. */
  readonly turns: readonly Date[];
}

const LEASED = `${selected(MONITOR_COLUMNS, 'monitor')}, monitor.holder, account.policy`;

/** The leases of monitors, and what runs leave. */
@Injectable()
export class RunsStore {
  constructor(private readonly database: DataSource) {}

  /**
   * Leases monitors whose time has come, the longest due first. Rows that another process leases at this moment are skipped, and a lease
   * that has expired is none.
   */
  async lease({ holder, now, until }: Lease, limit: number): Promise<LeasedMonitor[]> {
    const [rows]: [LeasedMonitor[], number] = await this.database.query(
      `WITH due AS (
         SELECT monitors.id FROM monitors JOIN accounts ON accounts.id = account_id
          WHERE paused IS NULL AND next_run_at <= $2 AND (leased_until IS NULL OR leased_until <= $2) AND suspended_at IS NULL
          ORDER BY next_run_at LIMIT $4 FOR UPDATE OF monitors SKIP LOCKED
       )
       UPDATE monitors AS monitor SET holder = $1, leased_until = $3
         FROM due, accounts AS account WHERE monitor.id = due.id AND account.id = monitor.account_id
       RETURNING ${LEASED}`,
      [holder, now, until, limit],
    );
    return rows;
  }

  /**
   * Leases one monitor whatever its time is, unless somebody has asked for it lately. Where none is given, it is held or paused, or
   * `askedAt` says when it was asked for.
   */
  async leaseAsked(
    id: number,
    { holder, now, until }: Lease,
    notSince: Date,
  ): Promise<{ readonly monitor: LeasedMonitor | null; readonly askedAt: Date | null }> {
    const [rows]: [LeasedMonitor[], number] = await this.database.query(
      `UPDATE monitors AS monitor SET holder = $2, leased_until = $4, asked_at = $3 FROM accounts AS account
        WHERE monitor.id = $1 AND account.id = monitor.account_id AND paused IS NULL AND (leased_until IS NULL OR leased_until <= $3)
          AND (asked_at IS NULL OR asked_at <= $5)
       RETURNING ${LEASED}`,
      [id, holder, now, until, notSince],
    );
    if (rows[0] !== undefined) return { monitor: rows[0], askedAt: null };
    const [kept]: { askedAt: Date }[] = await this.database.query(
      'SELECT asked_at AS "askedAt" FROM monitors WHERE id = $1 AND asked_at > $2 AND paused IS NULL',
      [id, notSince],
    );
    return { monitor: null, askedAt: kept?.askedAt ?? null };
  }

  /** Gives a monitor back that was not run. */
  async release({ id, holder }: Pick<LeasedMonitor, 'id' | 'holder'>): Promise<void> {
    await this.database.query('UPDATE monitors SET holder = NULL, leased_until = NULL WHERE id = $1 AND holder = $2', [
      id,
      holder,
    ]);
  }

  /** Locks the row of a monitor that is still held as it was; false: what was found counts no more. */
  async isHeld(tx: EntityManager, { id, holder }: Pick<LeasedMonitor, 'id' | 'holder'>): Promise<boolean> {
    const rows: unknown[] = await tx.query('SELECT 1 FROM monitors WHERE id = $1 AND holder = $2 FOR UPDATE', [
      id,
      holder,
    ]);
    return rows.length > 0;
  }

  async findingsOf(tx: EntityManager, monitorId: number): Promise<MonitorFinding[]> {
    return tx.query(
      `SELECT ${selected(FINDING_COLUMNS, 'finding')} FROM monitor_findings AS finding WHERE monitor_id = $1 ORDER BY id`,
      [monitorId],
    );
  }

  /** What the last run of a monitor found; null: there was none. */
  async lastResult({
    lastRunId,
  }: Pick<Monitor, 'lastRunId'>): Promise<(RunResult & { hash: string; runId: number }) | null> {
    if (lastRunId === null) return null;
    const rows: { runId: number; hash: string; result: RunResult }[] = await this.database.query(
      `SELECT origin.id AS "runId", run.facts_hash AS hash, origin.result
         FROM monitor_runs AS run JOIN monitor_runs AS origin ON origin.id = run.result_of WHERE run.id = $1`,
      [lastRunId],
    );
    const row = rows[0];
    return row === undefined ? null : { ...row.result, hash: row.hash, runId: row.runId };
  }

  /** @param result null: another run holds it */
  async addRun(tx: EntityManager, run: MonitorRun, result: RunResult | null): Promise<void> {
    const members = Object.keys(RUN_COLUMNS) as (keyof MonitorRun)[];
    await tx.query(
      `INSERT INTO monitor_runs (${members.map((member) => RUN_COLUMNS[member]).join(', ')}, result)
       VALUES (${members.map((_, i) => `$${i + 1}`).join(', ')}, $${members.length + 1})`,
      [...members.map((member) => run[member]), result && JSON.stringify(result)],
    );
  }

  /** Adds findings and changes those that are there; what their owner has written of them stays. */
  async saveFindings(tx: EntityManager, findings: readonly MonitorFinding[]): Promise<void> {
    const members = (Object.keys(FINDING_COLUMNS) as (keyof MonitorFinding)[]).filter(
      (member) => member !== 'mutedUntil' && member !== 'note',
    );
    const columns = members.map((member) => FINDING_COLUMNS[member]);
    const rows = findings.map((one) =>
      Object.fromEntries(members.map((member) => [FINDING_COLUMNS[member], one[member]])),
    );
    if (rows.length === 0) return;
    await tx.query(
      `INSERT INTO monitor_findings (${columns.join(', ')})
       SELECT ${columns.join(', ')} FROM jsonb_populate_recordset(NULL::monitor_findings, $1)
       ON CONFLICT (monitor_id, code, subject) DO UPDATE SET ${columns
         .filter((column) => !['id', 'monitor_id', 'code', 'subject'].includes(column))
         .map((column) => `${column} = excluded.${column}`)
         .join(', ')}`,
      [JSON.stringify(rows)],
    );
  }

  async dropFindings(tx: EntityManager, ids: readonly number[]): Promise<void> {
    if (ids.length > 0) await tx.query('DELETE FROM monitor_findings WHERE id = ANY ($1::bigint[])', [ids]);
  }

  async addToTimeline(
    tx: EntityManager,
    monitorId: number,
    { at, runId }: { readonly at: Date; readonly runId: number | null },
    entries: readonly TimelineEntry[],
  ): Promise<void> {
    if (entries.length === 0) return;
    // In the order in which they are told of one moment.
    const ids = entries.map(randomId).toSorted((a, b) => a - b);
    await tx.query(
      `INSERT INTO monitor_events (id, monitor_id, at, type, run_id, finding_id, data)
       SELECT id, $1, $2, type, $3, finding_id, data
         FROM jsonb_to_recordset($4) AS row(id bigint, type text, finding_id bigint, data jsonb)`,
      [
        monitorId,
        at,
        runId,
        JSON.stringify(
          entries.map(({ type, findingId, data }, i) => ({ id: ids[i], type, finding_id: findingId, data })),
        ),
      ],
    );
  }

  /** Ends the lease. */
  async finish(tx: EntityManager, id: number, after: AfterRun): Promise<void> {
    const { state, run, unansweredSince, stalledAt, watched, memory, turns } = after;
    await tx.query(
      `UPDATE monitors
          SET state = $2, last_run_id = $3, last_run_at = $4, runs = $5, unanswered_since = $6, stalled_at = $7, watched = $8, memory = $9,
              holder = NULL, leased_until = NULL, next_run_at = (
                SELECT turn.at FROM unnest($10::timestamptz[]) WITH ORDINALITY AS turn(at, place)
                 ORDER BY (SELECT count(*) FROM monitors AS other
                            WHERE other.paused IS NULL AND other.next_run_at >= date_trunc('second', turn.at)
                              AND other.next_run_at < date_trunc('second', turn.at) + interval '1 second'), place LIMIT 1)
        WHERE id = $1`,
      [
        id,
        state,
        run.id,
        run.finishedAt,
        run.number,
        unansweredSince,
        stalledAt,
        watched,
        JSON.stringify(memory),
        turns,
      ],
    );
  }

  /** How many targets turned listed on each of the lists since then, without this monitor's. */
  async turned(
    tx: EntityManager,
    lists: readonly string[],
    since: Date,
    without: number,
  ): Promise<ReadonlyMap<string, number>> {
    const rows: { list: string; turned: number }[] = await tx.query(
      `SELECT list, count(*)::integer AS turned FROM monitor_findings JOIN monitors AS monitor ON monitor.id = monitor_id
        WHERE list = ANY ($1) AND turned_at > $2 AND monitor_id <> $3 AND NOT simulated GROUP BY list`,
      [lists, since, without],
    );
    return new Map(rows.map(({ list, turned }) => [list, turned]));
  }

  /** Targets that block lists were asked about since then, of all other monitors. */
  async watched(tx: EntityManager, since: Date, without: number): Promise<number> {
    const [row]: { watched: number }[] = await tx.query(
      `SELECT coalesce(sum(watched), 0)::integer AS watched FROM monitors
        WHERE paused IS NULL AND NOT simulated AND last_run_at > $1 AND id <> $2`,
      [since, without],
    );
    return row!.watched;
  }

  /**
   * When so many other monitors will have asked block lists since then, or all that there are; null: they have. One that should have run by
   * now and did not is not waited for.
   */
  async othersDue(
    tx: EntityManager,
    without: number,
    since: Date,
    { now, enough }: { readonly now: Date; readonly enough: number },
  ): Promise<Date | null> {
    const [row]: { looked: number; due: Date | null }[] = await tx.query(
      `WITH other AS (
         SELECT last_run_at, next_run_at, interval_minutes FROM monitors
          WHERE paused IS NULL AND NOT simulated AND watched > 0 AND id <> $1
       ), pending AS (
         SELECT next_run_at FROM other
          WHERE last_run_at < $2 AND $2 + 1.2 * interval_minutes * interval '1 minute' > $3 ORDER BY next_run_at LIMIT $4
       )
       SELECT (SELECT count(*) FROM other WHERE last_run_at >= $2)::integer AS looked, (SELECT max(next_run_at) FROM pending) AS due`,
      [without, since, now, enough],
    );
    return row!.looked >= enough ? null : row!.due;
  }
}
