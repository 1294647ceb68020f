import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { EndedBatchSweep } from './ended-batch-sweep.js';
import { BatchSummaries, type SummedBatch } from '../results/batch-summary.service.js';
import { BatchSummaryStore } from '../results/batch-summary.store.js';

/** Counts large batches; of one that was being counted when its worker died nothing is kept. */
@Injectable()
export class BatchSummarySweep extends EndedBatchSweep<SummedBatch> {
  constructor(
    private readonly store: BatchSummaryStore,
    private readonly summaries: BatchSummaries,
    database: DataSource,
    @Inject(CLOCK) clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('summary of', 'the summary of a batch was not made', database, clock, timer);
  }

  protected find(since: Date, without: readonly number[], limit: number): Promise<readonly SummedBatch[]> {
    return this.store.uncounted(since, without, limit);
  }

  protected work(batch: SummedBatch, signal: AbortSignal): Promise<unknown> {
    return this.summaries.of(batch, signal);
  }
}
