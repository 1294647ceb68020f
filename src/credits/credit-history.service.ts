import { Injectable } from '@nestjs/common';
import { type Owner, ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { everyRow, Listing, type Page, type PageInput } from '../platform/http/listing.js';
import { ALL_ENTRIES, type LedgerEntry, type LedgerFilter, LedgerStore, type NumberRange } from './ledger.store.js';

export type { LedgerEntry };

const ENTRIES = new Listing('credit-history', 'integer');

/** The history of an account's balance. */
@Injectable()
export class CreditHistoryService {
  constructor(private readonly ledger: LedgerStore) {}

  /** The newest first. */
  async list(
    principal: Pick<Principal, 'accountId' | 'simulated'>,
    query: PageInput,
    filter: LedgerFilter = ALL_ENTRIES,
  ): Promise<Page<LedgerEntry>> {
    const owner = ownerOf(principal);
    return this.page(owner, query, filter, await this.ledger.rangeOf(owner, filter));
  }

  /** Every one of them, the newest first. */
  async *every(principal: Principal, filter: LedgerFilter): AsyncGenerator<LedgerEntry, void> {
    const owner = ownerOf(principal);
    const range = await this.ledger.rangeOf(owner, filter);
    yield* everyRow((query) => this.page(owner, query, filter, range));
  }

  private page(owner: Owner, query: PageInput, filter: LedgerFilter, range: NumberRange): Promise<Page<LedgerEntry>> {
    return ENTRIES.page(
      query,
      ({ after, limit }) => {
        const last = after === null ? range.last : Math.min(range.last, Number(after.id) - 1);
        return this.ledger.list(owner, filter, { ...range, last }, limit + 1);
      },
      ({ createdAt, number }) => ({ at: createdAt, id: String(number) }),
    );
  }
}
