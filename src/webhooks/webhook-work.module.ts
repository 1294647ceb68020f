import { Module } from '@nestjs/common';
import { ENV, type Env } from '../platform/config/env.js';
import { RateLimiterModule } from '../platform/redis/rate-limiter.module.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import { EndpointStore } from './endpoint.store.js';
import { EventBodiesService } from './event-bodies.service.js';
import { EventBodyStore } from './event-body.store.js';
import { EventContentsModule } from './event-contents.module.js';
import { createLookUp, LOOK_UP } from './look-up.js';
import { ReceivingHosts } from './receiving-hosts.js';
import { WebhookAttemptsService } from './webhook-attempts.service.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhookUpkeepService } from './webhook-upkeep.service.js';
import { WebhookUpkeepStore } from './webhook-upkeep.store.js';
import { WebhookWorkService } from './webhook-work.service.js';
import { WebhookWorkStore } from './webhook-work.store.js';
import { WebhookProcessor } from './webhook.processor.js';

/** The half of webhooks that workers do. */
@Module({
  imports: [EventContentsModule, RateLimiterModule],
  providers: [
    EndpointSecrets,
    EndpointStore,
    EventBodiesService,
    EventBodyStore,
    ReceivingHosts,
    WebhookAttemptsService,
    WebhookProcessor,
    WebhookSender,
    WebhookUpkeepService,
    WebhookUpkeepStore,
    WebhookWorkService,
    WebhookWorkStore,
    { provide: LOOK_UP, inject: [ENV], useFactory: (env: Env) => createLookUp(env.dnsServers) },
  ],
})
export class WebhookWorkModule {}
