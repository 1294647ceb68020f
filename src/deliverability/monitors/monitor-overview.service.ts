import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { Monitor } from './findings/monitor.js';
import { MONITOR_COLUMNS } from './monitor-columns.js';
import { selected } from '../../platform/database/rows.js';
import { RunsStore } from './runs.store.js';

/** How the monitors of all accounts are, those of test keys left out. */
export interface MonitorsOverview {
  /** Since when the one is due that has waited longest; null: none is due. */
  readonly oldestDue: Date | null;
  readonly due: number;
  /** By state, `paused` among them. */
  readonly byState: Readonly<Record<string, number>>;
}

const SHOWN_STATE = `CASE WHEN paused IS NULL THEN state ELSE 'paused' END`;

/** Monitors of all accounts, for administrators and for what is measured. */
@Injectable()
export class MonitorOverviewService {
  constructor(
    private readonly database: DataSource,
    private readonly runs: RunsStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  async read(): Promise<MonitorsOverview> {
    const now = this.clock.date();
    const [[due], states]: [{ oldest: Date | null; due: number }[], { state: string; monitors: number }[]] =
      await Promise.all([
        this.database.query(
          `SELECT min(next_run_at) AS oldest, count(*)::integer AS due FROM monitors
            WHERE paused IS NULL AND NOT simulated AND next_run_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)`,
          [now],
        ),
        this.database.query(
          `SELECT ${SHOWN_STATE} AS state, count(*)::integer AS monitors FROM monitors WHERE NOT simulated GROUP BY 1`,
        ),
      ]);
    return {
      oldestDue: due!.oldest,
      due: due!.due,
      byState: Object.fromEntries(states.map(({ state, monitors }) => [state, monitors])),
    };
  }

  /** Those that run next, the most overdue first; then those that are paused, by administrators first: only these can let them go on. */
  list(limit: number): Promise<Monitor[]> {
    const columns = selected(MONITOR_COLUMNS, 'monitor');
    return this.database.query(
      `(SELECT ${columns} FROM monitors AS monitor WHERE paused IS NULL ORDER BY next_run_at, id LIMIT $1)
        UNION ALL
       (SELECT ${columns} FROM monitors AS monitor WHERE paused IS NOT NULL ORDER BY paused <> 'operator', id LIMIT $1)`,
      [limit],
    );
  }

  /** Those whose time came so long ago and that nobody runs, those of test keys among them, the most overdue first. */
  late(lateMs: number, limit: number): Promise<Monitor[]> {
    const now = this.clock.now();
    return this.database.query(
      `SELECT ${selected(MONITOR_COLUMNS, 'monitor')} FROM monitors AS monitor
        WHERE paused IS NULL AND next_run_at <= $1 AND (leased_until IS NULL OR leased_until <= $2)
        ORDER BY next_run_at, id LIMIT $3`,
      [new Date(now - lateMs), new Date(now), limit],
    );
  }

  /**
   * Keeps a monitor from running, or lets it go on.
   * @param why null: it goes on. @throws AppError `monitor_not_found`, `monitor_not_paused`
   */
  async setPaused(tx: EntityManager, id: number, why: string | null): Promise<Monitor> {
    const [rows]: [Monitor[], number] = await tx.query(
      `UPDATE monitors AS monitor
          SET paused = CASE WHEN $2::text IS NULL THEN NULL ELSE 'operator' END, paused_why = $2, holder = NULL, leased_until = NULL
        WHERE id = $1 AND ($2::text IS NOT NULL OR paused = 'operator') RETURNING ${selected(MONITOR_COLUMNS, 'monitor')}`,
      [id, why],
    );
    if (rows[0] === undefined) {
      const known: unknown[] = await tx.query('SELECT 1 FROM monitors WHERE id = $1', [id]);
      if (known.length === 0) throw new AppError('monitor_not_found');
      throw new AppError('monitor_not_paused');
    }
    const entry = { type: why === null ? 'monitor.resumed' : 'monitor.paused', data: { by: 'operator' } } as const;
    await this.runs.addToTimeline(tx, id, { at: this.clock.date(), runId: null }, [entry]);
    return rows[0];
  }
}
