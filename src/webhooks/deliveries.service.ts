import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { isOwn, ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError, invalidField } from '../platform/errors/app-error.js';
import type { IdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { byCreation, Listing, type Page, type PageInput } from '../platform/http/listing.js';
import { missingPermissions } from '../keys/scope/key-scope.js';
import { ROW_EVENTS } from '../events/outbox.js';
import { addSample, SAMPLED_EVENTS } from '../events/event-samples.js';
import type { DeliveryState } from './delivery-state.js';
import { type Delivery, DeliveryStore, type Range } from './delivery.store.js';
import { EndpointsService, WebhookChangesService } from './endpoints.service.js';

export type { Delivery, DeliveryState };

const DELIVERIES = new Listing('deliveries', 'uuid');

/** The deliveries of an account, and their redelivery. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly database: DataSource,
    private readonly store: DeliveryStore,
    private readonly endpoints: EndpointsService,
    private readonly changes: WebhookChangesService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Newest first. @throws AppError `webhook_not_found` */
  async list(
    principal: Principal,
    endpointId: string,
    state: DeliveryState | null,
    query: PageInput,
  ): Promise<Page<Delivery>> {
    const endpoint = await this.endpoints.get(principal, endpointId);
    return DELIVERIES.page(
      query,
      (request) => this.store.list({ accountId: null, endpointId: endpoint.id, state }, request),
      byCreation,
    );
  }

  /** Without the bodies of events that carry results, for a key that may not read these. @throws AppError `delivery_not_found` */
  async get(principal: Principal, id: string): Promise<Delivery> {
    const delivery = await this.getIn(this.database.manager, principal, id);
    const carriesRows = ROW_EVENTS.some((type) => type === delivery.type);
    return carriesRows && missingPermissions(principal.scope.permissions, ['results']).length > 0
      ? withoutBodies(delivery)
      : delivery;
  }

  /**
   * Sends a `webhook.test` event to the one endpoint.
   * @throws AppError `webhook_not_found`, `endpoint_disabled`
   */
  test(principal: Principal, endpointId: string, claim: IdempotencyClaim | null): Promise<Delivery> {
    return this.changes.change(async (tx) => {
      const endpoint = await this.endpoints.getIn(tx, principal, endpointId);
      checkEnabled(endpoint.enabled);
      const id = await this.endpoints.sendTest(tx, endpoint, 'This is a test. Nothing has happened.');
      return (await this.store.find(tx, id))!;
    }, claim);
  }

  /**
   * Sends an example of an event to the one endpoint, whatever it subscribes to.
   * @throws AppError `webhook_not_found`, `invalid_input`, `endpoint_disabled`
   */
  sample(principal: Principal, endpointId: string, event: string, claim: IdempotencyClaim | null): Promise<Delivery> {
    return this.changes.change(async (tx) => {
      const endpoint = await this.endpoints.getIn(tx, principal, endpointId);
      const type = SAMPLED_EVENTS.find((one) => one === event);
      if (type === undefined) throw invalidField('event', `must be one of ${SAMPLED_EVENTS.join(', ')}`);
      checkEnabled(endpoint.enabled);
      const id = await addSample(tx, endpoint, type, this.clock.date());
      return (await this.store.find(tx, id))!;
    }, claim);
  }

  /**
   * Sends a delivery again with the same `webhook-id`, whatever its state, and restarts its schedule.
   * @throws AppError `delivery_not_found`, `endpoint_disabled`
   */
  redeliver(principal: Principal, id: string, claim: IdempotencyClaim | null): Promise<Delivery> {
    return this.changes.change(async (tx) => {
      const delivery = await this.getIn(tx, principal, id);
      checkEnabled(delivery.isEnabled);
      await this.store.redeliver(tx, id, this.clock.date());
      return (await this.store.find(tx, id))!;
    }, claim);
  }

  /**
   * Redelivers all events of a range of time.
   * @returns their number
   * @throws AppError `webhook_not_found`, `endpoint_disabled`
   */
  redeliverRange(
    principal: Principal,
    endpointId: string,
    range: Range,
    claim: IdempotencyClaim | null,
  ): Promise<number> {
    return this.changes.change(async (tx) => {
      const endpoint = await this.endpoints.getIn(tx, principal, endpointId);
      checkEnabled(endpoint.enabled);
      return this.store.redeliverRange(tx, endpoint.id, range, this.clock.date());
    }, claim);
  }

  private async getIn(tx: EntityManager, principal: Principal, id: string): Promise<Delivery> {
    const delivery = await this.store.find(tx, id);
    if (delivery === null || !isOwn(ownerOf(principal), delivery)) throw new AppError('delivery_not_found');
    return delivery;
  }
}

function withoutBodies(delivery: Delivery): Delivery {
  const attempts = delivery.attempts.map((one) => ({ ...one, request: one.request && { ...one.request, body: null } }));
  return { ...delivery, attempts };
}

function checkEnabled(isEnabled: boolean): void {
  if (!isEnabled) throw new AppError('endpoint_disabled');
}
