import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Owner } from '../../keys/access/owner.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { readId } from '../../platform/http/ids.js';
import type {
  FindingState,
  MonitorEvent,
  MonitorFinding,
  MonitorRun,
  RunState,
  RunWithResult,
} from './findings/monitor-run.js';
import { Listing, type Page, type PageInput } from '../../platform/http/listing.js';
import { MonitorsService } from './monitors.service.js';
import { FINDING_COLUMNS, RUN_COLUMNS } from './monitor-columns.js';
import { selected } from '../../platform/database/rows.js';

const RUNS = new Listing('monitor-runs', 'integer');
const FINDINGS = new Listing('monitor-findings', 'integer');
const EVENTS = new Listing('monitor-events', 'integer');
const RUN = selected(RUN_COLUMNS, 'run');
const FINDING = selected(FINDING_COLUMNS, 'finding');

/** Of the runs of a day the first of them counts: that something was wrong outweighs that a run learned nothing. */
const WORST_FIRST: readonly RunState[] = ['critical', 'warning', 'unknown', 'ok'];

interface MonitorDay {
  /** As `YYYY-MM-DD`, UTC. */
  readonly day: string;
  /** Null: no run ended on it. */
  readonly state: RunState | null;
}

/** What monitors have found, run by run and finding by finding. Everything is `monitor_not_found` to whom the monitor is not. */
@Injectable()
export class MonitorHistoryService {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly database: DataSource,
  ) {}

  async runs(owner: Owner, monitorId: number, query: PageInput): Promise<Page<MonitorRun>> {
    await this.monitors.get(owner, monitorId);
    return RUNS.page<MonitorRun>(
      query,
      ({ limit, after }) =>
        this.database.query(
          `SELECT ${RUN} FROM monitor_runs AS run
            WHERE monitor_id = $1
              AND ($2::timestamptz IS NULL OR (date_trunc('milliseconds', finished_at), id) < ($2, $3::bigint))
            ORDER BY finished_at DESC, id DESC LIMIT $4`,
          [monitorId, after?.at ?? null, after?.id ?? null, limit + 1],
        ),
      ({ finishedAt, id }) => ({ at: finishedAt, id: String(id) }),
    );
  }

  /** The last 30 days up to now, the oldest first: so long every run is kept. Whoever asks has asked for the monitor. */
  days(monitorId: number, now: number): Promise<MonitorDay[]> {
    return this.database.query(
      `SELECT to_char(day, 'YYYY-MM-DD') AS day, (
         SELECT ($3::text[])[min(array_position($3, state))] FROM monitor_runs
          WHERE monitor_id = $1 AND finished_at >= day AT TIME ZONE 'UTC' AND finished_at < (day + interval '1 day') AT TIME ZONE 'UTC'
       ) AS state
         FROM generate_series($2::timestamp - interval '29 days', $2, interval '1 day') AS day ORDER BY day`,
      [monitorId, new Date(now).toISOString().slice(0, 10), WORST_FIRST],
    );
  }

  /** @throws AppError `run_not_found` */
  async run(owner: Owner, monitorId: number, id: string): Promise<RunWithResult> {
    await this.monitors.get(owner, monitorId);
    const [run]: RunWithResult[] = await this.database.query(
      `SELECT ${RUN}, origin.result FROM monitor_runs AS run JOIN monitor_runs AS origin ON origin.id = run.result_of
        WHERE run.monitor_id = $1 AND run.id = $2`,
      [monitorId, readId(id, 'run_not_found')],
    );
    if (run === undefined) throw new AppError('run_not_found');
    return run;
  }

  /** @throws AppError `run_not_found`, `invalid_input` */
  async pair(
    owner: Owner,
    monitorId: number,
    { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  ): Promise<readonly [RunWithResult, RunWithResult]> {
    await this.monitors.get(owner, monitorId);
    if (from === undefined) throw invalidField('from', 'must be the id of a run');
    if (to === undefined) throw invalidField('to', 'must be the id of a run');
    return [await this.run(owner, monitorId, from), await this.run(owner, monitorId, to)];
  }

  async findings(
    owner: Owner,
    monitorId: number,
    state: FindingState | null,
    query: PageInput,
  ): Promise<Page<MonitorFinding>> {
    await this.monitors.get(owner, monitorId);
    return FINDINGS.page<MonitorFinding>(
      query,
      ({ limit, after }) =>
        this.database.query(
          `SELECT ${FINDING} FROM monitor_findings AS finding
            WHERE monitor_id = $1 AND ($2::text IS NULL OR state = $2)
              AND ($3::timestamptz IS NULL OR (date_trunc('milliseconds', first_seen_at), id) < ($3, $4::bigint))
            ORDER BY first_seen_at DESC, id DESC LIMIT $5`,
          [monitorId, state, after?.at ?? null, after?.id ?? null, limit + 1],
        ),
      ({ firstSeenAt, id }) => ({ at: firstSeenAt, id: String(id) }),
    );
  }

  async events(owner: Owner, monitorId: number, query: PageInput): Promise<Page<MonitorEvent>> {
    await this.monitors.get(owner, monitorId);
    return EVENTS.page<MonitorEvent>(
      query,
      ({ limit, after }) =>
        this.database.query(
          `SELECT id, at, type, run_id AS "runId", finding_id AS "findingId", data FROM monitor_events
            WHERE monitor_id = $1 AND ($2::timestamptz IS NULL OR (date_trunc('milliseconds', at), id) < ($2, $3::bigint))
            ORDER BY at DESC, id DESC LIMIT $4`,
          [monitorId, after?.at ?? null, after?.id ?? null, limit + 1],
        ),
      ({ at, id }) => ({ at, id: String(id) }),
    );
  }
}
