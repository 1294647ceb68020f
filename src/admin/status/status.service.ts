import { Injectable } from '@nestjs/common';
import { WorkersService } from '../../batch/administration/workers.service.js';
import { LedgerDriftService } from '../../credits/balance/ledger-drift.service.js';
import { packageVersion } from '../../platform/package-version.js';
import { type Operator, OperatorAdministrationService } from '../operator-administration.service.js';
import { PoolAdministrationService } from '../pool-administration.service.js';
import { WorkAdministrationService, type Workload } from '../work-administration.service.js';
import type { CountedRefusals } from '../../sources/refusals/source-refusals.service.js';
import type { Faults } from './faults.store.js';
import { type Problem, problemsOf } from './problems.js';
import type { Disk } from './reasons.store.js';
import { StatusReasons } from './status-reasons.service.js';
import type { Refused, StatusFacts } from './status.store.js';

/** What somebody looks at first. */
export interface Status extends Omit<StatusFacts, 'now' | 'refusedToday'> {
  readonly checkedAt: Date;
  readonly version: string;
  /** None: all is well, as far as the database tells. */
  readonly problems: readonly Problem[];
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
  /** Of sources, monitors and block lists. */
  readonly faults: Faults;
  /** Null where it is on another machine. */
  readonly disk: Disk | null;
  /** Operators that are paused or that refuse us. */
  readonly resting: readonly Operator[];
  readonly ledger: { readonly credits: number; readonly accounts: number; readonly measuredAt: Date } | null;
  readonly pool: { readonly remaining: number; readonly capacity: number; readonly resetsAt: Date };
}

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
