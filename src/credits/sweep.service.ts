import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CreditsService } from './credits.service.js';
import { IdempotencyService } from './idempotency/idempotency.service.js';

const SWEEP_EVERY_MS = 5_000;

/** Runs in every process, at start and then all the time: whichever process died, another one or its successor tidies up. */
@Injectable()
export class SweepService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SweepService.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly credits: CreditsService,
    private readonly idempotency: IdempotencyService,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.sweep();
    this.timer = setInterval(() => {
      this.running = this.running.then(() => this.sweep());
    }, SWEEP_EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private async sweep(): Promise<void> {
    try {
      const released = await this.credits.releaseLapsed();
      if (released > 0)
        this.logger.log(`gave back the credits of ${released} requests that a stopped process left behind`);
      await this.idempotency.deleteExpired();
    } catch (error) {
      this.logger.warn(`abandoned reservations and old replies were not swept: ${(error as Error).message}`);
    }
  }
}
