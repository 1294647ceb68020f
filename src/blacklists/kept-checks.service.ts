import { Injectable } from '@nestjs/common';
import type { Owner } from '../keys/access/owner.js';
import { AppError } from '../platform/errors/app-error.js';
import { Listing } from '../platform/http/listing.js';
import type { Page, PageQuery } from '../platform/http/page.js';
import { BlacklistChecksStore, type KeptCheck } from './blacklist-checks.store.js';
import { readId } from '../platform/http/ids.js';

export type { KeptCheck };

const CHECKS = new Listing('blacklist-checks', 'integer');

/** What was asked before. */
@Injectable()
export class KeptChecks {
  constructor(private readonly store: BlacklistChecksStore) {}

  /** Newest first. @param keptFrom older ones are as good as forgotten */
  list(owner: Owner, query: PageQuery, keptFrom: Date): Promise<Page<KeptCheck>> {
    return CHECKS.page(
      query,
      (request) => this.store.list(owner, request, keptFrom),
      ({ createdAt, id }) => ({ at: createdAt, id: String(id) }),
    );
  }

  /** @throws AppError `check_not_found` */
  async get(owner: Owner, id: string, keptFrom: Date): Promise<KeptCheck> {
    const check = await this.store.find(owner, readId(id, 'check_not_found'), keptFrom);
    if (check === null) throw new AppError('check_not_found');
    return check;
  }
}
