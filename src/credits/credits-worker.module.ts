import { Module } from '@nestjs/common';
import { CreditsCleanup } from './credits-cleanup.js';
import { LedgerComparison } from './balance/ledger-comparison.js';
import { CreditsModule } from './credits.module.js';
import { UsageFlush } from './usage/usage-flush.js';

/** Gives back what stopped processes left reserved, and writes usage that was counted in memory. */
@Module({ imports: [CreditsModule], providers: [CreditsCleanup, LedgerComparison, UsageFlush] })
export class CreditsWorkerModule {}
