import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Payer } from '../keys/access/principal.js';
import { BillingAccounts } from '../keys/access/billing-accounts.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { BalanceCreditsService } from './balance-credits.service.js';
import type { BalanceStatus } from '../presenting/presenter.js';
import {
  ceilingReached,
  findReached,
  type CreditSource,
  freeReservation,
  type Reservation,
  type CreditRequest,
} from './credit-source.js';

/**
 * The credits of callers in test mode: nothing is taken, and the balance that they see stays as it is. Of ceilings nothing is used either:
 * work that alone may cost more than one allows is refused as a live key's would be, so that a program can be tried.
 */
@Injectable()
export class NoCreditsService implements CreditSource {
  constructor(
    private readonly balances: BalanceCreditsService,
    private readonly billing: BillingAccounts,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** @throws AppError `key_ceiling_reached` */
  async reserve(payer: Payer, wanted: CreditRequest, tx?: EntityManager): Promise<Reservation> {
    const { amountCredits } = wanted;
    const ceiling = await this.billing.findCeilings(payer.ceilingId, tx);
    const reached = ceiling && findReached(ceiling, amountCredits, this.clock.now());
    if (reached !== null) throw ceilingReached(reached, amountCredits);
    return freeReservation(payer, wanted);
  }

  reserveIn(tx: EntityManager, principal: Payer, wanted: CreditRequest): Promise<Reservation> {
    return this.reserve(principal, wanted, tx);
  }

  async settle(): Promise<boolean> {
    return false;
  }

  async settleIn(): Promise<boolean> {
    return false;
  }

  async settlePart(): Promise<boolean> {
    return true;
  }

  getStatus(principal: Payer, tx?: EntityManager): Promise<BalanceStatus> {
    return this.balances.getStatus(principal, tx);
  }
}
