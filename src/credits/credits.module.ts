import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { BalanceCreditsService, NoCreditsService } from './balance-credits.service.js';
import { BalanceStore } from './balance.store.js';
import { CreditHistoryService } from './credit-history.service.js';
import { CreditsAudit, LedgerDriftService } from './credits-audit.js';
import { LedgerStore } from './ledger.store.js';
import { ClaimedCreditsService } from './claimed-credits.service.js';
import { CreditSources, CreditsService } from './credits.service.js';
import { AgentPoolService } from './agent-pool.service.js';
import { DailyCreditsService } from './daily-credits.service.js';
import { PaidChecksService } from './paid-checks.service.js';
import { ReservationsStore } from './reservations.store.js';
import { UsageService } from './usage/usage.service.js';
import { UsageStore } from './usage/usage.store.js';
import { UsageTally } from './usage/usage-tally.js';

const services = [
  AgentPoolService,
  CreditHistoryService,
  CreditsAudit,
  CreditsService,
  LedgerDriftService,
  PaidChecksService,
  UsageService,
  UsageTally,
];

/** Credits: the cost of work, charged exactly once. */
@Module({
  imports: [KeysModule],
  providers: [
    ...services,
    BalanceCreditsService,
    BalanceStore,
    ClaimedCreditsService,
    CreditSources,
    DailyCreditsService,
    LedgerStore,
    ReservationsStore,
    NoCreditsService,
    UsageStore,
  ],
  exports: services,
})
export class CreditsModule {}
