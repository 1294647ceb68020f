import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS } from '../lib/durations.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../platform/clock.js';
import { PeriodicJob } from '../platform/periodic-job.js';
import { MAX_REUSE_DAYS, ReuseService } from './reuse.service.js';
import { ReuseStore } from './reuse.store.js';

const EVERY_MS = 30_000;
/** Rows deleted by one statement. */
const ROW_PAGE_SIZE = 1_000;
/** From so many loose rows on, or so many bytes in them, an owner's are put into buckets: a look at one address reads all of them. */
const MAX_LOOSE = 64;
const MAX_LOOSE_BYTES = 98_304;
const OWNER_PAGE_SIZE = 20;

/** Deletes kept verdicts that are too old to be given again, and puts those that came singly into buckets. */
@Injectable()
export class ReuseCleanup extends PeriodicJob {
  constructor(
    private readonly store: ReuseStore,
    private readonly reuse: ReuseService,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('kept verdicts were not cleaned up', { everyMs: EVERY_MS, firstAfterMs: EVERY_MS, timer });
  }

  async run(): Promise<void> {
    const before = new Date(this.clock.now() - MAX_REUSE_DAYS * DAY_MS);
    while ((await this.store.deleteOld(before, ROW_PAGE_SIZE)) === ROW_PAGE_SIZE);
    for (const owner of await this.store.ownersOfLoose(MAX_LOOSE, MAX_LOOSE_BYTES, OWNER_PAGE_SIZE))
      await this.reuse.gather(owner, ROW_PAGE_SIZE);
  }
}
