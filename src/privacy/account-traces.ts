import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StoredReplyErasure } from '../idempotency/stored-reply.js';
import type { Owner } from '../keys/access/owner.js';
import type { ErasedAddress, Holders } from '../platform/erased-address.js';
import { RecentVerdicts } from '../reuse/recent-verdicts.js';
import { ReuseService } from '../reuse/reuse.service.js';
import { SuppressionsService } from '../suppressions/suppressions.service.js';
import type { ErasedCounts } from './erasure.store.js';
import { AccountRecordsErasure } from '../keys/accounts/account-records-erasure.js';
import { ClaimsService } from '../keys/accounts/claims.service.js';
import { AuditErasure } from '../platform/audit/audit-erasure.service.js';
import { EventErasure } from '../events/event-erasure.js';
import { DeliveryErasure } from '../webhooks/delivery-erasure.js';

/** What webhooks have of an address: in the data of events, and in what receivers have answered. */
@Injectable()
export class WebhookTraces {
  constructor(
    private readonly events: EventErasure,
    private readonly deliveries: DeliveryErasure,
  ) {}

  async erase(
    tx: EntityManager,
    holders: Holders,
    address: ErasedAddress,
  ): Promise<Pick<ErasedCounts, 'bodies' | 'answers'>> {
    return {
      bodies: await this.events.erase(tx, holders, address),
      answers: await this.deliveries.erase(tx, holders, address),
    };
  }

  /** Replies to events of a batch that had the address. @returns how many */
  eraseOfBatch(tx: EntityManager, holders: Holders, batchId: number): Promise<number> {
    return this.deliveries.eraseOfBatch(tx, holders, batchId);
  }
}

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
    holders: Holders,
    address: ErasedAddress,
  ): Promise<Pick<ErasedCounts, 'names' | 'agents' | 'acts'>> {
    return {
      ...(await this.texts.erase(tx, owner, holders.accountIds, address)),
      acts: await this.audit.erase(tx, holders, address),
    };
  }
}

/** What an account has of an address outside its batches. */
@Injectable()
export class AccountTraces {
  constructor(
    private readonly suppressions: SuppressionsService,
    private readonly keptReplies: StoredReplyErasure,
    readonly webhooks: WebhookTraces,
    private readonly verdicts: ReuseService,
    private readonly recent: RecentVerdicts,
    private readonly own: OwnTraces,
  ) {}

  /** Writes what waits in this process, so that it is found. */
  prepare(): Promise<void> {
    return this.recent.flush();
  }

  /** The account, and the agents that it has claimed. */
  accountsOf(tx: EntityManager, owner: Owner): Promise<readonly string[]> {
    return this.own.accountsOf(tx, owner);
  }

  /** @param isKept the address stays on the suppression list, by its hash */
  async erase(
    tx: EntityManager,
    owner: Owner,
    address: ErasedAddress,
    isKept: boolean,
  ): Promise<Partial<ErasedCounts>> {
    const all = { accountIds: await this.accountsOf(tx, owner), simulated: owner.simulated };
    return {
      suppressions: await this.suppressions.erase(tx, owner, address, isKept),
      keptReplies: await this.keptReplies.erase(tx, all, address),
      ...(await this.webhooks.erase(tx, all, address)),
      verdicts: await this.verdicts.erase(tx, all, address),
      ...(await this.own.erase(tx, owner, all, address)),
    };
  }
}
