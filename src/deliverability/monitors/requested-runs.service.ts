import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CreditsService } from '../../credits/credits.service.js';
import { type Reservation } from '../../credits/credit-source.js';
import { chargeFor } from '../../credits/prices.js';
import type { WorkReason } from '../../credits/usage/used-work.js';
import { type IdempotencyClaim, runInTransaction } from '../../idempotency/idempotency-claim.js';
import { ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { CREDIT_PRICES, type CreditPrices } from '../../platform/config/policies.js';
import { AppError } from '../../platform/errors/app-error.js';
import { ERROR_CATALOG } from '../../platform/errors/error-catalog.js';
import type { MonitorKind } from './findings/monitor.js';
import { type FinishedRun, MonitorRunsService } from './monitor-runs.service.js';
import { MAX_PROBE_MS } from './monitor-probe.js';
import type { LeasedMonitor } from './runs.store.js';
import { pauseText } from './monitor-choices.js';
import { MonitorsService } from './monitors.service.js';

/** As whose work it stands in the ledger. */
const PURPOSES = { domain: 'domains', address: 'blacklists' } as const satisfies Record<MonitorKind, string>;

interface RequestedRun {
  readonly principal: Principal;
  readonly reservation: Reservation;
  readonly claim: IdempotencyClaim | null;
}

/** Runs that somebody asks for: now, and for a credit. */
@Injectable()
export class RequestedRunsService {
  constructor(
    private readonly database: DataSource,
    private readonly monitors: MonitorsService,
    private readonly credits: CreditsService,
    private readonly runs: MonitorRunsService,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
  ) {}

  /** @throws AppError `monitor_not_found`, `monitor_paused`, `monitor_busy`, `rate_limited`, `key_ceiling_reached`, `credits_insufficient` */
  async run(principal: Principal, id: number, claim: IdempotencyClaim | null): Promise<FinishedRun> {
    const monitor = await this.monitors.get(ownerOf(principal), id);
    const { kind, paused } = monitor;
    if (paused === 'plan') throw new AppError('monitor_paused', { message: pauseText(monitor, principal.policy)! });
    if (paused === 'operator')
      throw new AppError('monitor_paused', { message: ERROR_CATALOG.monitor_paused_by_operator[1] });
    if (paused !== null) throw new AppError('monitor_paused');
    const purpose = PURPOSES[kind];
    const amountCredits = this.prices[purpose].costCredits;
    const reservation = await this.credits.reserve(principal, { amountCredits, purpose, workMs: 2 * MAX_PROBE_MS });
    try {
      const leased = await this.runs.requested(id);
      try {
        return await this.runLeased(leased, { principal, reservation, claim });
      } catch (error) {
        await this.runs.release(leased);
        throw error;
      }
    } catch (error) {
      await this.credits.release(reservation);
      throw error;
    }
  }

  /** The charge, the run and all that it leaves are one transaction. */
  private async runLeased(
    leased: LeasedMonitor,
    { principal, reservation, claim }: RequestedRun,
  ): Promise<FinishedRun> {
    const found = await this.runs.find(leased, 'request');
    const { outcome } = found.look;
    const { user } = reservation;
    const isFree = reservation.source === 'none';
    const charge = isFree ? 0 : chargeFor(this.prices[PURPOSES[leased.kind]], principal.policy, outcome);
    const finished = await runInTransaction(this.database, claim, async (tx) => {
      const done = await this.runs.finish(tx, leased, found, { cause: 'request', creditsCharged: charge });
      if (done === null) throw new AppError('monitor_busy');
      if (!isFree) await this.credits.settleIn(tx, reservation, charge, worksOf(done, outcome, charge));
      return done;
    });
    if (isFree && user !== undefined) this.credits.countFree(user, worksOf(finished, outcome, 0));
    return finished;
  }
}

function worksOf({ run }: FinishedRun, reason: WorkReason, credits: number) {
  return [{ verdict: run.state, reason, items: 1, credits }];
}
