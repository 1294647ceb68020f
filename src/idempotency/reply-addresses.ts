import { comparedForm } from '../platform/erased-address.js';
import { type AddressOwner, IdempotencyStore } from './idempotency.store.js';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ErasedAddress } from '../platform/erased-address.js';
import { Secrets } from '../platform/config/secrets.js';

/** Far more than a reply that is kept holds: batches answer with counts. */
const MAX_ADDRESSES = 2_000;

const WITHIN_TEXT = /[^\s"'<>(),:;[\]]+@[^\s"'<>(),:;[\]]+/g;

/** The addresses in a reply, each as it is compared: texts that are one, and what stands within longer texts. */
export function addressesIn(body: string): string[] {
  if (!body.includes('@')) return [];
  const found = new Set<string>();
  const add = (text: string): void => {
    if (found.size < MAX_ADDRESSES) found.add(comparedForm(text));
  };
  JSON.parse(body, (_, value: unknown) => {
    if (typeof value === 'string' && value.includes('@')) {
      add(value);
      for (const [address] of value.matchAll(WITHIN_TEXT)) add(address.replace(/\.$/, ''));
    }
    return value;
  });
  return [...found];
}

/** The context of the tags of an account's addresses, so that those of two accounts tell nothing of each other. */
export function tagContext({ accountId, simulated }: AddressOwner): string {
  return `addresses of ${accountId} ${simulated ? 'test' : 'live'}`;
}

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
