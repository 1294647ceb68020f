import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { BatchStore } from './batch.store.js';

const EVERY_MS = 60_000;
/** Twice the time that a request may take. */
const UPLOAD_DIES_MS = 600_000;
/** A batch of a million goes with some 3,000 rows. */
const AT_ONCE = 10;

/** Deletes batches with their addresses when their time is over, and what uploads left whose process died. */
@Injectable()
export class BatchRetentionService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(BatchRetentionService.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly batches: BatchStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.deleteExpired().catch((error: Error) => this.logger.warn(`old batches were not deleted: ${error.message}`));
    }, EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** @returns how many batches were deleted */
  async deleteExpired(): Promise<number> {
    const now = this.clock.now();
    let deleted = 0;
    for (;;) {
      const some = await this.batches.deleteExpired(new Date(now), new Date(now - UPLOAD_DIES_MS), AT_ONCE);
      deleted += some;
      if (some < AT_ONCE) return deleted;
    }
  }
}
