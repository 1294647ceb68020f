import { Injectable, Inject } from '@nestjs/common';
import { WorkersService } from '../../batch/workers.service.js';
import { LedgerDriftService } from '../../credits/credits-audit.js';
import { packageVersion } from '../../platform/config/config-file.js';
import { OperatorAdministrationService } from '../operator-administration.service.js';
import { WorkAdministrationService, type Workload } from '../work-administration.service.js';
import { problemsOf } from './problems.js';
import type { Status, CreditLimits, WaitingReason } from './status-facts.js';
import { AccountWorkStore } from './account-work.store.js';
import { InfrastructureStore } from './infrastructure.store.js';
import type { WaitingBatch } from '../../batch/workers.service.js';
import { AgentPoolService } from '../../credits/agent-pool.service.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { counted } from '../../platform/counted.js';
import { type CountedRefusals, SourceRefusalsService } from '../../sources/source-refusals.service.js';

const MAX_REFUSALS = 5;
const PAYMENT_REQUIRED = 402;

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
    const withoutCredits = work.refusedToday.filter(({ status }) => status === PAYMENT_REQUIRED);
    const limits = await this.work.limitsOf(withoutCredits.map(({ keyId }) => keyId));
    const texts = new Map(limits.map((one) => [one.keyId, creditsText(one)]));
    const refusedToday = work.refusedToday.map((one) => ({
      ...one,
      why: one.status === PAYMENT_REQUIRED ? (texts.get(one.keyId) ?? 'the key is deleted') : 'too many requests',
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

/** With the code that the caller was told. */
function creditsText({ available, reserved, usedUp }: CreditLimits): string {
  if (usedUp.length > 0) {
    const ceilings = usedUp.map(
      ({ per, credits }) =>
        `its ceiling of ${counted(credits, 'credit')}${PERIODS[per].of} is used up${PERIODS[per].until}`,
    );
    const left = available === null ? '' : `; its account has ${counted(available, 'credit')}`;
    return `key_ceiling_reached: ${ceilings.join(', ')}${left}`;
  }
  if (available === null) return 'an agent, whose free credits of a day were used up, or its ceiling';
  return `credits_insufficient: its account has ${counted(available, 'credit')} left, and ${reserved} reserved for work that runs`;
}

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
