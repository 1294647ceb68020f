import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EventErasure } from '../events/event-erasure.js';
import type { Owner } from '../keys/access/owner.js';
import type { ErasedAddress } from '../platform/addresses/erased-address.js';
import { DeliveryErasure } from '../webhooks/delivery-erasure.js';
import type { ErasedCounts } from './erasure.store.js';

/** What webhooks have of an address: in the data of events, and in what receivers have answered. */
@Injectable()
export class WebhookTraces {
  constructor(
    private readonly events: EventErasure,
    private readonly deliveries: DeliveryErasure,
  ) {}

  async erase(
    tx: EntityManager,
    accountIds: readonly string[],
    simulated: boolean,
    address: ErasedAddress,
  ): Promise<Pick<ErasedCounts, 'bodies' | 'answers'>> {
    return {
      bodies: await this.events.erase(tx, accountIds, simulated, address),
      answers: await this.deliveries.erase(tx, accountIds, simulated, address),
    };
  }

  /** Replies to events of a batch that had the address. @returns how many */
  eraseOfBatch(
    tx: EntityManager,
    accountIds: readonly string[],
    { simulated }: Owner,
    batchId: number,
  ): Promise<number> {
    return this.deliveries.eraseOfBatch(tx, accountIds, simulated, batchId);
  }
}
