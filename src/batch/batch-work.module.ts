import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { PresentingModule } from '../presenting/presenting.module.js';
import { FinderSearchModule } from '../finder/finder-search.module.js';
import { VerifyModule } from '../verify/verify.module.js';
import { EventContentsModule } from '../webhooks/event-contents.module.js';
import { BatchChunksStore } from './batch-chunks.store.js';
import { BatchGroupingService } from './batch-grouping.service.js';
import { BatchGroupingStore } from './batch-grouping.store.js';
import { BatchIntakeStore } from './batch-intake.store.js';
import { BatchSettlementService } from './batch-settlement.service.js';
import { BatchWorkService } from './batch-work.service.js';
import { BatchWorkStore } from './batch-work.store.js';
import { BatchProcessor } from './batch.processor.js';
import { BatchEventContentService } from './batch-event-content.service.js';
import { BatchResultsService } from './batch-results.service.js';
import { BatchResultsStore } from './batch-results.store.js';
import { BatchStore } from './batch.store.js';
import { ResultLinks } from './result-links.js';
import { ChunkWorkLeasesService } from './chunk-work-leases.service.js';
import { ChunkWorkService } from './chunk-work.service.js';
import { LoadRoundsService } from './load-rounds.service.js';
import { WorkerPresenceService } from './worker-presence.service.js';

/** The half of batches that workers do. */
@Module({
  imports: [CreditsModule, FinderSearchModule, EventContentsModule, PresentingModule, VerifyModule],
  providers: [
    BatchEventContentService,
    BatchResultsService,
    BatchResultsStore,
    ResultLinks,
    BatchSettlementService,
    BatchChunksStore,
    BatchGroupingService,
    BatchGroupingStore,
    BatchIntakeStore,
    BatchProcessor,
    BatchStore,
    BatchWorkService,
    BatchWorkStore,
    ChunkWorkLeasesService,
    ChunkWorkService,
    LoadRoundsService,
    WorkerPresenceService,
  ],
  exports: [BatchWorkService],
})
export class BatchWorkModule {}
