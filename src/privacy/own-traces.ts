import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Owner } from '../keys/access/owner.js';
import { AccountRecordsErasure } from '../keys/accounts/account-records-erasure.js';
import { ClaimsService } from '../keys/accounts/claims.service.js';
import type { ErasedAddress } from '../platform/addresses/erased-address.js';
import { AuditErasure } from '../platform/audit/audit-erasure.service.js';
import type { ErasedCounts } from './erasure.store.js';

/** What an account and the agents that it has claimed have of an address in the names that they gave, and in the record of their acts. */
@Injectable()
export class OwnTraces {
  constructor(
    private readonly claims: ClaimsService,
    private readonly texts: AccountRecordsErasure,
    private readonly audit: AuditErasure,
  ) {}

  /** The account, and the agents that it has claimed. */
  accountsOf(tx: EntityManager, { accountId }: Owner): Promise<readonly string[]> {
    return this.claims.accountsOf(tx, accountId);
  }

  async erase(
    tx: EntityManager,
    owner: Owner,
    accountIds: readonly string[],
    address: ErasedAddress,
  ): Promise<Pick<ErasedCounts, 'names' | 'agents' | 'acts'>> {
    return {
      ...(await this.texts.erase(tx, owner, accountIds, address)),
      acts: await this.audit.erase(tx, accountIds, owner.simulated, address),
    };
  }
}
