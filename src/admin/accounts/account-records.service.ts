import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CreditHistoryService, type LedgerEntry } from '../../credits/credit-history.service.js';
import { type Usage, UsageService } from '../../credits/usage/usage.service.js';
import { AccountsService } from '../../keys/accounts/accounts.service.js';
import type { Page, PageQuery } from '../../platform/http/page.js';
import { type AuditEntry, AuditService } from '../audit.service.js';

/** What was written down of one account, a page at a time. */
@Injectable()
export class AccountRecordsService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly history: CreditHistoryService,
    private readonly audit: AuditService,
    private readonly usage: UsageService,
    private readonly database: DataSource,
  ) {}

  /** What live keys of the account did on each of the last 30 days, and how often they were refused. */
  usageOf(accountId: string): Promise<Usage> {
    return this.usage.get({ accountId, simulated: false }, 'day', {});
  }

  /** Newest first; empty for an agent's account, which has no balance. @throws AppError `account_not_found` */
  async listLedger(accountId: string, query: PageQuery): Promise<Page<LedgerEntry>> {
    await this.accounts.get(this.database.manager, accountId);
    return this.history.list({ accountId, simulated: false }, query);
  }

  /** Newest first, what administrators did with it too. @throws AppError `account_not_found` */
  async listAudit(accountId: string, query: PageQuery): Promise<Page<AuditEntry>> {
    await this.accounts.get(this.database.manager, accountId);
    return this.audit.list(accountId, query);
  }
}
