import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CreditsService } from '../credits/credits.service.js';
import { chargeFor } from '../credits/prices.js';
import { type IdempotencyClaim, runInTransaction } from '../idempotency/idempotency-claim.js';
import { ownerOf } from '../keys/access/owner.js';
import { getAccountId, type Principal } from '../keys/access/principal.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { CREDIT_PRICES, type CreditPrices } from '../platform/config/policies.js';
import type { FactsAsked } from '../engine/domain/facts.js';
import type { FindingArea } from '../engine/domain/finding.js';
import { randomId } from '../platform/random-id.js';
import { DomainCheckerService } from './domain-checker.service.js';
import { type DomainCheck, DomainCheckHistoryService } from './domain-check-history.service.js';
import { domainResult, outcomeOf } from './domain-result.js';
import { readDomain, readSenders } from './sender-fields.js';

interface DomainCheckInput extends FactsAsked {
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
    private readonly credits: CreditsService,
    private readonly history: DomainCheckHistoryService,
    private readonly database: DataSource,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
    @Inject(CLOCK) private readonly clock: WallClock,
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
    const begun = performance.now();
    const { simulated, policy } = principal;
    const accountId = getAccountId(principal);
    const domain = readDomain(given.domain);
    const asked = { domain, selectors: given.selectors, senders: readSenders(given.senders, simulated), areas };
    const amountCredits = this.prices.domains.costCredits;
    const reservation = await this.credits.reserve(principal, {
      amountCredits,
      maxCredits,
      purpose: 'domains',
      workMs: budgetMs,
    });
    const checked = await this.checker
      .check(asked, { simulated, accountId, budgetMs })
      .catch(async (fault: unknown) => {
        await this.credits.release(reservation);
        throw fault;
      });
    const result = domainResult(checked, areas === null ? null : new Set(areas));
    const reason = outcomeOf(checked.facts, result.state);
    const charge = chargeFor(this.prices.domains, policy, reason);
    const works = [{ verdict: result.state, reason, items: 1, credits: charge }];
    const creditsCharged = await this.credits.settle(reservation, charge, claim, works);
    const check = {
      id: randomId(),
      domain,
      result,
      creditsCharged,
      latencyMs: Math.round(performance.now() - begun),
      createdAt: new Date(this.clock.now()),
    };
    await runInTransaction(this.database, claim, (tx: EntityManager) =>
      this.history.insert(tx, ownerOf(principal), check),
    );
    return check;
  }
}
