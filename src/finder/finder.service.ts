import { Inject, Injectable } from '@nestjs/common';
import { CreditsService } from '../credits/credits.service.js';
import { chargeFor } from '../credits/prices.js';
import type { Principal } from '../keys/access/principal.js';
import { CREDIT_PRICES, type CreditPrices } from '../platform/config/policies.js';
import type { IdempotencyClaim } from '../idempotency/idempotency-claim.js';
import type { FoundPerson } from '../presenting/verification-body.js';
import { countVerifications } from '../verify/verification-outcome.js';
import type { Person } from './person.js';
import type { FinderData, Speller } from '../engine/finder/finder-data.js';
import type { Finding } from '../engine/finder/finding.js';
import { AppError } from '../platform/errors/app-error.js';
import { SuppressionsService } from '../suppressions/suppressions.service.js';
import { EngineSelector } from '../verify/engine-selector.js';
import { DomainPatternsService } from './domain-patterns.service.js';
import { FINDER_DATA, SPELLER } from './finder-data.provider.js';

export type { Finding };

/** Who searches: a caller, or one of a caller's batches. */
type Searcher = Pick<Principal, 'simulated' | 'accountId'>;

/** Searches with the domain's known patterns, leaves out suppressed addresses, and learns from each address found. */
@Injectable()
export class FinderSearchService {
  constructor(
    private readonly engines: EngineSelector,
    private readonly patterns: DomainPatternsService,
    private readonly suppressions: SuppressionsService,
    @Inject(FINDER_DATA) private readonly data: FinderData,
    @Inject(SPELLER) private readonly spell: Speller,
  ) {}

  /** @throws AppError `public_mail_domain`; for a test key also the error that the person's name asks for */
  check(searcher: Searcher, person: Person): void {
    this.engines.checkSearchRefusal(searcher, person);
    if (this.engines.engineOf(searcher).isPublicMailDomain(person.domain)) throw new AppError('public_mail_domain');
  }

  /** @param turn of a batch, whose searches wait their turn where others ask the same mail hosts; null: a caller waits */
  async search(
    searcher: Searcher,
    { name, domain }: Person,
    budgetMs: number,
    turn: string | null = null,
  ): Promise<Finding> {
    const { data, spell } = this;
    // In test mode no pattern is known, so that equal requests get equal answers.
    const seen = searcher.simulated ? new Map<string, number>() : await this.patterns.seenAt(domain);
    const suppressed = (addresses: readonly string[]) => this.suppressions.among(searcher, addresses);
    const engine = this.engines.engineOf(searcher);
    const options = { budgetMs, data, spell, suppressed, account: searcher.accountId, ...(turn !== null && { turn }) };
    const finding = await engine.find({ name, domain, seen }, options);
    if (!searcher.simulated) this.learn(domain, finding);
    return finding;
  }

  /** An address that exists shows its domain's pattern, even when it belongs to another person of that name. */
  private learn(domain: string, { email, pattern, verification }: Finding): void {
    if (
      email !== null &&
      pattern !== null &&
      verification?.checks.catchAll === 'no' &&
      verification.verdict === 'valid'
    )
      this.patterns.learn(email, domain, pattern);
  }
}

/** A guess that no mail host confirmed is not found. */
export function isFound({ email, verdict }: Finding): boolean {
  return email !== null && (verdict === 'valid' || verdict === 'risky');
}

/** A search for one person. */
interface SearchRequest {
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
    { person, budgetMs, maxCredits }: SearchRequest,
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
