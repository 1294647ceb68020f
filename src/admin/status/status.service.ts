import { Injectable } from '@nestjs/common';
import { WorkersService } from '../../batch/administration/workers.service.js';
import { LedgerDriftService } from '../../credits/balance/ledger-drift.service.js';
import { AgentPoolService } from '../../credits/daily/agent-pool.service.js';
import { packageVersion } from '../../platform/package-version.js';
import { OperatorAdministrationService } from '../operator-administration.service.js';
import { WorkAdministrationService } from '../work-administration.service.js';
import { problemsOf } from './problems.js';
import { StatusReasons } from './status-reasons.service.js';
import type { Status } from './status-facts.js';

/** Puts together what the rooms know, for a person in a hurry. It needs PostgreSQL alone. */
@Injectable()
export class StatusService {
  constructor(
    private readonly work: WorkAdministrationService,
    private readonly workers: WorkersService,
    private readonly operators: OperatorAdministrationService,
    private readonly pool: AgentPoolService,
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
    const resting = operators.filter(
      ({ pause, circuits, measure }) =>
        pause !== null || circuits.length > 0 || (measure?.acceptsAllSince ?? null) !== null,
    );
    const read = { ...facts, workload, oldestWaiting, resting, ledger, pool };
    return { checkedAt: new Date(now), version: packageVersion(), problems: problemsOf(read, now), ...read };
  }
}
