import { Inject, Injectable } from '@nestjs/common';
import { TIMER, type Timer } from '../platform/clock.js';
import { PeriodicJob } from '../platform/periodic-job.js';
import { CreditsService } from './credits.service.js';

const EVERY_MS = 5_000;

/** Gives back, at start and then all the time, what processes had reserved that died: another process or their successor does it. */
@Injectable()
export class CreditsCleanup extends PeriodicJob {
  constructor(
    private readonly credits: CreditsService,
    @Inject(TIMER) timer: Timer,
  ) {
    super('abandoned reservations were not released', { everyMs: EVERY_MS, timer });
  }

  async run(): Promise<void> {
    const released = await this.credits.releaseExpired();
    if (released > 0)
      this.logger.log(`gave back the credits of ${released} requests that a stopped process left behind`);
  }
}
