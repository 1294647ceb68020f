import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { PeriodicJob } from '../../platform/periodic-job.js';
import { BatchPartitionsService } from './batch-partitions.service.js';

/** Ids from the first one to below the end. */
interface IdRange {
  readonly firstId: number;
  readonly endId: number;
}

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
    private readonly database: DataSource,
    private readonly partitions: BatchPartitionsService,
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
    while ((await this.partitions.deleteRemains(BATCH_PAGE_SIZE)) === BATCH_PAGE_SIZE);
  }

  /** @returns how many batches were deleted */
  async deleteExpired(): Promise<number> {
    const ending = await this.partitions.ending();
    const left = ending.length === 0 ? 0 : await this.deleteAll(LEAVING_PAGE_SIZE, ending);
    return left + (await this.deleteAll(BATCH_PAGE_SIZE, null));
  }

  /**
   * Deletes batches whose retention is over, held ones whose time is over, and batches whose upload died.
   * @param leftTo only batches of these ids, whose rows, chunks and results stay for their partitions to end; null: all, with these
   * @returns how many
   */
  private async deleteAll(pageSize: number, leftTo: readonly IdRange[] | null): Promise<number> {
    const now = this.clock.now();
    const ids = [leftTo?.map(({ firstId }) => firstId), leftTo?.map(({ endId }) => endId)];
    let deleted = 0;
    for (;;) {
      const some = await this.database.transaction(async (tx) => {
        if (leftTo !== null) await tx.query(`SELECT set_config('mailsonde.leave_parts', 'on', true)`);
        const [, count]: [unknown, number] = await tx.query(
          `DELETE FROM batches WHERE id = ANY (ARRAY(
             SELECT id FROM batches
              WHERE (expires_at <= $1 OR (state = 'receiving' AND created_at <= $2))
                AND ($4::bigint[] IS NULL OR EXISTS (
                  SELECT FROM unnest($4, $5::bigint[]) AS part (first_id, end_id) WHERE id >= first_id AND id < end_id))
              ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED))`,
          [new Date(now), new Date(now - UPLOAD_DIES_MS), pageSize, ...ids],
        );
        return count;
      });
      deleted += some;
      if (some < pageSize) return deleted;
    }
  }
}
