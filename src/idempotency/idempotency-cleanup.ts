import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../async/periodic.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../platform/clock.js';
import { IdempotencyStore } from './idempotency.store.js';

const EVERY_MS = 5_000;

/* Replies deleted by one statement: few, so that it is short, as the next one comes soon. */
const MAX_DELETED = 1_000;

/** Deletes expired replies, at start and then again and again. */
@Injectable()
export class IdempotencyCleanup implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(IdempotencyCleanup.name);
  private readonly periodic: Periodic;

  constructor(
    private readonly store: IdempotencyStore,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    this.periodic = new Periodic(() => this.run(), {
      everyMs: EVERY_MS,
      timer,
      onError: (error) => this.logger.warn(`old replies were not deleted: ${(error as Error).message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.periodic.stop();
  }

  /** @returns how many replies were deleted */
  run(): Promise<number> {
    return this.store.deleteExpired(new Date(this.clock.now()), MAX_DELETED);
  }
}
