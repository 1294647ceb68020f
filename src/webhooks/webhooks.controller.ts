import { Body, Inject, Param, Query } from '@nestjs/common';
import { Caller } from '../keys/access/caller.js';
import type { Principal } from '../keys/access/principal.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { invalidField } from '../platform/errors/app-error.js';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { PageQuery } from '../platform/http/page.js';
import { MAX_INCLUDED_RESULTS } from '../events/event-contents.js';
import { SAMPLED_EVENTS } from '../events/event-samples.js';
import { EVENT_TYPES } from '../events/outbox.js';
import { DeliveriesService } from './deliveries.service.js';
import {
  DeliveryPageReply,
  deliveryPageReply,
  DeliveryReply,
  deliveryReply,
  RedeliveredReply,
} from './delivery.reply.js';
import { EndpointUrls } from './url-rules.js';
import { EndpointsService } from './endpoints.service.js';
import {
  endpointPageReply,
  endpointReply,
  secretEndpointReply,
  SecretWebhookReply,
  WebhookPageReply,
  WebhookReply,
} from './webhook.reply.js';
import { ChangeWebhookRequest, CreateWebhookRequest, DeliveriesQuery, RedeliverRequest } from './webhooks.dto.js';
import { AccountTurns } from '../keys/limits/account-turns.js';
import { Route, Routes } from '../keys/route.decorator.js';
import { UuidParam } from '../platform/http/id-params.js';

@Routes('api/v1/webhooks/deliveries', { tag: 'Webhooks', for: 'full', needs: 'webhooks' })
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Route.get(':id', 'getDelivery', 'A delivery with every attempt', { ok: DeliveryReply })
  async get(@Caller() caller: Principal, @UuidParam('delivery_not_found') id: string) {
    return deliveryReply(await this.deliveries.get(caller, id));
  }

  @Route.post(':id/redeliver', 'redeliver', 'Send it again, with the same webhook-id', {
    accepted: DeliveryReply,
    errors: ['endpoint_disabled'],
  })
  async redeliver(
    @Caller() caller: Principal,
    @UuidParam('delivery_not_found') id: string,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ) {
    return deliveryReply(await this.deliveries.redeliver(caller, id, claim));
  }
}

@Routes('api/v1/webhooks', { tag: 'Webhooks', for: 'full', needs: 'webhooks' })
export class WebhooksController {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly deliveries: DeliveriesService,
    private readonly urls: EndpointUrls,
    private readonly turns: AccountTurns,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Route.post('', 'createWebhook', 'Register an endpoint; its secret is shown once', {
    created: SecretWebhookReply,
    errors: ['endpoint_exists', 'too_many_endpoints'],
  })
  async create(
    @Caller() caller: Principal,
    @Body() { url, events, include_results, mode }: CreateWebhookRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ) {
    checkMode(mode ?? null, caller);
    const request = {
      url: await this.urls.check(url, 'url'),
      events: events ?? EVENT_TYPES,
      includeResults: include_results ?? MAX_INCLUDED_RESULTS,
    };
    return secretEndpointReply(await this.inTurn(caller, () => this.endpoints.create(caller, request, claim)));
  }

  @Route.get('', 'listWebhooks', 'The endpoints of the account, newest first', { ok: WebhookPageReply })
  async list(@Caller() caller: Principal, @Query() query: PageQuery) {
    return endpointPageReply(await this.endpoints.list(caller, query));
  }

  @Route.get(':id', 'getWebhook', 'An endpoint', { ok: WebhookReply })
  async get(@Caller() caller: Principal, @UuidParam('webhook_not_found') id: string) {
    return endpointReply(await this.endpoints.get(caller, id));
  }

