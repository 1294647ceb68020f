import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { KEY_POLICIES, type KeyPolicies, policyNamed } from '../../platform/config/policies.js';
import { type KeyRow, KeyLookupStore } from '../access/key-lookup.store.js';
import type { Claimer, Payer } from '../access/principal.js';

/** Work that somebody else begins again for the key that ordered it. */
type OrderedWork = Pick<Payer, 'keyId' | 'accountId' | 'simulated'> & {
  /** Row of `config/key-policies.json`. */
  readonly policy: string;
};

/** Who pays for work that is begun without its caller. */
@Injectable()
export class PayersService {
  constructor(
    private readonly keys: KeyLookupStore,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
  ) {}

  /** The payer of the work, under the ceilings that its key has now. */
  async payerOf(tx: EntityManager, { keyId, accountId, simulated, policy }: OrderedWork): Promise<Payer> {
    const key = await this.keys.findById(tx, keyId);
    return {
      keyId,
      accountId,
      simulated,
      policy: policyNamed(this.policies, policy),
      ceilingId: key?.ceilingId ?? null,
      claimer: key && claimerOf(key, this.policies),
    };
  }
}

export function claimerOf(
  { claimedBy, claimerPolicy }: Pick<KeyRow, 'claimedBy' | 'claimerPolicy'>,
  policies: KeyPolicies,
): Claimer | null {
  if (claimedBy === null || claimerPolicy === null) return null;
  return { accountId: claimedBy, policy: policyNamed(policies, claimerPolicy) };
}
