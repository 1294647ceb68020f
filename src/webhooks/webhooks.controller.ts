import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBearerAuth,
  ApiBody,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { RequireFullAccount } from '../keys/access/audience.js';
import { Caller } from '../keys/access/caller.js';
import type { Principal } from '../keys/access/principal.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { invalidField } from '../platform/errors/app-error.js';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { UuidParam } from '../platform/http/id-params.js';
import { ApiIdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
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
import { EndpointUrls } from './endpoint-urls.js';
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
import { InTurn } from '../keys/limits/in-turn.interceptor.js';

@ApiTags('Webhooks')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly deliveries: DeliveriesService,
    private readonly urls: EndpointUrls,
    private readonly turns: AccountTurns,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Post()
  @HttpCode(201)
  @ApiIdempotencyKey()
  @ApiErrors('endpoint_exists', 'too_many_endpoints')
  @ApiOperation({ operationId: 'createWebhook', summary: 'Register an endpoint; its secret is shown once' })
  @ApiCreatedResponse({ type: SecretWebhookReply })
  async create(
    @Caller() caller: Principal,
    @Body() { url, events, include_results, mode }: CreateWebhookRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ): Promise<SecretWebhookReply> {
    checkMode(mode ?? null, caller);
    const request = {
      url: await this.urls.check(url, 'url'),
      events: events ?? EVENT_TYPES,
      includeResults: include_results ?? MAX_INCLUDED_RESULTS,
    };
    return secretEndpointReply(await this.inTurn(caller, () => this.endpoints.create(caller, request, claim)));
  }

  @Get()
  @ApiOperation({ operationId: 'listWebhooks', summary: 'The endpoints of the account, newest first' })
  @ApiOkResponse({ type: WebhookPageReply })
  async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<WebhookPageReply> {
    return endpointPageReply(await this.endpoints.list(caller, query));
  }

  @Get(':id')
  @ApiErrors('webhook_not_found')
  @ApiOperation({ operationId: 'getWebhook', summary: 'An endpoint' })
  @ApiOkResponse({ type: WebhookReply })
  async get(@Caller() caller: Principal, @UuidParam('webhook_not_found') id: string): Promise<WebhookReply> {
    return endpointReply(await this.endpoints.get(caller, id));
  }

  @Patch(':id')
  @ApiErrors('webhook_not_found', 'endpoint_exists')
  @ApiBody({ type: ChangeWebhookRequest, required: false })
  @ApiOperation({
    operationId: 'changeWebhook',
    summary: 'Change URL, events or results of an endpoint, disable or enable it',
  })
  @ApiOkResponse({ type: WebhookReply })
  async change(
    @Caller() caller: Principal,
    @UuidParam('webhook_not_found') id: string,
    @Body() { url, events, include_results, enabled }: ChangeWebhookRequest,
  ): Promise<WebhookReply> {
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

  @Delete(':id')
  @InTurn()
  @HttpCode(204)
  @ApiErrors('webhook_not_found')
  @ApiOperation({ operationId: 'deleteWebhook', summary: 'Delete an endpoint with its deliveries' })
  @ApiNoContentResponse()
  remove(@Caller() caller: Principal, @UuidParam('webhook_not_found') id: string): Promise<void> {
    return this.endpoints.remove(caller, id);
  }

  @Post(':id/rotate-secret')
  @InTurn()
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiErrors('webhook_not_found')
  @ApiOperation({ operationId: 'rotateWebhookSecret', summary: 'A new secret; for 24 hours the old one signs too' })
  @ApiOkResponse({ type: SecretWebhookReply })
  async rotate(
    @Caller() caller: Principal,
    @UuidParam('webhook_not_found') id: string,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ): Promise<SecretWebhookReply> {
    return secretEndpointReply(await this.endpoints.rotateSecret(caller, id, claim));
  }

  @Post(':id/test')
  @InTurn()
  @HttpCode(202)
  @ApiIdempotencyKey()
  @ApiErrors('webhook_not_found', 'endpoint_disabled')
  @ApiOperation({ operationId: 'testWebhook', summary: 'Send a webhook.test event' })
  @ApiAcceptedResponse({ type: DeliveryReply })
  async test(
    @Caller() caller: Principal,
    @UuidParam('webhook_not_found') id: string,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ): Promise<DeliveryReply> {
    return deliveryReply(await this.deliveries.test(caller, id, claim));
  }

  @Post(':id/samples/:event')
  @InTurn()
  @HttpCode(202)
  @ApiIdempotencyKey()
  @ApiErrors('webhook_not_found', 'endpoint_disabled')
  @ApiParam({ name: 'event', enum: SAMPLED_EVENTS })
  @ApiOperation({ operationId: 'sampleWebhook', summary: 'Send an example of an event, marked as a sample' })
  @ApiAcceptedResponse({ type: DeliveryReply })
  async sample(
    @Caller() caller: Principal,
    @UuidParam('webhook_not_found') id: string,
    @Param('event') event: string,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ): Promise<DeliveryReply> {
    return deliveryReply(await this.deliveries.sample(caller, id, event, claim));
  }

  @Get(':id/deliveries')
  @ApiErrors('webhook_not_found')
  @ApiOperation({
    operationId: 'listDeliveries',
    summary: 'Deliveries to an endpoint with every attempt, newest first',
  })
  @ApiOkResponse({ type: DeliveryPageReply })
  async log(
    @Caller() caller: Principal,
    @UuidParam('webhook_not_found') id: string,
    @Query() query: DeliveriesQuery,
  ): Promise<DeliveryPageReply> {
    return deliveryPageReply(await this.deliveries.list(caller, id, query.status ?? null, query));
  }

  @Post(':id/redeliver')
  @InTurn()
  @HttpCode(202)
  @ApiIdempotencyKey()
  @ApiErrors('webhook_not_found', 'endpoint_disabled')
  @ApiBody({ type: RedeliverRequest, required: false })
  @ApiOperation({ operationId: 'redeliverRange', summary: 'Send again what happened in a time' })
  @ApiAcceptedResponse({ type: RedeliveredReply })
  async redeliverRange(
    @Caller() caller: Principal,
    @UuidParam('webhook_not_found') id: string,
    @Body() { since, until, include_succeeded }: RedeliverRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ): Promise<RedeliveredReply> {
    const range = {
      since: new Date(since ?? 0),
      until: new Date(until ?? this.clock.now()),
      failedOnly: include_succeeded !== true,
    };
    return { redelivered: await this.deliveries.redeliverRange(caller, id, range, claim) };
  }

  /** After the look-up of a URL, for which nobody else waits. */
  private inTurn<T>(caller: Principal, work: () => Promise<T>): Promise<T> {
    return this.turns.change(caller, WebhooksController.name, work);
  }
}

/** An endpoint has the mode of the key that registers it: no other key would find it. @throws AppError `invalid_input` */
function checkMode(wanted: 'live' | 'test' | null, { simulated }: Principal): void {
  const mode = simulated ? 'test' : 'live';
  if (wanted === null || wanted === mode) return;
  throw invalidField('mode', `must be ${mode} with this key: register it with a ${wanted} key`);
}
