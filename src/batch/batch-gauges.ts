import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { Gauges } from '../platform/metrics/gauges.js';
import { WorkersService } from './workers.service.js';

/** What waits of batches, told by every process: when no worker is left, the others still say so. */
@Injectable()
export class BatchGauges {
  constructor(gauges: Gauges, workers: WorkersService, @Inject(CLOCK) clock: WallClock) {
    gauges.addShared({
      name: 'mailsonde_batch_oldest_waiting_seconds',
      help: 'How long the batch that has waited longest has had work that is due, while no worker has any of it; 0: none waits.',
      read: async () => {
        const oldest = await workers.oldestWaiting();
        return [{ value: oldest === null ? 0 : Math.max(0, clock.now() - oldest.since.getTime()) / 1000 }];
      },
    });
    gauges.addShared({
      name: 'mailsonde_batch_queue',
      help: 'Batches that wait or are worked on, and their chunks that are due, leased by a worker, or tried again later.',
      labels: ['what'],
      read: async () => {
        const { batchesQueued, batchesProcessing, chunksDue, chunksLeased, chunksLater } = await workers.queue();
        return [
          { labels: { what: 'batches_queued' }, value: batchesQueued },
          { labels: { what: 'batches_processing' }, value: batchesProcessing },
          { labels: { what: 'chunks_due' }, value: chunksDue },
          { labels: { what: 'chunks_leased' }, value: chunksLeased },
          { labels: { what: 'chunks_later' }, value: chunksLater },
        ];
      },
    });
    gauges.addShared({
      name: 'mailsonde_batch_region_unworked',
      help: 'Batches that wait for a worker of their region while none of it is alive.',
      labels: ['region'],
      read: async () =>
        (await workers.regionsWithoutWorker()).map(({ region, batches }) => ({ labels: { region }, value: batches })),
    });
    gauges.addShared({
      name: 'mailsonde_workers',
      help: 'Processes that work on batches and are alive.',
      read: async () => [{ value: await workers.count() }],
    });
  }
}
