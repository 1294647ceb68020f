import { Module } from '@nestjs/common';
import { KeysHttpModule } from '../keys/keys-http.module.js';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import { WebhookDeliveriesController } from './deliveries/webhook-deliveries.controller.js';
import { EndpointUrls } from './endpoints/endpoint-urls.js';
import { EndpointsService } from './endpoints/endpoints.service.js';
import { WebhookChangesService } from './endpoints/webhook-changes.service.js';
import { WebhooksController } from './endpoints/webhooks.controller.js';
import { WebhooksModule } from './webhooks.module.js';

/** The routes of an account's endpoints and deliveries. */
@Module({
  imports: [KeysHttpModule, WebhooksModule],
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [DeliveriesService, EndpointsService, EndpointUrls, WebhookChangesService],
  exports: [DeliveriesService, EndpointsService, EndpointUrls],
})
export class WebhooksHttpModule {}
