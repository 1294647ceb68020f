import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../async/periodic.js';
import { TIMER, type Timer } from '../platform/clock.js';
import { CreditsService } from './credits.service.js';

const EVERY_MS = 5_000;

/** Gives back, at start and then all the time, what processes had reserved that died: another process or their successor does it. */
@Injectable()
export class CreditsCleanup implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(CreditsCleanup.name);
  private readonly periodic: Periodic;

  constructor(
    private readonly credits: CreditsService,
    @Inject(TIMER) timer: Timer,
  ) {
    this.periodic = new Periodic(() => this.run(), {
      everyMs: EVERY_MS,
      timer,
      onError: (error) => this.logger.warn(`abandoned reservations were not released: ${(error as Error).message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.periodic.stop();
  }

  private async run(): Promise<void> {
    const released = await this.credits.releaseExpired();
    if (released > 0)
      this.logger.log(`gave back the credits of ${released} requests that a stopped process left behind`);
  }
}
