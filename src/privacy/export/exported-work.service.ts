import { Inject, Injectable } from '@nestjs/common';
import { DownloadsService } from '../../batch/downloads/downloads.service.js';
import { BatchService } from '../../batch/http/batch.service.js';
import { ADDRESSES, PEOPLE } from '../../batch/model/batch-kind.js';
import { batchStatus } from '../../batch/model/batch-status.js';
import type { Principal } from '../../keys/access/principal.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { everyRow } from '../../platform/http/files/every-row.js';
import { Presenters } from '../../presenting/presenters.js';
import { DeliveriesService } from '../../webhooks/deliveries/deliveries.service.js';
import { deliveryReply } from '../../webhooks/deliveries/delivery.reply.js';
import { EndpointsService } from '../../webhooks/endpoints/endpoints.service.js';
import { endpointReply } from '../../webhooks/endpoints/webhook.reply.js';
import { lineOf } from './line-of.js';

/** Batches with their rows, and webhooks with their deliveries. */
@Injectable()
export class ExportedWork {
  constructor(
    private readonly batches: BatchService,
    private readonly downloads: DownloadsService,
    private readonly endpoints: EndpointsService,
    private readonly deliveries: DeliveriesService,
    private readonly presenters: Presenters,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  async *lines(principal: Principal, requestId: string): AsyncGenerator<object, void> {
    const presenter = this.presenters.for(principal);
    for (const kind of [ADDRESSES, PEOPLE])
      for await (const batch of everyRow((page) => this.batches.list(principal, kind, page))) {
        const further = { webhook_url: batch.webhookUrl, expires_at: batch.expiresAt?.toISOString() ?? null };
        yield { type: 'batch', kind: kind.name, ...batchStatus(batch, this.clock.now()), ...further };
        for await (const row of this.downloads.bodies(batch, presenter, requestId))
          yield { type: 'row', batch_id: batch.id, ...row };
      }
    for await (const endpoint of everyRow((page) => this.endpoints.list(principal, page))) {
      yield { type: 'webhook', ...endpointReply(endpoint) };
      for await (const delivery of everyRow((page) => this.deliveries.list(principal, endpoint.id, null, page)))
        yield lineOf('delivery', { event: delivery.type, ...(deliveryReply(delivery) as object) });
    }
  }
}
