import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountsService } from '../../keys/accounts/accounts.service.js';
import type { Payer } from '../../keys/access/principal.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { ListSchedule } from './list-schedule.js';
import { BillingAccounts } from '../../keys/access/billing-accounts.js';

/** What a key needs to set a schedule, then and at each run: its runs are batches, which cost credits. */
export const SCHEDULING_NEEDS = ['lists', 'batches'] as const;

/** Who pays for the runs of a schedule, and on which terms. */
@Injectable()
export class RunTerms {
  constructor(
    private readonly accounts: AccountsService,
    private readonly billing: BillingAccounts,
  ) {}

  /**
   * The account, by its plan of now, within the ceiling of the key that set the schedule, or of the newest in its place.
   * @throws AppError `account_suspended`; `key_unknown`, `key_revoked`, `key_expired`, `permission_missing` when that key may no more
   */
  async payerOf(tx: EntityManager, { accountId, simulated, keyId }: ListSchedule, at: Date): Promise<Payer> {
    const { policy, suspendedAt } = await this.accounts.get(tx, accountId);
    if (suspendedAt !== null) throw new AppError('account_suspended');
    return this.billing.ordererOf(tx, { accountId, simulated, keyId, policy }, { needs: SCHEDULING_NEEDS, at });
  }
}
