import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { VerifyModule } from '../verify/verify.module.js';
import { BatchIntakeService } from './batch-intake.service.js';
import { BatchSettlementService } from './batch-settlement.service.js';
import { BatchDownloadsService } from './batch-downloads.service.js';
import { BatchResultsService } from './batch-results.service.js';
import { BatchResultsStore } from './batch-results.store.js';
import { BatchRetentionService } from './batch-retention.service.js';
import { BatchController } from './batch.controller.js';
import { BatchService } from './batch.service.js';
import { BatchStore } from './batch.store.js';

/** The half of batches that callers see. */
@Module({
  imports: [CreditsModule, KeysModule, VerifyModule],
  controllers: [BatchController],
  providers: [
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
