import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Reservation } from '../../credits/credit-source.js';
import { CreditsService } from '../../credits/credits.service.js';
import { chargeFor } from '../../credits/prices.js';
import { type IdempotencyClaim, runInTransaction } from '../../idempotency/idempotency-claim.js';
import { ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { CREDIT_PRICES, type CreditPrices } from '../../platform/config/policies.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { MonitorKind } from '../model/monitor.js';
import { MonitorLeases } from '../runs/monitor-leases.service.js';
import { MAX_LOOK_MS } from '../runs/monitor-looks.service.js';
import { type FinishedRun, MonitorRuns } from '../runs/monitor-runs.service.js';
import type { LeasedMonitor } from '../runs/runs.store.js';
import { MonitorsService } from '../settings/monitors.service.js';

/** As whose work it stands in the ledger. */
const PURPOSES = { domain: 'domains', address: 'blacklists' } as const satisfies Record<MonitorKind, string>;

interface AskedRun {
  readonly principal: Principal;
  readonly reservation: Reservation;
  readonly claim: IdempotencyClaim | null;
}

/** Runs that somebody asks for: now, and for a credit. */
@Injectable()
export class AskedRuns {
  constructor(
    private readonly database: DataSource,
    private readonly monitors: MonitorsService,
    private readonly credits: CreditsService,
    private readonly runs: MonitorRuns,
    private readonly leases: MonitorLeases,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
  ) {}

  /** @throws AppError `monitor_not_found`, `monitor_paused`, `monitor_busy`, `rate_limited`, `key_ceiling_reached`, `credits_insufficient` */
  async run(principal: Principal, id: number, claim: IdempotencyClaim | null): Promise<FinishedRun> {
    const { kind, paused } = await this.monitors.get(ownerOf(principal), id);
    if (paused !== null) throw new AppError('monitor_paused');
    const purpose = PURPOSES[kind];
    const amountCredits = this.prices[purpose].costCredits;
    const reservation = await this.credits.reserve(principal, { amountCredits, purpose, workMs: 2 * MAX_LOOK_MS });
    try {
      const leased = await this.leases.asked(id);
      try {
        return await this.runLeased(leased, { principal, reservation, claim });
      } catch (error) {
        await this.leases.release(leased);
        throw error;
      }
    } catch (error) {
      await this.credits.release(reservation);
      throw error;
    }
  }

  /** The charge, the run and all that it leaves are one transaction. */
  private async runLeased(leased: LeasedMonitor, { principal, reservation, claim }: AskedRun): Promise<FinishedRun> {
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

function worksOf({ run }: FinishedRun, reason: string, credits: number) {
  return [{ verdict: run.state, reason, items: 1, credits }];
}
