import { Inject, Injectable } from '@nestjs/common';
import { TIMER, type Timer } from '../../platform/clock.js';
import { PeriodicJob } from '../../platform/periodic-job.js';
import { UsageTally } from './usage-tally.js';

const EVERY_MS = 10_000;

/** Writes what the process has counted of usage, all the time and when it stops. */
@Injectable()
export class UsageFlush extends PeriodicJob {
  constructor(
    private readonly tally: UsageTally,
    @Inject(TIMER) timer: Timer,
  ) {
    super('usage was not written', { everyMs: EVERY_MS, firstAfterMs: EVERY_MS, timer });
  }

  run(): Promise<unknown> {
    return this.tally.flush();
  }

  override async onModuleDestroy(): Promise<void> {
    await super.onModuleDestroy();
    await this.tally.flush().catch((error: Error) => this.logger.warn(`usage is lost: ${error.message}`));
  }
}