  @Route.patch(':id', 'changeWebhook', 'Change URL, events or results of an endpoint, disable or enable it', {
    optionalBody: ChangeWebhookRequest,
    ok: WebhookReply,
    errors: ['endpoint_exists'],
  })
  async change(
    @Caller() caller: Principal,
    @UuidParam('webhook_not_found') id: string,
    @Body() { url, events, include_results, enabled }: ChangeWebhookRequest,
  ) {
    // Ownership is checked before the input, so that strangers learn nothing of either.
    const { events: before } = await this.endpoints.get(caller, id);
    if (events?.length === 0 && before.length > 0) throw invalidField('events', 'must not be empty');
    const change = {
      url: url ? await this.urls.check(url, 'url') : null,
      events: events?.length ? events : null,
      includeResults: include_results ?? null,
      enabled: enabled ?? null,
    };
    return endpointReply(await this.inTurn(caller, () => this.endpoints.update(caller, id, change)));
  }

  @Route.delete(':id', 'deleteWebhook', 'Delete an endpoint with its deliveries', {
    inTurn: 'endpoints',
    noContent: true,
  })
  remove(@Caller() caller: Principal, @UuidParam('webhook_not_found') id: string) {
    return this.endpoints.remove(caller, id);
  }

  @Route.post(':id/rotate-secret', 'rotateWebhookSecret', 'A new secret; for 24 hours the old one signs too', {
    inTurn: 'endpoints',
    ok: SecretWebhookReply,
  })
  async rotate(
    @Caller() caller: Principal,
    @UuidParam('webhook_not_found') id: string,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ) {
    return secretEndpointReply(await this.endpoints.rotateSecret(caller, id, claim));
  }

  @Route.post(':id/test', 'testWebhook', 'Send a webhook.test event', {
    inTurn: 'endpoints',
    accepted: DeliveryReply,
    errors: ['endpoint_disabled'],
  })
  async test(
    @Caller() caller: Principal,
    @UuidParam('webhook_not_found') id: string,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ) {
    return deliveryReply(await this.deliveries.test(caller, id, claim));
  }

  @Route.post(':id/samples/:event', 'sampleWebhook', 'Send an example of an event, marked as a sample', {
    inTurn: 'endpoints',
    params: [{ name: 'event', enum: SAMPLED_EVENTS }],
    accepted: DeliveryReply,
    errors: ['endpoint_disabled'],
  })
  async sample(
    @Caller() caller: Principal,
    @UuidParam('webhook_not_found') id: string,
    @Param('event') event: string,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ) {
    return deliveryReply(await this.deliveries.sample(caller, id, event, claim));
  }

  @Route.get(':id/deliveries', 'listDeliveries', 'Deliveries to an endpoint with every attempt, newest first', {
    ok: DeliveryPageReply,
  })
  async log(@Caller() caller: Principal, @UuidParam('webhook_not_found') id: string, @Query() query: DeliveriesQuery) {
    return deliveryPageReply(await this.deliveries.list(caller, id, query.status ?? null, query));
  }

  @Route.post(':id/redeliver', 'redeliverRange', 'Send again what happened in a time', {
    inTurn: 'endpoints',
    optionalBody: RedeliverRequest,
    accepted: RedeliveredReply,
    errors: ['endpoint_disabled'],
  })
  async redeliverRange(
    @Caller() caller: Principal,
    @UuidParam('webhook_not_found') id: string,
    @Body() { since, until, include_succeeded }: RedeliverRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ) {
    const range = {
      since: new Date(since ?? 0),
      until: new Date(until ?? this.clock.now()),
      failedOnly: include_succeeded !== true,
    };
    return { redelivered: await this.deliveries.redeliverRange(caller, id, range, claim) };
  }

  /** After the look-up of a URL, for which nobody else waits. */
  private inTurn<T>(caller: Principal, work: () => Promise<T>): Promise<T> {
    return this.turns.change(caller, 'endpoints', work);
  }
}

/** An endpoint has the mode of the key that registers it: no other key would find it. @throws AppError `invalid_input` */
function checkMode(wanted: 'live' | 'test' | null, { simulated }: Principal): void {
  const mode = simulated ? 'test' : 'live';
  if (wanted === null || wanted === mode) return;
  throw invalidField('mode', `must be ${mode} with this key: register it with a ${wanted} key`);
}
