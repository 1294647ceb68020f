import { Module } from '@nestjs/common';
import { ENV, type Env } from '../platform/config/env.js';
import { DeliveryAdministrationService } from './deliveries/delivery-administration.service.js';
import { DeliveryErasure } from './deliveries/delivery-erasure.service.js';
import { DeliveryGauges } from './deliveries/delivery-gauges.js';
import { DeliveryStore } from './deliveries/delivery.store.js';
import { EndpointAdministrationService } from './endpoints/endpoint-administration.service.js';
import { EndpointSecrets } from './endpoints/endpoint-secrets.js';
import { EndpointStore } from './endpoints/endpoint.store.js';
import { createLookUp, LOOK_UP } from '../platform/outbound/guarded-connector.js';

/** Stores endpoints and deliveries. */
@Module({
  providers: [
    DeliveryAdministrationService,
    DeliveryErasure,
    DeliveryGauges,
    DeliveryStore,
    EndpointAdministrationService,
    EndpointSecrets,
    EndpointStore,
    { provide: LOOK_UP, inject: [ENV], useFactory: (env: Env) => createLookUp(env.dnsServers) },
  ],
  exports: [
    DeliveryAdministrationService,
    DeliveryErasure,
    DeliveryStore,
    EndpointAdministrationService,
    EndpointSecrets,
    EndpointStore,
    LOOK_UP,
  ],
})
export class WebhooksModule {}
