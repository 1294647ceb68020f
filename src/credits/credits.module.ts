import { Module } from '@nestjs/common';
import { BalanceCreditsService } from './balance-credits.service.js';
import { BalanceStore } from './balance.store.js';
import { CreditHistoryService } from './credit-history.service.js';
import { CreditsAudit } from './credits-audit.js';
import { CreditsController } from './credits.controller.js';
import { CreditsService } from './credits.service.js';
import { DailyCreditsService } from './daily-credits.service.js';
import { DailyCreditsStore } from './daily-credits.store.js';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor.js';
import { IdempotencyService } from './idempotency/idempotency.service.js';
import { IdempotencyStore } from './idempotency/idempotency.store.js';
import { LedgerStore } from './ledger.store.js';
import { ReservationsStore } from './reservations.store.js';
import { SweepService } from './sweep.service.js';
import { UnpaidCreditsService } from './unpaid-credits.service.js';

/** What work costs, and that it costs it once. The interceptor is made global by `AppModule`. */
@Module({
  controllers: [CreditsController],
  providers: [
    BalanceCreditsService,
    BalanceStore,
    CreditHistoryService,
    CreditsAudit,
    CreditsService,
    DailyCreditsService,
    DailyCreditsStore,
    IdempotencyInterceptor,
    IdempotencyService,
    IdempotencyStore,
    LedgerStore,
    ReservationsStore,
    SweepService,
    UnpaidCreditsService,
  ],
  exports: [CreditsAudit, CreditsService, IdempotencyInterceptor, IdempotencyService],
})
export class CreditsModule {}
