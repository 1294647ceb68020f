import { Module } from '@nestjs/common';
import { periodically } from '../platform/periodic-job.js';
import { CreditsModule } from './credits.module.js';
import { CreditsService } from './credits.service.js';
import { COMPARE_EVERY_MS, LedgerDriftService } from './credits-audit.js';
import { UsageTally } from './usage/usage-tally.js';

const RELEASE_EVERY_MS = 5_000;
const FLUSH_EVERY_MS = 10_000;

/** Gives back what stopped processes left reserved, compares ledgers with balances, and writes usage that was counted in memory. */
@Module({
  imports: [CreditsModule],
  providers: [
    periodically(CreditsService, 'releaseExpired', RELEASE_EVERY_MS, 'abandoned reservations were not released'),
    // A start has better things to do than to compare.
    periodically(LedgerDriftService, 'compare', COMPARE_EVERY_MS, 'ledgers were not compared', { firstAfterMs: 5_000 }),
    periodically(UsageTally, 'flush', FLUSH_EVERY_MS, 'usage was not written', { firstAfterMs: FLUSH_EVERY_MS }),
  ],
})
export class CreditsWorkerModule {}
