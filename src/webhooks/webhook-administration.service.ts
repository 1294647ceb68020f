import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import { byCreation, Listing, type Page, type PageInput } from '../platform/http/listing.js';
import { type Delivery, type DeliveryFilter, type DeliveryQueue, DeliveryStore } from './delivery.store.js';
import { type Endpoint, EndpointStore } from './endpoint.store.js';

export type { Delivery, DeliveryFilter, DeliveryQueue, Endpoint };

const ALL_DELIVERIES = new Listing('all-deliveries', 'uuid');

/** The deliveries and endpoints of all accounts, for administrators. It needs no Redis, because the sweep of a worker finds due deliveries. */
@Injectable()
export class WebhookAdministrationService {
  constructor(
    private readonly store: DeliveryStore,
    private readonly endpoints: EndpointStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Newest first. */
  list(filter: DeliveryFilter, query: PageInput): Promise<Page<Delivery>> {
    return ALL_DELIVERIES.page(query, (request) => this.store.list(filter, request), byCreation);
  }

  /** How many wait. */
  queue(): Promise<DeliveryQueue> {
    return this.store.queue(this.clock.date());
  }

  /** @throws AppError `delivery_not_found`, `endpoint_disabled` */
  async retry(tx: EntityManager, id: string): Promise<Delivery> {
    const delivery = await this.store.find(tx, id);
    if (delivery === null) throw new AppError('delivery_not_found');
    if (!delivery.isEnabled) throw new AppError('endpoint_disabled', { message: 'The endpoint is disabled.' });
    await this.store.redeliver(tx, id, this.clock.date());
    return (await this.store.find(tx, id))!;
  }

  /** The endpoints of an account of both modes, newest first. @param limit most endpoints */
  endpointsOf(accountId: string, limit: number): Promise<readonly Endpoint[]> {
    return this.endpoints.listOfAccount(accountId, limit);
  }
}
