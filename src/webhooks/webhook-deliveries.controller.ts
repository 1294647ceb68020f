import { Caller } from '../keys/access/caller.js';
import type { Principal } from '../keys/access/principal.js';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryReply, deliveryReply } from './delivery.reply.js';
import { Route, Routes } from '../keys/route.decorator.js';
import { UuidParam } from '../platform/http/id-params.js';

@Routes('api/v1/webhooks/deliveries', { tag: 'Webhooks', for: 'full' })
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Route.get(':id', 'getDelivery', 'A delivery with every attempt', { needs: 'webhooks', ok: DeliveryReply })
  async get(@Caller() caller: Principal, @UuidParam('delivery_not_found') id: string): Promise<DeliveryReply> {
    return deliveryReply(await this.deliveries.get(caller, id));
  }

  @Route.post(':id/redeliver', 'redeliver', 'Send it again, with the same webhook-id', {
    needs: 'webhooks',
    accepted: DeliveryReply,
    errors: ['endpoint_disabled'],
  })
  async redeliver(
    @Caller() caller: Principal,
    @UuidParam('delivery_not_found') id: string,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ): Promise<DeliveryReply> {
    return deliveryReply(await this.deliveries.redeliver(caller, id, claim));
  }
}
