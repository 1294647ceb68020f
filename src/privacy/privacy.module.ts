import { Module } from '@nestjs/common';
import { BatchModule } from '../batch/batch.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { AuditLogModule } from '../platform/audit/audit-log.module.js';
import { ReuseModule } from '../reuse/reuse.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { EventsModule } from '../events/events.module.js';
import { AccountTraces, OwnTraces, WebhookTraces } from './account-traces.js';
import { ErasureReceipts } from './erasure-receipts.js';
import { ErasureStore } from './erasure.store.js';
import { ErasureWork } from './erasure-work.js';

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
