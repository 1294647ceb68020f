import { Inject, Injectable } from '@nestjs/common';
import { CreditsService } from '../credits/credits.service.js';
import { chargeFor } from '../credits/prices.js';
import type { Principal } from '../keys/access/principal.js';
import { CREDIT_PRICES, type CreditPrices } from '../platform/config/policies.js';
import type { IdempotencyClaim } from '../idempotency/idempotency-claim.js';
import type { FoundPerson } from '../presenting/verification-body.js';
import { countVerifications } from '../verify/metrics/verification-metrics.js';
import { FinderSearchService, isFound } from './finder-search.service.js';
import type { Person } from './person.js';

/** A search for one person. */
export interface AskedSearch {
  readonly person: Person;
  readonly budgetMs: number;
  /** The most that it may cost; null: whatever it costs. */
  readonly maxCredits: number | null;
}

/** One search and its credit. */
@Injectable()
export class FinderService {
  constructor(
    private readonly searches: FinderSearchService,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
    private readonly credits: CreditsService,
  ) {}

  /**
   * Charges when an address is found, also when the caller has hung up.
   * @throws AppError `public_mail_domain`, `ceiling_reached`, `credits_insufficient`; a fault of ours costs nothing
   */
  async find(
    principal: Principal,
    { person, budgetMs, maxCredits }: AskedSearch,
    claim: IdempotencyClaim | null = null,
  ): Promise<FoundPerson> {
    const startedAt = performance.now();
    this.searches.check(principal, person);
    const amountCredits = this.prices.find.costCredits;
    const wanted = { amountCredits, maxCredits, purpose: 'find', workMs: budgetMs } as const;
    const reservation = await this.credits.reserve(principal, wanted);
    const finding = await this.searches.search(principal, person, budgetMs).catch(async (fault: unknown) => {
      await this.credits.release(reservation);
      throw fault;
    });
    const charge = chargeFor(this.prices.find, principal.policy, isFound(finding) ? 'found' : 'not_found');
    const reason = finding.verification?.reason ?? 'not_searched';
    const works = [{ verdict: finding.verdict, reason, items: 1, credits: charge }];
    const creditsCharged = await this.credits.settle(reservation, charge, claim, works);
    if (!principal.simulated) countVerifications(works, 'finder');
    return { finding, domain: person.domain, creditsCharged, latencyMs: Math.round(performance.now() - startedAt) };
  }
}
