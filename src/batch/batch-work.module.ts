import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { VerifyModule } from '../verify/verify.module.js';
import { BatchChunksStore } from './batch-chunks.store.js';
import { BatchSettlementService } from './batch-settlement.service.js';
import { BatchWorkService } from './batch-work.service.js';
import { BatchWorkStore } from './batch-work.store.js';
import { BatchProcessor } from './batch.processor.js';
import { BatchStore } from './batch.store.js';
import { ChunkWorkLeasesService } from './chunk-work-leases.service.js';
import { ChunkWorkService } from './chunk-work.service.js';

/** The half of batches that workers do. */
@Module({
  imports: [CreditsModule, VerifyModule],
  providers: [
    BatchSettlementService,
    BatchChunksStore,
    BatchProcessor,
    BatchStore,
    BatchWorkService,
    BatchWorkStore,
    ChunkWorkLeasesService,
    ChunkWorkService,
  ],
  exports: [BatchWorkService],
})
export class BatchWorkModule {}
