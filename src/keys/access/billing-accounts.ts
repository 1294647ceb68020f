import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { KEY_POLICIES, type KeyPolicies, policyNamed } from '../../platform/config/policies.js';
import { AppError } from '../../platform/errors/app-error.js';
import { claimedBy, endOf, type KeyRow, KeyLookupStore } from './caller-keys.js';
import type { Payer } from './principal.js';
import { checkPermissions, type Permission } from '../scope/key-scope.js';
import type { CeilingRow } from '../scope/ceilings.js';
import { KeyCeilingStore } from './key-ceiling.store.js';

/** Work that somebody else begins again for the key that ordered it. */
type OrderedWork = Pick<Payer, 'keyId' | 'accountId' | 'simulated'> & {
  /** Row of `config/key-policies.json`. */
  readonly policy: string;
};

/** By what a key may order work for later: it must still be allowed when the work begins. */
interface Order {
  /** What its route needs. */
  readonly needs: readonly Permission[];
  readonly at: Date;
}

/** Who pays for work that is begun without its caller. */
@Injectable()
export class BillingAccounts {
  constructor(
    private readonly keys: KeyLookupStore,
    private readonly ceilings: KeyCeilingStore,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
  ) {}

  /**
   * The ceilings of a payer as they stand; the statements of `credits/` that reserve and settle count on them and decide by them.
   * @returns null when there are none, or they were taken away
   */
  async findCeilings(id: string | null, tx?: EntityManager): Promise<CeilingRow | null> {
    if (id === null) return null;
    const [found] = await this.ceilings.findAll([id], tx);
    return found ?? null;
  }

  /** The payer of the work, under the ceilings that its key has now. */
  async payerOf(tx: EntityManager, work: OrderedWork): Promise<Payer> {
    return this.make(work, await this.keys.findById(tx, work.keyId));
  }

  /**
   * The payer of work that a key has ordered for later: the key, or the newest in its place, as long as it works and may order this.
   * @throws AppError `key_unknown`, `key_revoked`, `key_expired`, `permission_missing`
   */
  async ordererOf(tx: EntityManager, work: OrderedWork, { needs, at }: Order): Promise<Payer> {
    const key = await this.keys.findNewest(tx, work.keyId);
    const code = key === null ? 'key_unknown' : endOf(key, at.getTime());
    if (key === null || code !== null) throw new AppError(code!);
    checkPermissions(key.permissions, needs);
    return this.make({ ...work, keyId: key.id }, key);
  }

  private make({ keyId, accountId, simulated, policy }: OrderedWork, key: KeyRow | null): Payer {
    return {
      keyId,
      accountId,
      simulated,
      policy: policyNamed(this.policies, policy),
      ceilingId: key?.ceilingId ?? null,
      claimer: key && claimedBy(key, this.policies),
    };
  }
}
