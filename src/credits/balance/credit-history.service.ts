import { Injectable } from '@nestjs/common';
import { ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { Listing, type Page, type PageQuery } from '../../platform/http/page.js';
import { type LedgerEntry, LedgerStore } from './ledger.store.js';

export type { LedgerEntry };

const ENTRIES = new Listing('credit-history', 'integer');

/** The history of an account's balance. */
@Injectable()
export class CreditHistoryService {
  constructor(private readonly ledger: LedgerStore) {}

  /** The newest first. */
  list(principal: Pick<Principal, 'accountId' | 'simulated'>, query: PageQuery): Promise<Page<LedgerEntry>> {
    const owner = ownerOf(principal);
    return ENTRIES.page(
      query,
      ({ after, limit }) => this.ledger.list(owner, after && Number(after.id), limit + 1),
      ({ createdAt, number }) => ({ at: createdAt, id: String(number) }),
    );
  }
}
