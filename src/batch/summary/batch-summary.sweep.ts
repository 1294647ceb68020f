import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Periodic } from '../../async/periodic.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { SessionLocks } from '../../platform/database/session-locks.js';
import { isOutage } from '../../platform/errors/outage.js';
import { BatchSummaries, type SummedBatch } from './batch-summary.service.js';
import { BatchSummaryStore } from './batch-summary.store.js';

const EVERY_MS = 2_000;
const BATCH_PAGE_SIZE = 20;
/** A batch that ended earlier was missed by every worker, or cannot be counted: it is, when somebody asks. */
const LOOK_BACK_MS = 86_400_000;

/**
 * Counts large batches soon after their end, so that nobody waits for it. A batch is counted by one worker at a time; when that dies, its
 * lock is gone and nothing is kept, and the next look of another one finds the batch again.
 */
@Injectable()
export class BatchSummarySweep implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger(BatchSummarySweep.name);
  private readonly locks: SessionLocks;
  private readonly periodic: Periodic;
  private readonly stopping = new AbortController();
  /** Batches that could not be counted, so that they do not hold up the others. */
  private readonly failed = new Set<number>();

  constructor(
    private readonly store: BatchSummaryStore,
    private readonly summaries: BatchSummaries,
    database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    this.locks = new SessionLocks(database);
    this.periodic = new Periodic(() => this.countEnded(), {
      everyMs: EVERY_MS,
      firstAfterMs: EVERY_MS,
      timer,
      onError: (error) => this.warn(error),
    });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.periodic.stop();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.locks.close();
  }

  /** Counts what has ended and is not counted yet. */
  async countEnded(): Promise<void> {
    const since = new Date(this.clock.now() - LOOK_BACK_MS);
    const ended = await this.store.uncounted(since, [...this.failed], BATCH_PAGE_SIZE);
    for (const batch of ended) {
      if (this.stopping.signal.aborted) return;
      await this.count(batch);
    }
  }

  private async count(batch: SummedBatch): Promise<void> {
    const giveBack = await this.locks.take(`summary of ${batch.id}`);
    if (giveBack === null) return;
    try {
      await this.summaries.of(batch, this.stopping.signal);
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      if (isOutage(error)) throw error;
      this.failed.add(batch.id);
      this.warn(error);
    } finally {
      await giveBack();
    }
  }

  private warn(error: unknown): void {
    this.logger.warn(`the summary of a batch was not made: ${(error as Error).message}`);
  }
}
