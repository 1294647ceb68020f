import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { BatchAdministrationService } from './batch-administration.service.js';
import { BatchGauges, WorkersService } from './workers.service.js';
import { ReopenedItemsService } from './worker/reopened-items.service.js';
import { BatchErasureService } from './upkeep/batch-erasure.service.js';
import { BatchAgainService, BatchVersionsService } from './upkeep/batch-again.service.js';
import { ReuseModule } from '../reuse/reuse.module.js';
import { ResultLinks } from './results/result-links.js';
import { BatchSettlementService } from './model/batch-settlement.service.js';
import { BatchStore } from './model/batch.store.js';
import { BatchReuseService } from './upkeep/batch-reuse.service.js';
import { ResultsService } from './results/results.service.js';
import { ResultsStore } from './results/results.store.js';
import { BatchSummaryService } from './results/batch-summary.service.js';

const services = [
  BatchAdministrationService,
  BatchErasureService,
  BatchAgainService,
  BatchVersionsService,
  BatchReuseService,
  BatchSettlementService,
  BatchStore,
  BatchSummaryService,
  ReopenedItemsService,
  ResultLinks,
  ResultsService,
  WorkersService,
];

/** Batches and their results as they are stored. */
@Module({
  imports: [CreditsModule, KeysModule, ReuseModule],
  providers: [...services, BatchGauges, ResultsStore],
  exports: services,
})
export class BatchModule {}
