import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { BatchAdministrationService } from './administration/batch-administration.service.js';
import { BatchGauges } from './administration/batch-gauges.js';
import { WorkersService } from './administration/workers.service.js';
import { BatchOverviewStore } from './administration/batch-administration.store.js';
import { ReopenedItems } from './chunks/reopened-items.service.js';
import { ReopenedItemsStore } from './chunks/reopened-items.store.js';
import { BatchErasure } from './erasing/batch-erasure.service.js';
import { BatchErasureStore } from './erasing/batch-erasure.store.js';
import { BatchAgain } from './again/batch-again.service.js';
import { BatchVersions } from './again/batch-versions.service.js';
import { BatchAgainStore } from './again/batch-again.store.js';
import { ReuseModule } from '../reuse/reuse.module.js';
import { ResultLinks } from './downloads/result-links.js';
import { BatchSettlementService } from './model/batch-settlement.service.js';
import { BatchStore } from './model/batch.store.js';
import { BatchReuse } from './reuse/batch-reuse.service.js';
import { BatchReuseStore } from './reuse/batch-reuse.store.js';
import { ResultsService } from './results/results.service.js';
import { ResultsStore } from './results/results.store.js';
import { BatchSummaries } from './summary/batch-summary.service.js';
import { BatchSummaryStore } from './summary/batch-summary.store.js';

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
