import { Module } from '@nestjs/common';
import { ENV, type Env } from '../platform/config/env.js';
import { DeliveryErasure } from './delivery-erasure.js';
import { DeliveryGauges } from './delivery-gauges.js';
import { DeliveryStore } from './delivery.store.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import { EndpointStore } from './endpoint.store.js';
import { createLookUp, LOOK_UP } from '../platform/outbound/guarded-connector.js';
import { WebhookAdministrationService } from './webhook-administration.service.js';

/** Stores endpoints and deliveries. */
@Module({
  providers: [
    WebhookAdministrationService,
    DeliveryErasure,
    DeliveryGauges,
    DeliveryStore,
    EndpointSecrets,
    EndpointStore,
    { provide: LOOK_UP, inject: [ENV], useFactory: (env: Env) => createLookUp(env.dnsServers) },
  ],
  exports: [WebhookAdministrationService, DeliveryErasure, DeliveryStore, EndpointSecrets, EndpointStore, LOOK_UP],
})
export class WebhooksModule {}
