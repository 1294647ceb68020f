import { Inject, Injectable } from '@nestjs/common';
import type { FinderData, Speller } from '../engine/finder/finder-data.js';
import type { Finding } from '../engine/finder/finding.js';
import type { Principal } from '../keys/access/principal.js';
import { AppError } from '../platform/errors/app-error.js';
import { SuppressionsService } from '../suppressions/suppressions.service.js';
import { EngineSelector } from '../verify/engine-selector.js';
import { DomainPatternsService } from './patterns/domain-patterns.service.js';
import { FINDER_DATA, SPELLER } from './spelling/finder-data.provider.js';
import type { Person } from './person.js';

export type { Finding };

/** Who searches: a caller, or one of a caller's batches. */
export type Searcher = Pick<Principal, 'simulated' | 'accountId'>;

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
