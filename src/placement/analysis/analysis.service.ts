import { Inject, Injectable } from '@nestjs/common';
import { CreditsService } from '../../credits/credits.service.js';
import { chargeFor } from '../../credits/prices.js';
import type { FactDns } from '../../engine/domain/facts.js';
import type { IdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import { getAccountId, type Principal } from '../../keys/access/principal.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { CREDIT_PRICES, type CreditPrices } from '../../platform/config/policies.js';
import { outcomeOf, type PlacementReport } from '../report/placement-report.js';
import { ReportMaker } from '../report/report-maker.service.js';
import type { ReportEnvelope } from '../report/sections/authentication.js';
import { simulatedSenders } from './simulated-senders.js';

export interface AskedAnalysis {
  readonly raw: Buffer;
  readonly envelope: ReportEnvelope;
  readonly maxCredits: number | null;
}

export interface Analysis {
  readonly report: PlacementReport;
  readonly creditsCharged: number;
  readonly latencyMs: number;
}

/** The longest that a report takes: the DNS, block lists, and whether our resolver is to blame for silence. */
const WORK_MS = 45_000;

/** The report of a message that nobody has sent us, for a credit, and for none while our resolver does not answer. It is not kept. */
@Injectable()
export class AnalysisService {
  constructor(
    private readonly reports: ReportMaker,
    private readonly credits: CreditsService,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** @throws AppError `ceiling_reached`, `key_ceiling_reached`, `credits_insufficient` */
  async analyze(
    principal: Principal,
    { raw, envelope, maxCredits }: AskedAnalysis,
    claim: IdempotencyClaim | null,
  ): Promise<Analysis> {
    const begun = performance.now();
    const amountCredits = this.prices.placement.costCredits;
    const wanted = { amountCredits, maxCredits, purpose: 'placement', workMs: WORK_MS } as const;
    const reservation = await this.credits.reserve(principal, wanted);
    const world: FactDns | null = principal.simulated ? simulatedSenders(raw, envelope) : null;
    const receivedAt = new Date(this.clock.now());
    const accountId = getAccountId(principal);
    const report = await this.reports
      .make({ raw, envelope, receivedAt, accountId, world })
      .catch(async (fault: unknown) => {
        await this.credits.release(reservation);
        throw fault;
      });
    const charge = chargeFor(this.prices.placement, principal.policy, outcomeOf(report));
    const reason = report.dns_answered ? 'report' : 'unanswered';
    const works = [{ verdict: 'completed', reason, items: 1, credits: charge }];
    const creditsCharged = await this.credits.settle(reservation, charge, claim, works);
    return { report, creditsCharged, latencyMs: Math.round(performance.now() - begun) };
  }
}
