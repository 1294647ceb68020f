import { Injectable } from '@nestjs/common';
import {
  type Account,
  type AccountParticulars,
  type AccountRequest,
  AccountsService,
} from '../keys/accounts/accounts.service.js';
import { type KeyChange, KeyTransaction } from '../keys/access/key-transaction.js';
import { MonitorTermsService } from '../deliverability/monitors/monitor-terms.service.js';
import type { Plan } from '../platform/config/policies.js';
import type { Actor } from './actor.js';
import { AuditService } from './audit.service.js';
import { AccountAdministrationService, type AccountOverview } from './account-administration.service.js';
import { KnownRegions } from './known-regions.js';

/** What is left out stays as it is. */
export interface AccountChange extends Partial<AccountParticulars> {
  readonly plan?: Plan;
  /** Null: anybody works on its batches. */
  readonly region?: string | null;
}

/** What administrators say of an account by one call, its creation with them. Each change and its line in the audit log are one transaction. */
@Injectable()
export class AccountChangesService {
  constructor(
    private readonly administration: AccountAdministrationService,
    private readonly accounts: AccountsService,
    private readonly transaction: KeyTransaction,
    private readonly regions: KnownRegions,
    private readonly audit: AuditService,
    private readonly monitorTerms: MonitorTermsService,
  ) {}

  /** A full account, with the credits that its plan grants once. @throws AppError `invalid_input` for a region that nobody has */
  async create(actor: Actor, request: AccountRequest): Promise<Account> {
    if (request.region != null) await this.regions.assert(request.region);
    return this.administration.create(actor, request);
  }

  /** @throws AppError `account_not_found`; `agent_account` for a plan; `invalid_input` for a region that nobody has, or of a claimed agent */
  async change(actor: Actor, id: string, { plan, region, ...particulars }: AccountChange): Promise<AccountOverview> {
    if (region != null) await this.regions.assert(region);
    return this.transaction.run(async (change) => {
      if (plan !== undefined) await this.changePlan(change, actor, id, plan);
      if (region !== undefined) await this.changeRegion(change, actor, id, region);
      const changed = Object.keys(particulars);
      if (changed.length > 0) {
        await this.accounts.describe(change, id, particulars);
        // Their names alone: what the audit log holds nobody could take out again.
        await this.audit.record(change.tx, actor, { action: 'account.describe', accountId: id, details: { changed } });
      }
      return this.administration.getIn(change.tx, id);
    }, actor.claim);
  }

  private async changePlan(change: KeyChange, actor: Actor, id: string, plan: Plan): Promise<void> {
    const before = await this.accounts.changePlan(change, id, plan);
    if (before.policy === plan) return;
    const details = { from: before.policy, to: plan };
    await this.audit.record(change.tx, actor, { action: 'account.change_plan', accountId: id, details });
    for (const simulated of [false, true]) await this.monitorTerms.apply({ accountId: id, simulated }, change.tx);
  }

  private async changeRegion(change: KeyChange, actor: Actor, id: string, region: string | null): Promise<void> {
    const before = await this.accounts.setRegion(change, id, region);
    if (before.region === region) return;
    const details = { from: before.region, to: region };
    await this.audit.record(change.tx, actor, { action: 'account.change_region', accountId: id, details });
  }
}
