import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ErasedAddress } from '../../platform/erased-address.js';
import { Secrets } from '../../platform/config/secrets.js';
import { IdempotencyStore } from '../idempotency.store.js';
import { tagContext } from './reply-addresses.js';

/** Erases an address from kept replies. They are sealed, so they are found by keyed hashes of the addresses in them. */
@Injectable()
export class KeptReplyErasure {
  constructor(
    private readonly store: IdempotencyStore,
    private readonly secrets: Secrets,
  ) {}

  /** @returns how many replies are emptied: whoever asks for one again is told that the work was done */
  erase(
    tx: EntityManager,
    accountIds: readonly string[],
    simulated: boolean,
    { compared }: ErasedAddress,
  ): Promise<number> {
    const tags = accountIds.flatMap((accountId) => this.secrets.tags(compared, tagContext({ accountId, simulated })));
    return this.store.erase(tx, accountIds, simulated, tags);
  }
}
