import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { BatchAdministrationService, BatchOverviewStore } from './batch-administration.service.js';
import { BatchGauges, WorkersService } from './workers.service.js';
import { ReopenedItems } from './worker/reopened-items.service.js';
import { ReopenedItemsStore } from './worker/reopened-items.store.js';
import { BatchErasure } from './ended/batch-erasure.service.js';
import { BatchErasureStore } from './ended/batch-erasure.store.js';
import { BatchAgain, BatchVersions } from './ended/batch-again.service.js';
import { BatchAgainStore } from './ended/batch-again.store.js';
import { ReuseModule } from '../reuse/reuse.module.js';
import { ResultLinks } from './results/result-links.js';
import { BatchSettlementService } from './model/batch-settlement.service.js';
import { BatchStore } from './model/batch.store.js';
import { BatchReuse } from './ended/batch-reuse.service.js';
import { BatchReuseStore } from './ended/batch-reuse.store.js';
import { ResultsService } from './results/results.service.js';
import { ResultsStore } from './results/results.store.js';
import { BatchSummaries } from './results/batch-summary.service.js';
import { BatchSummaryStore } from './results/batch-summary.store.js';

/** Batches and their results as they are stored. */
@Module({
  imports: [CreditsModule, KeysModule, ReuseModule],
  providers: [
    BatchAdministrationService,
    BatchGauges,
    BatchErasure,
    BatchErasureStore,
    BatchAgain,
    BatchAgainStore,
    BatchVersions,
    BatchOverviewStore,
    BatchReuse,
    BatchReuseStore,
    BatchSettlementService,
    BatchStore,
    BatchSummaries,
    BatchSummaryStore,
    ReopenedItems,
    ReopenedItemsStore,
    ResultLinks,
    ResultsService,
    ResultsStore,
    WorkersService,
  ],
  exports: [
    BatchAdministrationService,
    BatchErasure,
    BatchAgain,
    BatchVersions,
    BatchReuse,
    BatchSettlementService,
    BatchStore,
    BatchSummaries,
    BatchSummaryStore,
    ReopenedItems,
    ResultLinks,
    ResultsService,
    WorkersService,
  ],
})
export class BatchModule {}
