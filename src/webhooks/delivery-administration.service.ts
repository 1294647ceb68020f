import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import { Listing, type Page, type PageQuery } from '../platform/http/page.js';
import { type Delivery, type DeliveryFilter, type DeliveryState, DeliveryStore } from './delivery.store.js';

export type { Delivery, DeliveryFilter, DeliveryState };

const ALL_DELIVERIES = new Listing('all-deliveries', 'uuid');

/** What administrators do about deliveries, whosever they are. Needs no Redis: the sweep of a worker finds what is due again. */
@Injectable()
export class DeliveryAdministrationService {
  constructor(
    private readonly store: DeliveryStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Newest first. */
  list(filter: DeliveryFilter, query: PageQuery): Promise<Page<Delivery>> {
    return ALL_DELIVERIES.page(
      query,
      (request) => this.store.list(filter, request),
      ({ createdAt, id }) => ({ at: createdAt, id }),
    );
  }

  /** @throws AppError `delivery_not_found`; `state_conflict` when the endpoint is disabled */
  async retry(tx: EntityManager, id: string): Promise<Delivery> {
    const delivery = await this.store.find(tx, id);
    if (delivery === null) throw new AppError('delivery_not_found');
    if (!delivery.isEnabled) throw new AppError('state_conflict', { message: 'The endpoint is disabled.' });
    await this.store.redeliver(tx, id, new Date(this.clock.now()));
    return (await this.store.find(tx, id))!;
  }
}
