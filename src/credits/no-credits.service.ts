import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { getAccountId, type Payer } from '../keys/access/principal.js';
import { BalanceCreditsService } from './balance/balance-credits.service.js';
import type { BalanceStatus, CreditSource, Reservation, WantedCredits } from './credit-source.js';

/** The credits of callers in test mode: nothing is taken, and the balance that they see stays as it is. */
@Injectable()
export class NoCreditsService implements CreditSource {
  constructor(private readonly balances: BalanceCreditsService) {}

  async reserve(payer: Payer, { amountCredits, purpose: endpoint }: WantedCredits): Promise<Reservation> {
    const user = { accountId: getAccountId(payer), keyId: payer.keyId, endpoint };
    return { id: '', amountCredits, source: 'none', user };
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

  getStatus(principal: Payer, tx?: EntityManager): Promise<BalanceStatus> {
    return this.balances.getStatus(principal, tx);
  }
}
