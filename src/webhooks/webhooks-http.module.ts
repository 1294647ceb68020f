import { Module } from '@nestjs/common';
import { KeysHttpModule } from '../keys/keys-http.module.js';
import { DeliveriesService } from './deliveries.service.js';
import { WebhookDeliveriesController, WebhooksController } from './webhooks.controller.js';
import { EndpointUrls } from './url-rules.js';
import { EndpointsService, WebhookChangesService } from './endpoints.service.js';
import { WebhooksModule } from './webhooks.module.js';

/** The routes of an account's endpoints and deliveries. */
@Module({
  imports: [KeysHttpModule, WebhooksModule],
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [DeliveriesService, EndpointsService, EndpointUrls, WebhookChangesService],
  exports: [DeliveriesService, EndpointsService, EndpointUrls],
})
export class WebhooksHttpModule {}
