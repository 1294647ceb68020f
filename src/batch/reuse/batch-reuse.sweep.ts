import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../../async/periodic.js';
import { TIMER, type Timer } from '../../platform/clock.js';
import { BatchReuse } from './batch-reuse.service.js';

const EVERY_MS = 5_000;
const BATCH_PAGE_SIZE = 100;

/** Keeps the verdicts of batches that have ended, for accounts that use reuse. */
@Injectable()
export class BatchReuseSweep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(BatchReuseSweep.name);
  private readonly periodic: Periodic;

  constructor(reuse: BatchReuse, @Inject(TIMER) timer: Timer) {
    this.periodic = new Periodic(() => reuse.keepEnded(BATCH_PAGE_SIZE), {
      everyMs: EVERY_MS,
      firstAfterMs: EVERY_MS,
      timer,
      onError: (error) => this.logger.warn(`verdicts of batches were not kept: ${(error as Error).message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.periodic.stop();
  }
}
