import { Module } from '@nestjs/common';
import { BatchModule } from '../batch/batch.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { ReuseModule } from '../reuse/reuse.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { EventsModule } from '../events/events.module.js';
import { AccountTraces } from './erasures/account-traces.service.js';
import { ErasureStore } from './erasures/erasure.store.js';
import { ErasureWork } from './erasures/erasure-work.service.js';
import { WebhookTraces } from './erasures/webhook-traces.service.js';

/** Takes addresses out of what accounts have. */
@Module({
  imports: [BatchModule, EventsModule, IdempotencyModule, KeysModule, ReuseModule, SuppressionsModule, WebhooksModule],
  providers: [AccountTraces, ErasureStore, ErasureWork, WebhookTraces],
  exports: [AccountTraces, ErasureStore, ErasureWork],
})
export class PrivacyModule {}
