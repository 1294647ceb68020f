import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PageRequest } from '../../platform/http/page.js';
import { FINDING_COLUMNS, RUN_COLUMNS, selected } from '../model/monitor-columns.js';
import type { MonitorEvent } from '../model/monitor-event.js';
import type { FindingState, MonitorFinding } from '../model/monitor-finding.js';
import type { MonitorRun, RunWithResult } from '../model/monitor-run.js';

const RUN = selected(RUN_COLUMNS, 'run');
const FINDING = selected(FINDING_COLUMNS, 'finding');

/** Runs, findings and timelines of monitors that a caller may read; newest first, one more than asked for. */
@Injectable()
export class HistoryStore {
  constructor(private readonly database: DataSource) {}

  runs(monitorId: number, { limit, after }: PageRequest): Promise<MonitorRun[]> {
    return this.database.query(
      `SELECT ${RUN} FROM monitor_runs AS run
        WHERE monitor_id = $1
          AND ($2::timestamptz IS NULL OR (date_trunc('milliseconds', finished_at), id) < ($2, $3::bigint))
        ORDER BY finished_at DESC, id DESC LIMIT $4`,
      [monitorId, after?.at ?? null, after?.id ?? null, limit + 1],
    );
  }

  async run(monitorId: number, id: number): Promise<RunWithResult | null> {
    const [row]: RunWithResult[] = await this.database.query(
      `SELECT ${RUN}, origin.result FROM monitor_runs AS run JOIN monitor_runs AS origin ON origin.id = run.result_of
        WHERE run.monitor_id = $1 AND run.id = $2`,
      [monitorId, id],
    );
    return row ?? null;
  }

  findings(monitorId: number, state: FindingState | null, { limit, after }: PageRequest): Promise<MonitorFinding[]> {
    return this.database.query(
      `SELECT ${FINDING} FROM monitor_findings AS finding
        WHERE monitor_id = $1 AND ($2::text IS NULL OR state = $2)
          AND ($3::timestamptz IS NULL OR (date_trunc('milliseconds', first_seen_at), id) < ($3, $4::bigint))
        ORDER BY first_seen_at DESC, id DESC LIMIT $5`,
      [monitorId, state, after?.at ?? null, after?.id ?? null, limit + 1],
    );
  }

  events(monitorId: number, { limit, after }: PageRequest): Promise<MonitorEvent[]> {
    return this.database.query(
      `SELECT id, at, type, run_id AS "runId", finding_id AS "findingId", data FROM monitor_events
        WHERE monitor_id = $1 AND ($2::timestamptz IS NULL OR (date_trunc('milliseconds', at), id) < ($2, $3::bigint))
        ORDER BY at DESC, id DESC LIMIT $4`,
      [monitorId, after?.at ?? null, after?.id ?? null, limit + 1],
    );
  }
}
