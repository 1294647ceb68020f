import { Module } from '@nestjs/common';
import { BatchModule } from '../batch/batch.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { AuditLogModule } from '../platform/audit/audit-log.module.js';
import { ReuseModule } from '../reuse/reuse.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { EventsModule } from '../events/events.module.js';
import { AccountTraces } from './erasures/account-traces.service.js';
import { ErasureReceipts } from './erasures/erasure-receipts.service.js';
import { ErasureStore } from './erasures/erasure.store.js';
import { OwnTraces } from './erasures/own-traces.service.js';
import { ErasureWork } from './erasures/erasure-work.service.js';
import { WebhookTraces } from './erasures/webhook-traces.service.js';

/** Takes addresses out of what accounts have. */
@Module({
  imports: [
    AuditLogModule,
    BatchModule,
    EventsModule,
    IdempotencyModule,
    KeysModule,
    ReuseModule,
    SuppressionsModule,
    WebhooksModule,
  ],
  providers: [AccountTraces, ErasureReceipts, ErasureStore, ErasureWork, OwnTraces, WebhookTraces],
  exports: [AccountTraces, ErasureReceipts, ErasureStore, ErasureWork],
})
export class PrivacyModule {}
