import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { VerifyModule } from '../verify/verify.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { BatchIntakeService } from './batch-intake.service.js';
import { BatchSettlementService } from './batch-settlement.service.js';
import { BatchDownloadsService } from './batch-downloads.service.js';
import { BatchResultsService } from './batch-results.service.js';
import { BatchResultsStore } from './batch-results.store.js';
import { BatchRetentionService } from './batch-retention.service.js';
import { BatchController } from './batch.controller.js';
import { FinderBatchController } from './finder-batch.controller.js';
import { BatchService } from './batch.service.js';
import { BatchStore } from './batch.store.js';
import { BatchWebhookService } from './batch-webhook.service.js';
import { ResultLinks } from './result-links.js';
import { LinkedResultsController } from './linked-results.controller.js';

/** The half of batches that callers see. */
@Module({
  imports: [CreditsModule, SuppressionsModule, KeysModule, VerifyModule, WebhooksModule],
  controllers: [BatchController, LinkedResultsController, FinderBatchController],
  providers: [
    BatchWebhookService,
    ResultLinks,
    BatchSettlementService,
    BatchDownloadsService,
    BatchIntakeService,
    BatchResultsService,
    BatchResultsStore,
    BatchRetentionService,
    BatchService,
    BatchStore,
  ],
  exports: [BatchDownloadsService, BatchResultsService, BatchService],
})
export class BatchModule {}
