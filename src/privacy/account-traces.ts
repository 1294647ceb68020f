import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { KeptReplyErasure } from '../idempotency/reply-addresses.js';
import type { Owner } from '../keys/access/owner.js';
import type { ErasedAddress } from '../platform/addresses/erased-address.js';
import { RecentVerdicts } from '../reuse/recent-verdicts.js';
import { ReuseService } from '../reuse/reuse.service.js';
import { SuppressionsService } from '../suppressions/suppressions.service.js';
import { OwnTraces } from './own-traces.js';
import { WebhookTraces } from './webhook-traces.js';
import type { ErasedCounts } from './erasure.store.js';

/** What an account has of an address outside its batches. */
@Injectable()
export class AccountTraces {
  constructor(
    private readonly suppressions: SuppressionsService,
    private readonly keptReplies: KeptReplyErasure,
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
    const { simulated } = owner;
    const all = await this.accountsOf(tx, owner);
    return {
      suppressions: await this.suppressions.erase(tx, owner, address, isKept),
      keptReplies: await this.keptReplies.erase(tx, all, simulated, address),
      ...(await this.webhooks.erase(tx, all, simulated, address)),
      verdicts: await this.verdicts.erase(tx, all, simulated, address),
      ...(await this.own.erase(tx, owner, all, address)),
    };
  }
}
