import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, TIMER, type Timer, type WallClock } from '../platform/clock.js';
import { PeriodicJob } from '../platform/periodic-job.js';
import { IdempotencyStore } from './idempotency.store.js';

const EVERY_MS = 5_000;

/* Replies deleted by one statement: few, so that it is short, as the next one comes soon. */
const MAX_DELETED = 1_000;

/** Deletes expired replies, at start and then again and again. */
@Injectable()
export class IdempotencyCleanup extends PeriodicJob {
  constructor(
    private readonly store: IdempotencyStore,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('old replies were not deleted', { everyMs: EVERY_MS, timer });
  }

  /** @returns how many replies were deleted */
  run(): Promise<number> {
    return this.store.deleteExpired(new Date(this.clock.now()), MAX_DELETED);
  }
}
