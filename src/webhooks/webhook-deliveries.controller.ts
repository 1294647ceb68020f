import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireFullAccount } from '../keys/access/audience.js';
import { Caller } from '../keys/access/caller.js';
import type { Principal } from '../keys/access/principal.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { UuidParam } from '../platform/http/id-params.js';
import { ApiIdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryReply, deliveryReply } from './delivery.reply.js';

@ApiTags('Webhooks')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/webhooks/deliveries')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get(':id')
  @ApiErrors('delivery_not_found')
  @ApiOperation({ operationId: 'getDelivery', summary: 'A delivery with every attempt' })
  @ApiOkResponse({ type: DeliveryReply })
  async get(@Caller() caller: Principal, @UuidParam('delivery_not_found') id: string): Promise<DeliveryReply> {
    return deliveryReply(await this.deliveries.get(caller, id));
  }

  @Post(':id/redeliver')
  @HttpCode(202)
  @ApiIdempotencyKey()
  @ApiErrors('delivery_not_found', 'endpoint_disabled')
  @ApiOperation({ operationId: 'redeliver', summary: 'Send it again, with the same webhook-id' })
  @ApiAcceptedResponse({ type: DeliveryReply })
  async redeliver(
    @Caller() caller: Principal,
    @UuidParam('delivery_not_found') id: string,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ): Promise<DeliveryReply> {
    return deliveryReply(await this.deliveries.redeliver(caller, id, claim));
  }
}
