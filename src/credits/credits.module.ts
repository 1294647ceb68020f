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
import { DailyCreditsStore } from './daily-credits.store.js';
import { ReservationsStore } from './reservations.store.js';
import { UsageService } from './usage/usage.service.js';
import { UsageStore } from './usage/usage.store.js';
import { UsageTally } from './usage/usage-tally.js';

/** Credits: the cost of work, charged exactly once. */
@Module({
  imports: [KeysModule],
  providers: [
    AgentPoolService,
    BalanceCreditsService,
    BalanceStore,
    ClaimedCreditsService,
    CreditHistoryService,
    CreditsAudit,
    CreditSources,
    CreditsService,
    DailyCreditsService,
    DailyCreditsStore,
    LedgerDriftService,
    LedgerStore,
    ReservationsStore,
    NoCreditsService,
    UsageService,
    UsageStore,
    UsageTally,
  ],
  exports: [
    AgentPoolService,
    CreditHistoryService,
    CreditsAudit,
    CreditsService,
    LedgerDriftService,
    UsageService,
    UsageTally,
  ],
})
export class CreditsModule {}
