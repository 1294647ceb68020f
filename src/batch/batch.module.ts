import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { BatchAdministrationService } from './administration/batch-administration.service.js';
import { BatchOverviewStore } from './administration/batch-administration.store.js';
import { ResultLinks } from './downloads/result-links.js';
import { BatchSettlementService } from './model/batch-settlement.service.js';
import { BatchStore } from './model/batch.store.js';
import { ResultsService } from './results/results.service.js';
import { ResultsStore } from './results/results.store.js';

/** Batches and their results as they are stored. */
@Module({
  imports: [CreditsModule],
  providers: [
    BatchAdministrationService,
    BatchOverviewStore,
    BatchSettlementService,
    BatchStore,
    ResultLinks,
    ResultsService,
    ResultsStore,
  ],
  exports: [BatchAdministrationService, BatchSettlementService, BatchStore, ResultLinks, ResultsService],
})
export class BatchModule {}
