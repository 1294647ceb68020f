import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountAdministrationService, type AccountOverview } from './account-administration.service.js';
import { type AuditEntry, AuditService } from './audit.service.js';
import { KeyAdministrationService } from './key-administration.service.js';
import { type Batch, BatchAdministrationService } from '../batch/batch-administration.service.js';
import { CreditHistoryService, type LedgerEntry } from '../credits/credit-history.service.js';
import type { CreditStatus } from '../presenting/presenter.js';
import { type Usage, UsageService } from '../credits/usage/usage.service.js';
import { AccountsService } from '../keys/accounts/accounts.service.js';
import { type AgentKey, AgentsService } from '../keys/accounts/agents.service.js';
import type { KeyRecord } from '../keys/key.service.js';
import type { Page, PageQuery } from '../platform/http/page.js';
import { type Endpoint, WebhookAdministrationService } from '../webhooks/webhook-administration.service.js';

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

/** The newest of everything; the listings have the rest. */
export interface AccountPage extends AccountOverview {
  /** Null for a full account. */
  readonly agent: AgentKey | null;
  /** What an agent has left today; null for a full account. */
  readonly agentCredits: CreditStatus | null;
  /** Of live keys, on each of the last 30 days. */
  readonly usage: Usage;
  readonly keys: readonly KeyRecord[];
  readonly batches: readonly Batch[];
  readonly endpoints: readonly Endpoint[];
  readonly ledger: readonly LedgerEntry[];
  readonly audit: readonly AuditEntry[];
}

const NEWEST = { limit: 20 } as const;

/** All that an administrator wants to see of an account at once. */
@Injectable()
export class AccountPageService {
  constructor(
    private readonly accounts: AccountAdministrationService,
    private readonly agents: AgentsService,
    private readonly keys: KeyAdministrationService,
    private readonly batches: BatchAdministrationService,
    private readonly endpoints: WebhookAdministrationService,
    private readonly records: AccountRecordsService,
  ) {}

  /** @throws AppError `account_not_found` */
  async get(id: string): Promise<AccountPage> {
    const overview = await this.accounts.get(id);
    const [agents, usage, keys, batches, endpoints, ledger, audit] = await Promise.all([
      this.agents.findOf([id]),
      this.records.usageOf(id),
      this.keys.listOf(id, NEWEST),
      this.batches.list(id, null, NEWEST),
      this.endpoints.endpointsOf(id, NEWEST.limit),
      this.records.listLedger(id, NEWEST),
      this.records.listAudit(id, NEWEST),
    ]);
    const agent = agents[0] ?? null;
    return {
      ...overview,
      agent,
      agentCredits: agent && (await this.accounts.dailyCreditsOf(agent, overview.account.policy)),
      usage,
      keys: keys.items,
      batches: batches.items,
      endpoints,
      ledger: ledger.items,
      audit: audit.items,
    };
  }
}
