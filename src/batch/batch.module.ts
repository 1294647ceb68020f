import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { BatchAdministrationService, BatchOverviewStore } from './batch-administration.service.js';
import { BatchGauges, WorkersService } from './workers.service.js';
import { ReopenedItemsService } from './worker/reopened-items.service.js';
import { ReopenedItemsStore } from './worker/reopened-items.store.js';
import { BatchErasureService } from './ended/batch-erasure.service.js';
import { BatchErasureStore } from './ended/batch-erasure.store.js';
import { BatchAgainService, BatchVersionsService } from './ended/batch-again.service.js';
import { BatchAgainStore } from './ended/batch-again.store.js';
import { ReuseModule } from '../reuse/reuse.module.js';
import { ResultLinks } from './results/result-links.js';
import { BatchSettlementService } from './model/batch-settlement.service.js';
import { BatchStore } from './model/batch.store.js';
import { BatchReuseService } from './ended/batch-reuse.service.js';
import { BatchReuseStore } from './ended/batch-reuse.store.js';
import { ResultsService } from './results/results.service.js';
import { ResultsStore } from './results/results.store.js';
import { BatchSummaryService, BatchSummaryStore } from './results/batch-summary.service.js';

/** Batches and their results as they are stored. */
@Module({
  imports: [CreditsModule, KeysModule, ReuseModule],
  providers: [
    BatchAdministrationService,
    BatchGauges,
    BatchErasureService,
    BatchErasureStore,
    BatchAgainService,
    BatchAgainStore,
    BatchVersionsService,
    BatchOverviewStore,
    BatchReuseService,
    BatchReuseStore,
    BatchSettlementService,
    BatchStore,
    BatchSummaryService,
    BatchSummaryStore,
    ReopenedItemsService,
    ReopenedItemsStore,
    ResultLinks,
    ResultsService,
    ResultsStore,
    WorkersService,
  ],
  exports: [
    BatchAdministrationService,
    BatchErasureService,
    BatchAgainService,
    BatchVersionsService,
    BatchReuseService,
    BatchSettlementService,
    BatchStore,
    BatchSummaryService,
    BatchSummaryStore,
    ReopenedItemsService,
    ResultLinks,
    ResultsService,
    WorkersService,
  ],
})
export class BatchModule {}
