import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Balance } from '../credits/balance-credits.service.js';
import type { CreditStatus } from '../presenting/presenter.js';
import { CreditsService } from '../credits/credits.service.js';
import { type Account, type AccountRequest, AccountsService } from '../keys/accounts/accounts.service.js';
import type { AgentKey } from '../keys/accounts/agents.service.js';
import { type KeyChange, KeyTransaction } from '../keys/access/key-transaction.js';
import { KEY_POLICIES, type KeyPolicies, type Plan, policyNamed } from '../platform/config/policies.js';
import type { Page, PageInput } from '../platform/http/listing.js';
import type { Actor } from './actor.js';
import { AuditService } from './audit.service.js';

export interface AccountOverview {
  readonly account: Account;
  readonly balance: Balance | null;
}

/** The acts of administrators on full accounts. Each act and its line in the audit log are one transaction. */
@Injectable()
export class AccountAdministrationService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly transaction: KeyTransaction,
    private readonly credits: CreditsService,
    private readonly audit: AuditService,
    private readonly database: DataSource,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
  ) {}

  /** With the credits that its plan grants once. The caller has looked whether there is such a region. */
  create(actor: Actor, request: AccountRequest): Promise<Account> {
    return this.transaction.run((change) => this.createWithin(change, actor, request), actor.claim);
  }

  async createWithin(change: KeyChange, actor: Actor, request: AccountRequest): Promise<Account> {
    const account = await this.accounts.create(change, request);
    const granted = policyNamed(this.policies, request.plan).grantedCredits;
    const reason = `granted once by the plan ${request.plan}`;
    if (granted > 0)
      await this.credits.grant(change.tx, account.id, granted, { reason, actor: actor.name, free: true });
    const region = request.region ?? null;
    const details = { name: request.name, plan: request.plan, granted, ...(region !== null && { region }) };
    await this.audit.record(change.tx, actor, { action: 'account.create', accountId: account.id, details });
    return account;
  }

  list(plan: Plan | null, query: PageInput): Promise<Page<Account>> {
    return this.accounts.list(plan, query);
  }

  /** Its balance is null for an agent's account, which has daily credits. @throws AppError `account_not_found` */
  get(id: string): Promise<AccountOverview> {
    return this.getIn(this.database.manager, id);
  }

  /** What an agent has left today. */
  dailyCreditsOf({ accountId, keyId }: Pick<AgentKey, 'accountId' | 'keyId'>, plan: string): Promise<CreditStatus> {
    const policy = policyNamed(this.policies, plan);
    return this.credits.getStatus({ accountId, keyId, simulated: false, policy, ceilingId: null, claimer: null });
  }

  /** @throws AppError `account_not_found` */
  suspend(actor: Actor, id: string, reason: string): Promise<AccountOverview> {
    return this.setSuspended(actor, id, true, { reason });
  }

  /** @throws AppError `account_not_found` */
  resume(actor: Actor, id: string): Promise<AccountOverview> {
    return this.setSuspended(actor, id, false, {});
  }

  /**
   * @param amount above 0
   * @throws AppError `account_not_found`, `agent_account`
   */
  grant(actor: Actor, id: string, amount: number, reason: string): Promise<AccountOverview> {
    return this.changeCredits(actor, id, { act: 'credits.grant', amount, reason });
  }

  /**
   * @param amount above or below 0
   * @throws AppError `account_not_found`, `agent_account`, `balance_too_low`
   */
  adjust(actor: Actor, id: string, amount: number, reason: string): Promise<AccountOverview> {
    return this.changeCredits(actor, id, { act: 'credits.adjust', amount, reason });
  }

  /** @throws AppError `account_not_found` */
  async getIn(tx: EntityManager, id: string): Promise<AccountOverview> {
    const account = await this.accounts.get(tx, id);
    return { account, balance: account.kind === 'full' ? await this.credits.getBalance(tx, id) : null };
  }

  private async changeCredits(
    actor: Actor,
    id: string,
    { act, ...details }: { act: 'credits.grant' | 'credits.adjust'; amount: number; reason: string },
  ): Promise<AccountOverview> {
    return this.transaction.run(async ({ tx }) => {
      const { policy } = await this.accounts.getFull(tx, id);
      const { amount, reason } = details;
      const { lowCredits } = policyNamed(this.policies, policy);
      if (act === 'credits.grant') await this.credits.grant(tx, id, amount, { reason, actor: actor.name });
      else await this.credits.adjust(tx, id, amount, { reason, actor: actor.name, lowCredits });
      await this.audit.record(tx, actor, { action: act, accountId: id, details });
      return this.getIn(tx, id);
    }, actor.claim);
  }

  private async setSuspended(actor: Actor, id: string, suspended: boolean, details: object): Promise<AccountOverview> {
    return this.transaction.run(async (change) => {
      await this.accounts.setSuspended(change, id, suspended);
      const act = suspended ? 'account.suspend' : 'account.resume';
      await this.audit.record(change.tx, actor, { action: act, accountId: id, details: { ...details } });
      return this.getIn(change.tx, id);
    }, actor.claim);
  }
}
