import { Inject, Injectable } from '@nestjs/common';
import { PaidChecksService } from '../../credits/paid-checks.service.js';
import { chargeFor } from '../../credits/prices.js';
import type { WorkReason } from '../../credits/usage/used-work.js';
import type { IdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import { getAccountId, type Principal } from '../../keys/access/principal.js';
import { CREDIT_PRICES, type CreditPrices } from '../../platform/config/policies.js';
import type { FactsQuery } from '../../engine/domain/facts.js';
import type { FindingArea } from '../../engine/domain/finding.js';
import { DomainCheckerService } from './domain-checker.service.js';
import { type DomainCheck, DomainCheckHistoryService } from './domain-check-history.service.js';
import { domainResult, outcomeOf } from './domain-result.js';
import { readDomain, readSenders } from './sender-fields.js';

interface DomainCheckInput extends FactsQuery {
  /** Only these are asked of others than the DNS, and only findings and records of these are answered; null: all. */
  readonly areas: readonly FindingArea[] | null;
  readonly budgetMs: number;
  readonly maxCredits: number | null;
}

/** One check of a domain and its credits. */
@Injectable()
export class DomainChecksService {
  constructor(
    private readonly checker: DomainCheckerService,
    private readonly paid: PaidChecksService,
    private readonly history: DomainCheckHistoryService,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
  ) {}

  /**
   * Charges where it can say how the domain is.
   * @throws AppError `invalid_input`, `ceiling_reached`, `key_ceiling_reached`, `credits_insufficient`
   */
  async check(
    principal: Principal,
    { areas, budgetMs, maxCredits, ...given }: DomainCheckInput,
    claim: IdempotencyClaim | null,
  ): Promise<DomainCheck> {
    const { simulated, policy } = principal;
    const { domains: price } = this.prices;
    const accountId = getAccountId(principal);
    const domain = readDomain(given.domain);
    const asked = { domain, selectors: given.selectors, senders: readSenders(given.senders, simulated), areas };
    return this.paid.run(principal, this.history, claim, {
      wanted: { amountCredits: price.costCredits, maxCredits, purpose: 'domains', workMs: budgetMs },
      work: async () => {
        const checked = await this.checker.check(asked, { simulated, accountId, budgetMs });
        const result = domainResult(checked, areas === null ? null : new Set(areas));
        return { result, reason: outcomeOf(checked.facts, result.state) satisfies WorkReason };
      },
      worksOf: ({ result, reason }) => [
        { verdict: result.state, reason, items: 1, credits: chargeFor(price, policy, reason) },
      ],
      foundIn: ({ result }) => ({ domain, result }),
    });
  }
}
