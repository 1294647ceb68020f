import { Injectable } from '@nestjs/common';
import type { Principal } from '../../keys/access/principal.js';
import { everyRow } from '../../platform/http/files/every-row.js';
import { DeliveriesService } from '../../webhooks/deliveries.service.js';
import { deliveryReply } from '../../webhooks/delivery.reply.js';
import { EndpointsService } from '../../webhooks/endpoints.service.js';
import { endpointReply } from '../../webhooks/webhook.reply.js';
import { lineOf } from './line-of.js';

/** Endpoints of webhooks with their deliveries. */
@Injectable()
export class ExportedWebhooks {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly deliveries: DeliveriesService,
  ) {}

  async *lines(principal: Principal): AsyncGenerator<object, void> {
    for await (const endpoint of everyRow((page) => this.endpoints.list(principal, page))) {
      yield { type: 'webhook', ...endpointReply(endpoint) };
      for await (const delivery of everyRow((page) => this.deliveries.list(principal, endpoint.id, null, page)))
        yield lineOf('delivery', { event: delivery.type, ...(deliveryReply(delivery) as object) });
    }
  }
}
