import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { PeriodicJob } from '../../platform/periodic-job.js';
import { BatchPartitions } from './batch-partitions.service.js';
import { BatchPartitionsStore } from './batch-partitions.store.js';
import { ExpiredBatchesStore, type IdRange } from './expired-batches.store.js';

const EVERY_MS = 60_000;
/** The age from which an upload counts as dead: twice the longest time of a request. */
const UPLOAD_DIES_MS = 600_000;
/** Batches deleted by one statement, few because each takes the rows of its blocks, chunks and results with it. */
const BATCH_PAGE_SIZE = 10;
/** The same for batches whose blocks, chunks and results go with their partition. */
const LEAVING_PAGE_SIZE = 1_000;

/** Deletes batches whose retention is over, and the rows of uploads whose process died; makes and drops partitions. */
@Injectable()
export class BatchCleanup extends PeriodicJob {
  constructor(
    private readonly expired: ExpiredBatchesStore,
    private readonly partitions: BatchPartitions,
    private readonly remains: BatchPartitionsStore,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('old batches were not deleted', { everyMs: EVERY_MS, firstAfterMs: EVERY_MS, timer });
  }

  /** What the timer does. */
  async run(): Promise<void> {
    await this.partitions.makeAhead();
    await this.deleteExpired();
    await this.partitions.dropEmpty();
    while ((await this.remains.deleteRemains(BATCH_PAGE_SIZE)) === BATCH_PAGE_SIZE);
  }

  /** @returns how many batches were deleted */
  async deleteExpired(): Promise<number> {
    const ending = await this.partitions.ending();
    const left = ending.length === 0 ? 0 : await this.deleteAll(LEAVING_PAGE_SIZE, ending);
    return left + (await this.deleteAll(BATCH_PAGE_SIZE, null));
  }

  private async deleteAll(pageSize: number, leftTo: readonly IdRange[] | null): Promise<number> {
    const now = this.clock.now();
    let deleted = 0;
    for (;;) {
      const some = await this.expired.delete(new Date(now), new Date(now - UPLOAD_DIES_MS), pageSize, leftTo);
      deleted += some;
      if (some < pageSize) return deleted;
    }
  }
}
