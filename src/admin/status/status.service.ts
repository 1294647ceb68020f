import { Injectable, Inject } from '@nestjs/common';
import { WorkersService, type WaitingBatch } from '../../batch/workers.service.js';
import { LedgerDriftService } from '../../credits/credits-audit.js';
import { packageVersion } from '../../platform/config/config-file.js';
import { OperatorAdministrationService } from '../operator-administration.service.js';
import { type Workload, WorkloadService } from '../workload.service.js';
import { problemsOf } from './problems.js';
import type {
  Status,
  CreditLimits,
  WaitingReason,
  DatabaseFacts,
  Disk,
  Infrastructure,
  SourceFault,
  SuspectList,
} from './status-facts.js';
import { AccountWorkStore } from './account-work.store.js';
import { AgentPoolService } from '../../credits/agent-pool.service.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { counted } from '../../platform/counted.js';
import { ERROR_CATALOG } from '../../platform/errors/error-catalog.js';
import { type CountedRefusals, SourceRefusalsService } from '../../sending/sources/source-refusals.service.js';
import { statfs } from 'node:fs/promises';
import { DataSource } from 'typeorm';
import { FRESH_MS } from '../../sending/sources/watch/source-reports.service.js';

const MAX_TABLES = 5;
const MAX_SOURCE_FAULTS = 10;
const MAX_SUSPECTS = 5;

