import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { WebhooksModule } from './webhooks.module.js';
import { ReceivingHosts } from './worker/receiving-hosts.js';
import { WebhookAttemptsService } from './worker/webhook-attempts.service.js';
import { WebhookCleanup } from './worker/webhook-cleanup.js';
import { WebhookSender } from './worker/webhook-sender.js';
import { WebhookWorkerStore } from './worker/webhook-worker.store.js';
import { WebhookWorker, WebhookProcessor } from './worker/webhook-worker.processor.js';

/** Sends due deliveries to endpoints, and deletes events past their retention. */
@Module({
  imports: [EventsModule, WebhooksModule],
  providers: [
    ReceivingHosts,
    WebhookAttemptsService,
    WebhookCleanup,
    WebhookProcessor,
    WebhookSender,
    WebhookWorker,
    WebhookWorkerStore,
  ],
})
export class WebhooksWorkerModule {}
