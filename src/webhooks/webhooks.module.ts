import { Module } from '@nestjs/common';
import { ENV, type Env } from '../platform/config/env.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryStore } from './delivery.store.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import { EndpointUrls } from './endpoint-urls.js';
import { EndpointStore } from './endpoint.store.js';
import { EndpointsService } from './endpoints.service.js';
import { createLookUp, LOOK_UP } from './look-up.js';
import { WebhookChangesService } from './webhook-changes.service.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhooksController } from './webhooks.controller.js';

/** The half of webhooks that accounts see. */
@Module({
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [
    DeliveriesService,
    DeliveryStore,
    EndpointSecrets,
    EndpointsService,
    EndpointStore,
    EndpointUrls,
    WebhookChangesService,
    { provide: LOOK_UP, inject: [ENV], useFactory: (env: Env) => createLookUp(env.dnsServers) },
  ],
  exports: [EndpointsService, EndpointUrls],
})
export class WebhooksModule {}
