import { Module } from '@nestjs/common';
import { ENV, type Env } from '../platform/config/env.js';
import { DeliveryErasure } from './delivery-erasure.js';
import { DeliveryGauges, DeliveryStore } from './delivery.store.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import { EndpointStore } from './endpoint.store.js';
import { createAddressLookup, LOOKUP } from '../platform/outbound/guarded-connector.js';
import { trustedLookup } from '../resolver/trusted-lookup.js';
import { RESOLVER_JUDGE, type ResolverJudge } from '../resolver/resolver.module.js';
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
    {
      provide: LOOKUP,
      inject: [ENV, RESOLVER_JUDGE],
      useFactory: (env: Env, judge: ResolverJudge) => trustedLookup(createAddressLookup(env.dnsServers), judge),
    },
  ],
  exports: [WebhookAdministrationService, DeliveryErasure, DeliveryStore, EndpointSecrets, EndpointStore, LOOKUP],
})
export class WebhooksModule {}
