import { Injectable } from '@nestjs/common';
import type { Payer } from '../keys/access/principal.js';
import { BalanceCreditsService } from './balance/balance-credits.service.js';
import { ClaimedCreditsService } from './claimed/claimed-credits.service.js';
import type { CreditSource, SourceName } from './credit-source.js';
import { DailyCreditsService } from './daily/daily-credits.service.js';
import { NoCreditsService } from './no-credits.service.js';

/** Every kind of credits, by what a reservation says and by who pays. */
@Injectable()
export class CreditSources {
  readonly named: Readonly<Record<SourceName, CreditSource>>;

  constructor(
    readonly daily: DailyCreditsService,
    balance: BalanceCreditsService,
    private readonly claimed: ClaimedCreditsService,
    none: NoCreditsService,
  ) {
    this.named = { daily, balance, split: claimed, none };
  }

  of({ simulated, policy, claimer }: Payer): CreditSource {
    if (simulated) return this.named.none;
    if (policy.dailyFreeCredits === null) return this.named.balance;
    return claimer === null ? this.named.daily : this.claimed;
  }
}