/** Reads how that fares which the work of all accounts stands on: database, disk, sending addresses of all processes, block lists. */
@Injectable()
export class InfrastructureStore {
  constructor(
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  async read(): Promise<Infrastructure> {
    const now = new Date(this.clock.now());
    const [database, disk, sourceFaults, suspectLists] = await Promise.all([
      this.databaseFacts(),
      this.disk(),
      this.sourceFaults(now),
      this.suspectLists(now),
    ]);
    return { database, disk, sourceFaults, suspectLists };
  }

  private async databaseFacts(): Promise<DatabaseFacts> {
    const [facts] = await this.database.query<[DatabaseFacts]>(
      `SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes,
              (SELECT count(*)::integer FROM pg_stat_activity
                WHERE datname = current_database() AND application_name LIKE 'mailsonde%') AS connections,
              current_setting('max_connections')::integer AS "maxConnections",
              (SELECT json_agg(largest) FROM (
                 SELECT relname AS table, pg_total_relation_size(oid) AS bytes FROM pg_class
                  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 2 DESC LIMIT ${MAX_TABLES}) AS largest) AS largest`,
    );
    return facts;
  }

  /** Null where the files of PostgreSQL are on another machine, or we may not ask where they are. */
  private async disk(): Promise<Disk | null> {
    try {
      const [{ folder, isHere }]: [{ folder: string; isHere: boolean }] = await this.database.query(
        `SELECT current_setting('data_directory') AS folder,
                coalesce(inet_server_addr() <<= ANY ('{127.0.0.0/8,::1/128}'::inet[]), true) AS "isHere"`,
      );
      if (!isHere) return null;
      const { bsize, bavail, blocks } = await statfs(folder);
      return { freeBytes: bsize * bavail, bytes: bsize * blocks };
    } catch {
      return null;
    }
  }

  private sourceFaults(now: Date): Promise<SourceFault[]> {
    return this.database.query(
      // What was seen of a source says nothing once it has left the configuration: live processes tell which they use.
      `WITH used AS (SELECT source FROM source_reports WHERE seen_at > $2)
       SELECT source, kind, "by", told FROM (
         SELECT 1 AS rank, source, 'listed' AS kind, list AS "by", told FROM source_listings
                    WHERE source IN (SELECT source FROM used)
         UNION ALL SELECT 2, source, 'rests', '', reason FROM source_rests
                    WHERE source IN (SELECT source FROM used)
         UNION ALL SELECT 3, source, 'unusable', machine, coalesce(max(fault), '') FROM source_reports
                    WHERE resting_until > $1 AND seen_at > $2 GROUP BY source, machine
         UNION ALL SELECT 4, source, 'check', check_name, told FROM source_checks
                    WHERE state = 'fail' AND check_name <> 'block_lists' AND source IN (SELECT source FROM used)
         UNION ALL SELECT 5, source, condition, changed_by, reason FROM source_conditions
                    WHERE source IN (SELECT source FROM used)) AS faults
        ORDER BY rank, source, "by" LIMIT ${MAX_SOURCE_FAULTS}`,
      [now, new Date(now.getTime() - FRESH_MS)],
    );
  }

  private suspectLists(now: Date): Promise<SuspectList[]> {
    return this.database.query(
      `SELECT list, turned, watched FROM blacklist_suspicions WHERE until > $1 ORDER BY list LIMIT ${MAX_SUSPECTS}`,
      [now],
    );
  }
}

const MAX_REFUSALS = 5;

/** Says in words why things are as the status shows them. */
@Injectable()
export class StatusReasons {
  constructor(
    private readonly work: AccountWorkStore,
    private readonly infrastructure: InfrastructureStore,
    private readonly refusals: SourceRefusalsService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** What no room tells, with its reasons. */
  async read() {
    const now = this.clock.now();
    const [work, infrastructure, refusals] = await Promise.all([
      this.work.read(),
      this.infrastructure.read(),
      this.refusalsInWords(),
    ]);
    const limits = await this.work.limitsOf(work.refusedToday.map(({ keyId }) => keyId));
    const refusedToday = work.refusedToday.map((one) => ({
      ...one,
      why: `${one.code}: ${refusalText(
        one.code,
        limits.find(({ keyId }) => keyId === one.keyId),
      )}`,
    }));
    return { now, ...infrastructure, ...work, refusedToday, refusals };
  }

  async ofWaiting({ id, accountId }: WaitingBatch, workload: Workload) {
    const [accountName, reason] = await Promise.all([this.work.nameOf(accountId), this.work.whyWaiting(id)]);
    return { accountName, why: waitingText(reason, workload) };
  }

  /** What mail operators wrote when they refused us in the last 24 hours, the most frequent first. */
  private async refusalsInWords(): Promise<readonly CountedRefusals[]> {
    const all = await this.refusals.list(new Date(this.clock.now()));
    return all.toSorted((a, b) => b.refusals - a.refusals).slice(0, MAX_REFUSALS);
  }
}

function waitingText(
  { region, due, mostAttempts, leasedElsewhere }: WaitingReason,
  { workers, unworked }: Pick<Workload, 'workers' | 'unworked'>,
): string {
  const begun =
    mostAttempts > 1 ? `; a chunk of it was begun ${counted(mostAttempts, 'time')}, so look at the workers' logs` : '';
  const chunks = counted(due, 'chunk is due', 'chunks are due');
  if (workers.length === 0) return `no worker is alive, ${chunks}${begun}`;
  if (unworked.some((one) => one.region === region))
    return `no worker of its account's region ${region} is alive, and no other may work on it, ${chunks}${begun}`;
  if (leasedElsewhere > 0)
    return `workers have ${counted(leasedElsewhere, 'chunk', 'chunks')} of other batches, and ${due} of its own ${due === 1 ? 'is' : 'are'} due${begun}`;
  return `${counted(workers.length, 'worker is', 'workers are')} alive and have nothing, although ${chunks}: look at their logs${begun}`;
}

const PERIODS = {
  day: { of: ' a day', until: ' until 00:00 UTC' },
  month: { of: ' a month', until: ' until the first of next month, UTC' },
  all: { of: '', until: ' for good' },
} as const;

/** What the credits are now where they were the reason, else what the caller was told. @param limits undefined: the key is deleted */
function refusalText(code: string, limits: CreditLimits | undefined): string {
  if (code === 'key_ceiling_reached' && limits !== undefined && limits.usedUp.length > 0) return ceilingsText(limits);
  if (code === 'credits_insufficient') return limits === undefined ? 'the key is deleted' : creditsText(limits);
  const catalog: Readonly<Record<string, readonly [number, string]>> = ERROR_CATALOG;
  return catalog[code]?.[1] ?? 'why is not known';
}

function ceilingsText({ available, usedUp }: CreditLimits): string {
  const ceilings = usedUp.map(
    ({ per, credits }) =>
      `its ceiling of ${counted(credits, 'credit')}${PERIODS[per].of} is used up${PERIODS[per].until}`,
  );
  const left = available === null ? '' : `; its account has ${counted(available, 'credit')}`;
  return `${ceilings.join(', ')}${left}`;
}

function creditsText({ available, reserved }: CreditLimits): string {
  if (available === null) return 'an agent, whose free credits of a day were used up';
  return `its account has ${counted(available, 'credit')} left, and ${reserved} reserved for work that runs`;
}

/** Puts together what the feature modules know, for a person in a hurry. It needs PostgreSQL alone. */
@Injectable()
export class StatusService {
  constructor(
    private readonly workload: WorkloadService,
    private readonly workers: WorkersService,
    private readonly operators: OperatorAdministrationService,
    private readonly pool: AgentPoolService,
    private readonly ledger: LedgerDriftService,
    private readonly reasons: StatusReasons,
  ) {}

  async read(): Promise<Status> {
    const [workload, oldest, operators, pool, ledger, { now, ...facts }] = await Promise.all([
      this.workload.read(),
      this.workers.oldestWaiting(),
      this.operators.list(),
      this.pool.getToday(),
      this.ledger.find(),
      this.reasons.read(),
    ]);
    const oldestWaiting = oldest && { ...oldest, ...(await this.reasons.ofWaiting(oldest, workload)) };
    const resting = operators.filter(
      ({ pause, circuits, measure }) =>
        pause !== null || circuits.length > 0 || (measure?.acceptsAllSince ?? null) !== null,
    );
    const read = { ...facts, workload, oldestWaiting, resting, ledger, pool };
    return { checkedAt: new Date(now), version: packageVersion(), problems: problemsOf(read, now), ...read };
  }
}
