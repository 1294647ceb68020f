import { Module } from '@nestjs/common';
import { EgressModule } from '../sending/egress/egress.module.js';
import { EventsModule } from '../events/events.module.js';
import { FinderModule } from '../finder/finder.module.js';
import { periodically } from '../platform/periodic-job.js';
import { VerifyModule } from '../verify/verify.module.js';
import { BatchModule } from './batch.module.js';
import { ChunkStore } from './worker/chunk.store.js';
import { OpenBatchesStore } from './worker/open-batches.store.js';
import { WorkerPresenceService } from './worker/worker-presence.service.js';
import { IntakeStore } from './intake/intake.store.js';
import { OrderedResultsService } from './results/ordered-results.service.js';
import { BatchSummarySweep, OrderedResultsSweep } from './upkeep/ended-batch-sweep.js';
import { BatchPartitionsService } from './upkeep/batch-partitions.service.js';
import { BatchReuseService } from './upkeep/batch-reuse.service.js';
import { RepartitionService } from './worker/repartition.service.js';
import { RepartitionStore } from './worker/repartition.store.js';
import { BatchEventContent } from './results/result-links.js';
import { BatchCleanup } from './upkeep/batch-cleanup.js';
import { BatchWorker } from './worker/batch-worker.js';
import { BatchProcessor, WorkGauges } from './worker/batch.processor.js';
import { ChunkCommitService } from './worker/chunk-commit.service.js';
import { ChunkLeases } from './worker/chunk-leases.js';
import { ChunkRunner } from './worker/chunk-runner.js';

const KEEP_EVERY_MS = 5_000;

/** Works on the items of batches, and deletes batches whose retention is over. */
@Module({
  imports: [BatchModule, EgressModule, EventsModule, FinderModule, VerifyModule],
  providers: [
    BatchCleanup,
    BatchEventContent,
    BatchPartitionsService,
    BatchProcessor,
    periodically(BatchReuseService, 'keepEnded', KEEP_EVERY_MS, 'verdicts of batches were not kept', {
      firstAfterMs: KEEP_EVERY_MS,
    }),
    BatchSummarySweep,
    BatchWorker,
    ChunkCommitService,
    ChunkLeases,
    ChunkRunner,
    ChunkStore,
    IntakeStore,
    OpenBatchesStore,
    OrderedResultsService,
    OrderedResultsSweep,
    RepartitionService,
    RepartitionStore,
    WorkerPresenceService,
    WorkGauges,
  ],
})
export class BatchWorkerModule {}
