import { Inject, Injectable } from '@nestjs/common';
import type { WaitingBatch } from '../../batch/administration/workers.service.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { type CountedRefusals, SourceRefusalsService } from '../../sources/refusals/source-refusals.service.js';
import { type CreditLimits, ReasonsStore, type WaitingReason } from './reasons.store.js';
import type { Workload } from '../work-administration.service.js';
import { StatusStore } from './status.store.js';

const MAX_REFUSALS = 5;
const PAYMENT_REQUIRED = 402;

/** Says in words why things are as the status shows them. */
@Injectable()
export class StatusReasons {
  constructor(
    private readonly facts: StatusStore,
    private readonly store: ReasonsStore,
    private readonly refusals: SourceRefusalsService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** What no room tells, with its reasons. */
  async read() {
    const [facts, refusals, disk] = await Promise.all([this.facts.read(), this.refusalsInWords(), this.store.disk()]);
    const withoutCredits = facts.refusedToday.filter(({ status }) => status === PAYMENT_REQUIRED);
    const limits = await this.store.limitsOf(withoutCredits.map(({ keyId }) => keyId));
    const texts = new Map(limits.map((one) => [one.keyId, creditsText(one)]));
    const refusedToday = facts.refusedToday.map((one) => ({
      ...one,
      why: one.status === PAYMENT_REQUIRED ? (texts.get(one.keyId) ?? 'the key is deleted') : 'too many requests',
    }));
    return { ...facts, refusedToday, refusals, disk };
  }

  /** @param workload workers that are alive, and regions that none of them has */
  async ofWaiting({ id, accountId }: WaitingBatch, { workers, unworked }: Pick<Workload, 'workers' | 'unworked'>) {
    const [accountName, reason] = await Promise.all([this.facts.nameOf(accountId), this.store.whyWaiting(id)]);
    return { accountName, why: waitingText(reason, workers.length, unworked) };
  }

  /** What mail operators wrote when they refused us in the last 24 hours, the most frequent first. */
  private async refusalsInWords(): Promise<readonly CountedRefusals[]> {
    const all = await this.refusals.list(new Date(this.clock.now()));
    return all.toSorted((a, b) => b.refusals - a.refusals).slice(0, MAX_REFUSALS);
  }
}

function waitingText(
  { due, mostAttempts, leasedElsewhere, region }: WaitingReason,
  workers: number,
  unworked: Workload['unworked'],
): string {
  const begun = mostAttempts > 1 ? `; a chunk of it was begun ${mostAttempts} times, so look at the workers' logs` : '';
  if (workers === 0) return `no worker is alive, ${due} chunks are due${begun}`;
  if (unworked.some((one) => one.region === region))
    return `no worker of its region ${region} is alive, ${due} chunks are due${begun}`;
  if (leasedElsewhere > 0)
    return `workers have ${leasedElsewhere} chunks of other batches, and ${due} of its own are due${begun}`;
  return `${workers} workers are alive and have nothing, although ${due} of its chunks are due: look at their logs${begun}`;
}

const PERIODS = { day: ' a day', month: ' a month', all: '' } as const;

function creditsText({ available, reserved, usedUp }: CreditLimits): string {
  if (usedUp.length > 0)
    return usedUp.map(({ per, credits }) => `its ceiling of ${credits} credits${PERIODS[per]} is used up`).join(', ');
  if (available === null) return 'an agent, whose free credits of a day were used up, or its ceiling';
  return `its account has ${available} credits now, ${reserved} more are reserved`;
}
