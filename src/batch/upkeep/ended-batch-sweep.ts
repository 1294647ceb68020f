import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DAY_MS } from '../../lib/durations.js';
import { CLOCK, type Timer, TIMER, type WallClock } from '../../platform/clock.js';
import { SessionLocks } from '../../platform/database/session-locks.js';
import { isOutage } from '../../platform/errors/outage.js';
import { PeriodicJob } from '../../platform/periodic-job.js';
import { BatchSummaryService, type SummedBatch } from '../results/batch-summary.service.js';
import { OrderedResultsService } from '../results/ordered-results.service.js';

const EVERY_MS = 2_000;
const BATCH_PAGE_SIZE = 20;
/** A batch that ended earlier was missed by every worker, or cannot be worked on: readers do without. */
const SWEPT_SINCE_MS = DAY_MS;

interface EndedBatchTask<Ended> {
  /** Names the lock of a batch, with its id behind it. */
  readonly lock: string;
  /** Begins the line of the log when it failed. */
  readonly failure: string;
  /** Batches that ended since then and still need it. @param without those with which it failed */
  readonly find: (since: Date, without: readonly number[], limit: number) => Promise<readonly Ended[]>;
  readonly work: (batch: Ended, signal: AbortSignal) => Promise<unknown>;
}

/**
 * What is done with each large batch soon after its end, so that nobody waits for it. One worker at a time works on a batch; when that dies,
 * its lock is gone, and the next look of another one finds the batch again.
 */
class EndedBatchSweep<Ended extends { readonly id: number }> extends PeriodicJob implements BeforeApplicationShutdown {
  private readonly locks: SessionLocks;
  private readonly stopping = new AbortController();
  /** Batches with which it failed, so that they do not hold up the others. */
  private readonly failed = new Set<number>();

  protected constructor(
    private readonly task: EndedBatchTask<Ended>,
    database: DataSource,
    private readonly clock: WallClock,
    timer: Timer,
  ) {
    super(task.failure, { everyMs: EVERY_MS, firstAfterMs: EVERY_MS, timer });
    this.locks = new SessionLocks(database);
  }

  override onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    return super.onModuleDestroy();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.locks.close();
  }

  /** Works on what has ended. */
  async run(): Promise<void> {
    const since = new Date(this.clock.now() - SWEPT_SINCE_MS);
    for (const batch of await this.task.find(since, [...this.failed], BATCH_PAGE_SIZE)) {
      if (this.stopping.signal.aborted) return;
      await this.workAlone(batch);
    }
  }

  private async workAlone(batch: Ended): Promise<void> {
    const giveBack = await this.locks.take(`${this.task.lock} ${batch.id}`);
    if (giveBack === null) return;
    try {
      await this.task.work(batch, this.stopping.signal);
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      if (isOutage(error)) throw error;
      this.failed.add(batch.id);
      this.logger.warn(`${this.task.failure}: ${(error as Error).message}`);
    } finally {
      await giveBack();
    }
  }
}

/** Puts the results of large batches in order; after a worker's death another goes on behind the last block that is kept. */
@Injectable()
export class OrderedResultsSweep extends EndedBatchSweep<{ readonly id: number }> {
  constructor(
    ordered: OrderedResultsService,
    database: DataSource,
    @Inject(CLOCK) clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    const task: EndedBatchTask<{ readonly id: number }> = {
      lock: 'order of',
      failure: 'the results of a batch were not put in order',
      find: (since, without, limit) => ordered.unordered(since, without, limit),
      work: ({ id }, signal) => ordered.write(id, signal),
    };
    super(task, database, clock, timer);
  }
}

/** Counts large batches; of one that was being counted when its worker died nothing is kept. */
@Injectable()
export class BatchSummarySweep extends EndedBatchSweep<SummedBatch> {
  constructor(
    summaries: BatchSummaryService,
    database: DataSource,
    @Inject(CLOCK) clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    const task: EndedBatchTask<SummedBatch> = {
      lock: 'summary of',
      failure: 'the summary of a batch was not made',
      find: (since, without, limit) => summaries.uncounted(since, without, limit),
      work: (batch, signal) => summaries.of(batch, signal),
    };
    super(task, database, clock, timer);
  }
}
