import { Injectable } from '@nestjs/common';
import type { Owner } from '../keys/access/owner.js';
import { byCreation, Listing, type Page, type PageInput } from '../platform/http/listing.js';
import type { ErasureState } from './erasure-state.js';
import { type Erasure, ErasureStore } from './erasure.store.js';

export type { Erasure };

const OWN = new Listing('erasures', 'uuid');
const ALL = new Listing('erasures-of-all', 'uuid');

/** The receipts of erasures, newest first: an owner's, and everybody's for administrators. None holds an address. */
@Injectable()
export class ErasureReceipts {
  constructor(private readonly store: ErasureStore) {}

  listOf({ accountId, simulated }: Owner, query: PageInput): Promise<Page<Erasure>> {
    return this.page(OWN, { accountId, simulated, state: null }, query);
  }

  /** @param accountId null: of all accounts. @param state null: in any */
  listAll(accountId: string | null, state: ErasureState | null, query: PageInput): Promise<Page<Erasure>> {
    return this.page(ALL, { accountId, simulated: null, state }, query);
  }

  private page(
    listing: Listing,
    wanted: Parameters<ErasureStore['list']>[0],
    query: PageInput,
  ): Promise<Page<Erasure>> {
    return listing.page(query, (request) => this.store.list(wanted, request), byCreation);
  }
}
