import { Inject, Injectable } from '@nestjs/common';
import type { Owner } from '../keys/access/owner.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import { Listing } from '../platform/http/listing.js';
import type { Page, PageQuery } from '../platform/http/page.js';
import { DomainChecksStore, KEPT_MS, type KeptDomainCheck } from './domain-checks.store.js';
import { readId } from '../platform/http/ids.js';

const CHECKS = new Listing('domain-checks', 'integer');

/** What domains were found to publish before. */
@Injectable()
export class KeptDomainChecks {
  constructor(
    private readonly store: DomainChecksStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Newest first. @param domain only of this one */
  list(owner: Owner, query: PageQuery, domain: string | null = null): Promise<Page<KeptDomainCheck>> {
    return CHECKS.page(
      query,
      (request) => this.store.list(owner, request, domain, this.keptFrom()),
      ({ createdAt, id }) => ({ at: createdAt, id: String(id) }),
    );
  }

  /** @throws AppError `check_not_found` */
  async get(owner: Owner, id: string): Promise<KeptDomainCheck> {
    const check = await this.store.find(owner, readId(id, 'check_not_found'), this.keptFrom());
    if (check === null) throw new AppError('check_not_found');
    return check;
  }

  private keptFrom(): Date {
    return new Date(this.clock.now() - KEPT_MS);
  }
}
