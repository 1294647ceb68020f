import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CreditsService } from '../../credits/credits.service.js';
import { chargeFor } from '../../credits/prices.js';
import type { WorkReason } from '../../credits/usage/used-work.js';
import type { Principal } from '../../keys/access/principal.js';
import { addToOutbox } from '../../events/outbox.js';
import { CREDIT_PRICES, type CreditPrices } from '../../platform/config/policies.js';
import { ENV, type Env } from '../../platform/config/env.js';
import type { PlacementTest, SeedPlacement, TestState } from './placement-test.js';
import { PlacementTestHistoryService } from './placement-test-history.service.js';
import { outcomeOf, type PlacementReport } from './report/placement-report.js';
import type { ReportSeverity } from './report/report-findings.js';

/** No report has the outcome `unknown`, by which policies differ. */
const KNOWN = { chargeUnknown: true, chargeMalformed: true };
const EVENTS = { completed: 'placement.completed', expired: 'placement.expired', cancelled: null } as const;

/**
 * Ends a test: its state, its credits and its event in one transaction, with its row locked, so that it is settled exactly once whatever
 * process is killed.
 *
 * What was not given is not charged: no report, or one without the DNS or without its message, no credit for it; no seed that was measured, none for seeds.
 */
@Injectable()
export class TestSettlementService {
  constructor(
    private readonly tests: PlacementTestHistoryService,
    private readonly credits: CreditsService,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
    @Inject(ENV) private readonly env: Pick<Env, 'publicUrl'>,
  ) {}

  /** Reserves the most that a test may cost. */
  async reserve(
    tx: EntityManager,
    principal: Principal,
    { hasSeeds, maxCredits }: { readonly hasSeeds: boolean; readonly maxCredits: number | null },
  ): Promise<Pick<PlacementTest, 'reservationId' | 'creditsReserved'>> {
    const { placement, seeds } = this.prices;
    const { id, source, amountCredits } = await this.credits.reserveIn(tx, principal, {
      amountCredits: placement.costCredits + (hasSeeds ? seeds.costCredits : 0),
      maxCredits,
      purpose: 'placement',
      workMs: null,
    });
    if (source === 'none') return { reservationId: null, creditsReserved: 0 };
    return { reservationId: id, creditsReserved: amountCredits };
  }

  /**
   * @param test as it was locked in this transaction, not ended
   * @returns whether endpoints are to be told
   */
  async end(
    tx: EntityManager,
    test: PlacementTest,
    state: Exclude<TestState, 'waiting' | 'receiving'>,
    { placement, at }: { readonly placement: SeedPlacement | null; readonly at: Date },
  ): Promise<boolean> {
    const due = this.dueFor(test, placement);
    const charged = await this.settle(tx, test, due, state);
    await this.tests.end(tx, test.id, { state, creditsCharged: charged, placement, at });
    const type = EVENTS[state];
    if (type === null) return false;
    const data = {
      id: test.id,
      name: test.name,
      status: state,
      settled_at: at.toISOString(),
      placement: placement === null ? null : countsAlone(placement),
      findings: findingCounts(test.report as PlacementReport | null),
      credits_charged: charged,
      test_url: `${this.env.publicUrl}/api/v1/placement/tests/${test.id}`,
    };
    const { accountId, simulated } = test;
    const deliveries = await addToOutbox(tx, { accountId, simulated, type, at, data, batchId: null, url: null });
    return deliveries.length > 0;
  }

  private dueFor({ report }: PlacementTest, placement: SeedPlacement | null): number {
    const outcome = report === null ? null : outcomeOf(report as PlacementReport);
    const forReport = outcome === null ? 0 : chargeFor(this.prices.placement, KNOWN, outcome);
    return forReport + (placement !== null && placement.measured > 0 ? this.prices.seeds.costCredits : 0);
  }

  /** @throws Error when the reservation holds less: then the caller's transaction is rolled back */
  private async settle(tx: EntityManager, test: PlacementTest, due: number, state: TestState): Promise<number> {
    const report = test.report as PlacementReport | null;
    const reason: WorkReason =
      report === null ? 'no_report' : outcomeOf(report) === 'answered' ? 'report' : 'unanswered';
    if (test.reservationId === null) {
      const { accountId, keyId, simulated } = test;
      const user = { accountId, keyId, simulated, endpoint: 'placement' } as const;
      this.credits.countFree(user, [{ verdict: state, reason, items: 1, credits: 0 }]);
      return 0;
    }
    const charge = Math.min(due, test.creditsReserved);
    const works = [{ verdict: state, reason, items: 1, credits: charge }];
    const reservation = { id: test.reservationId, source: 'balance' } as const;
    if ((await this.credits.settleIn(tx, reservation, charge, works)) < charge)
      throw new Error(`the reservation of placement test ${test.id} does not hold ${charge} credits`);
    return charge;
  }
}

function countsAlone(placement: SeedPlacement): object {
  return Object.fromEntries(Object.entries(placement).filter(([name]) => name !== 'providers'));
}

type FindingCounts = Readonly<Record<ReportSeverity, number>>;

export function findingCounts(report: Pick<PlacementReport, 'findings'> | null): FindingCounts {
  const count = (wanted: ReportSeverity) =>
    (report?.findings ?? []).filter(({ severity }) => severity === wanted).length;
  return { critical: count('critical'), warning: count('warning'), info: count('info') };
}
