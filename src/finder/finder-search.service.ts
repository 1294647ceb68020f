import { Inject, Injectable } from '@nestjs/common';
import type { FinderData, Speller } from '../engine/finder/finder-data.js';
import type { Finding } from '../engine/finder/finding.js';
import type { Principal } from '../keys/principal.js';
import { AppError } from '../platform/errors/app-error.js';
import { SuppressionsService } from '../suppressions/suppressions.service.js';
import { MailWorlds } from '../verify/mail-worlds.js';
import { DomainPatternsService } from './domain-patterns.service.js';
import { FINDER_DATA, SPELLER } from './finder-data.provider.js';
import type { Person } from './person.js';

export type { Finding };

/** Who searches: a caller, or a batch of one. */
export type Searcher = Pick<Principal, 'simulated' | 'accountId'>;

/** Searches with what is known of the domain and of who asked not to be found, and learns from what is found. */
@Injectable()
export class FinderSearchService {
  constructor(
    private readonly worlds: MailWorlds,
    private readonly patterns: DomainPatternsService,
    private readonly suppressions: SuppressionsService,
    @Inject(FINDER_DATA) private readonly data: FinderData,
    @Inject(SPELLER) private readonly spell: Speller,
  ) {}

  /** @throws AppError `public_mail_domain`; what a test key asks for by name */
  check(searcher: Searcher, person: Person): void {
    this.worlds.checkSearchRefusal(searcher, person);
    if (this.worlds.engineOf(searcher).isPublicMailDomain(person.domain)) throw new AppError('public_mail_domain');
  }

  async search(searcher: Searcher, { name, domain }: Person, budgetMs: number): Promise<Finding> {
    const { data, spell } = this;
    // The simulated world knows nobody, so that the same question has the same answer.
    const seen = searcher.simulated ? new Map<string, number>() : await this.patterns.seenAt(domain);
    const suppressed = (addresses: readonly string[]) => this.suppressions.among(searcher, addresses);
    const engine = this.worlds.engineOf(searcher);
    const finding = await engine.find({ name, domain, seen }, { budgetMs, data, spell, suppressed });
    if (!searcher.simulated) this.learn(domain, finding);
    return finding;
  }

  /** An address that exists shows its pattern, even one that may be somebody else's of that name. */
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

/** A guess that nobody confirmed is none. */
export function isFound({ email, verdict }: Finding): boolean {
  return email !== null && (verdict === 'valid' || verdict === 'risky');
}
