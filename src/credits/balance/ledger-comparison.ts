import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../../async/periodic.js';
import { TIMER, type Timer } from '../../platform/clock.js';
import { COMPARE_EVERY_MS, LedgerDriftService } from './ledger-drift.service.js';

/** A start has better things to do. */
const FIRST_AFTER_MS = 5_000;

/** Compares ledgers with balances all the time. */
@Injectable()
export class LedgerComparison implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(LedgerComparison.name);
  private readonly periodic: Periodic;

  constructor(drift: LedgerDriftService, @Inject(TIMER) timer: Timer) {
    this.periodic = new Periodic(() => drift.compare(), {
      everyMs: COMPARE_EVERY_MS,
      firstAfterMs: FIRST_AFTER_MS,
      timer,
      onError: (error) => this.logger.warn(`ledgers were not compared: ${(error as Error).message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.periodic.stop();
  }
}
