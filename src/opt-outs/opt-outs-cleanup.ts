import { Inject, Injectable } from '@nestjs/common';
import { HOUR_MS } from '../lib/durations.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../platform/clock.js';
import { PeriodicJob } from '../platform/periodic-job.js';
import { OptOutStore } from './opt-out.store.js';

/** Rows deleted by one statement. */
const ROW_PAGE_SIZE = 1_000;

/** Deletes opt-outs that nobody has renewed. */
@Injectable()
export class OptOutsCleanup extends PeriodicJob {
  constructor(
    private readonly store: OptOutStore,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('ended opt-outs were not deleted', { everyMs: HOUR_MS, firstAfterMs: HOUR_MS, timer });
  }

  async run(): Promise<void> {
    const now = new Date(this.clock.now());
    while ((await this.store.deleteEnded(now, ROW_PAGE_SIZE)) === ROW_PAGE_SIZE);
  }
}
