import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Payer } from '../keys/principal.js';
import { BalanceCreditsService } from './balance-credits.service.js';
import type { BalanceStanding, CreditSource, Reservation, WantedCredits } from './credit-source.js';

/** Callers of the simulated world: nothing is taken, and the balance that they are told of stays as it is. */
@Injectable()
export class UnpaidCreditsService implements CreditSource {
  constructor(private readonly balances: BalanceCreditsService) {}

  async reserve(_: Payer, { amountCredits }: WantedCredits): Promise<Reservation> {
    return { id: '', amountCredits, source: 'unpaid' };
  }

  reserveIn(_: unknown, principal: Payer, wanted: WantedCredits): Promise<Reservation> {
    return this.reserve(principal, wanted);
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

  getStanding(principal: Payer, tx?: EntityManager): Promise<BalanceStanding> {
    return this.balances.getStanding(principal, tx);
  }
}
