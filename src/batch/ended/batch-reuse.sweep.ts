import { Inject, Injectable } from '@nestjs/common';
import { TIMER, type Timer } from '../../platform/clock.js';
import { PeriodicJob } from '../../platform/periodic-job.js';
import { BatchReuse } from './batch-reuse.service.js';

const EVERY_MS = 5_000;
const BATCH_PAGE_SIZE = 100;

/** Keeps the verdicts of batches that have ended, for accounts that use reuse. */
@Injectable()
export class BatchReuseSweep extends PeriodicJob {
  constructor(
    private readonly reuse: BatchReuse,
    @Inject(TIMER) timer: Timer,
  ) {
    super('verdicts of batches were not kept', { everyMs: EVERY_MS, firstAfterMs: EVERY_MS, timer });
  }

  run(): Promise<unknown> {
    return this.reuse.keepEnded(BATCH_PAGE_SIZE);
  }
}
