import { Injectable } from '@nestjs/common';
import { WorkersService } from '../../batch/administration/workers.service.js';
import { LedgerDriftService } from '../../credits/balance/ledger-drift.service.js';
import { packageVersion } from '../../platform/package-version.js';
import { type Operator, OperatorAdministrationService } from '../operator-administration.service.js';
import { PoolAdministrationService } from '../pool-administration.service.js';
import { WorkAdministrationService, type Workload } from '../work-administration.service.js';
import type { CountedRefusals } from '../../sources/refusals/source-refusals.service.js';
import type { Disk } from './reasons.store.js';
import { StatusReasons } from './status-reasons.service.js';
import type { Refused, StatusFacts } from './status.store.js';

/** What somebody looks at first. */
export interface Status extends Omit<StatusFacts, 'now' | 'refusedToday'> {
  readonly checkedAt: Date;
  readonly version: string;
  /** What is wrong, a sentence each; none: all is well, as far as the database tells. */
  readonly problems: readonly string[];
  readonly workload: Workload;
  readonly oldestWaiting: {
    readonly id: number;
    readonly accountId: string;
    readonly accountName: string | null;
    readonly since: Date;
    readonly why: string;
  } | null;
  readonly refusedToday: readonly (Refused & { readonly why: string })[];
  /** What mail operators wrote, the most frequent first. */
  readonly refusals: readonly CountedRefusals[];
  /** Null where it is on another machine. */
  readonly disk: Disk | null;
  /** Operators that are paused or that refuse us. */
  readonly resting: readonly Operator[];
  readonly ledger: { readonly credits: number; readonly accounts: number; readonly measuredAt: Date } | null;
  readonly pool: { readonly remaining: number; readonly capacity: number; readonly resetsAt: Date };
}

/* The limits of config/observability/rules.yml, without the time for which they must last there. */
const BATCH_WAITS_MS = 600_000;
const DELIVERY_LATE_MS = 300_000;
const NOT_COMPARED_MS = 600_000;
const POOL_LOW = 0.1;
const DISK_LOW = 0.1;

/** Puts together what the rooms know, for a person in a hurry. It needs PostgreSQL alone. */
@Injectable()
export class StatusService {
  constructor(
    private readonly work: WorkAdministrationService,
    private readonly workers: WorkersService,
    private readonly operators: OperatorAdministrationService,
    private readonly pool: PoolAdministrationService,
    private readonly ledger: LedgerDriftService,
    private readonly reasons: StatusReasons,
  ) {}

  async read(): Promise<Status> {
    const [workload, oldest, operators, pool, ledger, { now, ...facts }] = await Promise.all([
      this.work.getWorkload(),
      this.workers.oldestWaiting(),
      this.operators.list(),
      this.pool.getToday(),
      this.ledger.find(),
      this.reasons.read(),
    ]);
    const oldestWaiting = oldest && { ...oldest, ...(await this.reasons.ofWaiting(oldest, workload)) };
    const resting = operators.filter(({ pause, circuits }) => pause !== null || circuits.length > 0);
    const read = { ...facts, workload, oldestWaiting, resting, ledger, pool };
    return { checkedAt: new Date(now), version: packageVersion(), problems: problemsOf(read, now), ...read };
  }
}

function problemsOf(
  {
    workload,
    oldestWaiting,
    resting,
    ledger,
    pool,
    database,
    disk,
  }: Omit<Status, 'checkedAt' | 'version' | 'problems'>,
  now: number,
): string[] {
  const { workers, unworked, deliveries, port25 } = workload;
  const problems: string[] = [];
  if (workers.length === 0) problems.push('No worker is alive: batches and webhooks wait.');
  for (const { region, batches, oldestBatchId } of unworked)
    problems.push(
      `No worker of the region ${region} is alive: ${batches} batches wait, the first is ${oldestBatchId}.`,
    );
  if (oldestWaiting !== null && now - oldestWaiting.since.getTime() > BATCH_WAITS_MS)
    problems.push(`Batch ${oldestWaiting.id} waits for a worker: ${oldestWaiting.why}.`);
  if (deliveries.oldestDueAt !== null && now - deliveries.oldestDueAt.getTime() > DELIVERY_LATE_MS)
    problems.push('A webhook delivery is late.');
  for (const { name, circuits } of resting)
    for (const { source, lastRefusal } of circuits)
      problems.push(`The mail operator ${name} refuses us at ${source}: ${lastRefusal}.`);
  for (const { machine, state } of port25)
    if (state === 'blocked') problems.push(`Port 25 does not leave the machine ${machine}.`);
  if (ledger !== null && ledger.credits !== 0)
    problems.push(`Balances of ${ledger.accounts} accounts differ from their ledgers, by ${ledger.credits} credits.`);
  if (ledger === null || now - ledger.measuredAt.getTime() > NOT_COMPARED_MS)
    problems.push('Balances and ledgers were not compared lately: no process of the service runs, or none can.');
  if (pool.capacity > 0 && pool.remaining / pool.capacity < POOL_LOW)
    problems.push('Agents have used nearly all of the day’s credits.');
  if (database.connections > 0.9 * database.maxConnections) problems.push('PostgreSQL has hardly a connection left.');
  if (disk !== null && disk.freeBytes < DISK_LOW * disk.bytes)
    problems.push(`The disk of the database has ${Math.round((100 * disk.freeBytes) / disk.bytes)}% left.`);
  return problems;
}
