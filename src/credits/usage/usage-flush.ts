import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../../async/periodic.js';
import { TIMER, type Timer } from '../../platform/clock.js';
import { UsageTally } from './usage-tally.js';

const EVERY_MS = 10_000;

/** Writes what the process has counted of usage, all the time and when it stops. */
@Injectable()
export class UsageFlush implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(UsageFlush.name);
  private readonly periodic: Periodic;

  constructor(
    private readonly tally: UsageTally,
    @Inject(TIMER) timer: Timer,
  ) {
    this.periodic = new Periodic(() => this.tally.flush(), {
      everyMs: EVERY_MS,
      firstAfterMs: EVERY_MS,
      timer,
      onError: (error) => this.logger.warn(`usage was not written: ${(error as Error).message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.periodic.stop();
    await this.tally.flush().catch((error: Error) => this.logger.warn(`usage is lost: ${error.message}`));
  }
}
