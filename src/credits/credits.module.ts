import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { BalanceCreditsService } from './balance/balance-credits.service.js';
import { BalanceStore } from './balance/balance.store.js';
import { CreditHistoryService } from './balance/credit-history.service.js';
import { CreditsAudit } from './balance/credits-audit.js';
import { LedgerDriftService } from './balance/ledger-drift.service.js';
import { LedgerDriftStore } from './balance/ledger-drift.store.js';
import { LedgerStore } from './balance/ledger.store.js';
import { ClaimedCreditsService } from './claimed/claimed-credits.service.js';
import { SplitReservationsStore } from './claimed/split-reservations.store.js';
import { CreditSources } from './credit-sources.js';
import { CreditsService } from './credits.service.js';
import { AgentPoolGauges } from './daily/agent-pool-gauges.js';
import { AgentPoolService } from './daily/agent-pool.service.js';
import { AgentPoolStore } from './daily/agent-pool.store.js';
import { DailyCreditsService } from './daily/daily-credits.service.js';
import { DailyCreditsStore } from './daily/daily-credits.store.js';
import { ReservationsStore } from './reservations.store.js';
import { NoCreditsService } from './no-credits.service.js';
import { UsageService } from './usage/usage.service.js';
import { UsageStore } from './usage/usage.store.js';
import { UsageTally } from './usage/usage-tally.js';

/** Credits: the cost of work, charged exactly once. */
@Module({
  imports: [KeysModule],
  providers: [
    AgentPoolGauges,
    AgentPoolService,
    AgentPoolStore,
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
    LedgerDriftStore,
    LedgerStore,
    ReservationsStore,
    SplitReservationsStore,
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
