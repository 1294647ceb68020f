import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../../async/periodic.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { BatchStore } from '../model/batch.store.js';

const EVERY_MS = 60_000;
/** The age from which an upload counts as dead: twice the longest time of a request. */
const UPLOAD_DIES_MS = 600_000;
/** Batches deleted by one statement, few because each takes the rows of its blocks, chunks and results with it. */
const BATCH_PAGE_SIZE = 10;

/** Deletes batches whose retention is over, and the rows of uploads whose process died. */
@Injectable()
export class BatchCleanup implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(BatchCleanup.name);
  private readonly periodic: Periodic;

  constructor(
    private readonly batches: BatchStore,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    this.periodic = new Periodic(() => this.deleteExpired(), {
      everyMs: EVERY_MS,
      firstAfterMs: EVERY_MS,
      timer,
      onError: (error) => this.logger.warn(`old batches were not deleted: ${(error as Error).message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.periodic.stop();
  }

  /** @returns how many batches were deleted */
  async deleteExpired(): Promise<number> {
    const now = this.clock.now();
    let deleted = 0;
    for (;;) {
      const some = await this.batches.deleteExpired(new Date(now), new Date(now - UPLOAD_DIES_MS), BATCH_PAGE_SIZE);
      deleted += some;
      if (some < BATCH_PAGE_SIZE) return deleted;
    }
  }
}
