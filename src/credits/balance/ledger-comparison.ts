import { Inject, Injectable } from '@nestjs/common';
import { TIMER, type Timer } from '../../platform/clock.js';
import { PeriodicJob } from '../../platform/periodic-job.js';
import { COMPARE_EVERY_MS, LedgerDriftService } from './ledger-drift.service.js';

/** A start has better things to do. */
const FIRST_AFTER_MS = 5_000;

/** Compares ledgers with balances all the time. */
@Injectable()
export class LedgerComparison extends PeriodicJob {
  constructor(
    private readonly drift: LedgerDriftService,
    @Inject(TIMER) timer: Timer,
  ) {
    super('ledgers were not compared', { everyMs: COMPARE_EVERY_MS, firstAfterMs: FIRST_AFTER_MS, timer });
  }

  run(): Promise<unknown> {
    return this.drift.compare();
  }
}
