import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { KeysHttpModule } from '../keys/keys-http.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { VerifyModule } from '../verify/verify.module.js';
import { WebhooksHttpModule } from '../webhooks/webhooks-http.module.js';
import { BatchModule } from './batch.module.js';
import { DownloadsService } from './results/downloads.service.js';
import { EstimateController } from './http/estimate.controller.js';
import { EstimateService } from './estimate.service.js';
import { BatchController } from './http/batch.controller.js';
import { BatchEventsController } from './http/batch-events.controller.js';
import { BatchService } from './batch.service.js';
import { LinkedResultsController } from './http/linked-results.controller.js';
import { HeldBatchesService } from './held-batches.service.js';
import { PeopleBatchController } from './http/people-batch.controller.js';
import { PreviewController } from './http/preview.controller.js';
import { BatchSettingsController } from './http/batch-settings.controller.js';
import { BatchSettingsService, BatchRetentionService } from './intake/batch-settings.service.js';
import { BatchSummaryController, PeopleSummaryController } from './http/batch-summary.controller.js';
import { BatchWebhookService, IntakeService } from './intake/intake.service.js';
import { BatchFeedsService, BatchStreamsService } from './batch-streams.service.js';
import { UploadsService } from './intake/uploads.service.js';

/** The routes of batches. */
@Module({
  imports: [
    BatchModule,
    CreditsModule,
    KeysModule,
    KeysHttpModule,
    SuppressionsModule,
    VerifyModule,
    WebhooksHttpModule,
  ],
  controllers: [
    BatchController,
    PreviewController,
    BatchEventsController,
    BatchSettingsController,
    BatchSummaryController,
    PeopleSummaryController,
    EstimateController,
    LinkedResultsController,
    PeopleBatchController,
  ],
  providers: [
    BatchFeedsService,
    BatchService,
    BatchRetentionService,
    BatchSettingsService,
    BatchStreamsService,
    BatchWebhookService,
    DownloadsService,
    EstimateService,
    HeldBatchesService,
    IntakeService,
    UploadsService,
  ],
  exports: [BatchService, BatchSettingsService, DownloadsService, EstimateService, HeldBatchesService],
})
export class BatchHttpModule {}
