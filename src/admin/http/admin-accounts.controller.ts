import { Body, Inject, Query } from '@nestjs/common';
import { CreditHistoryReply, creditHistoryReply } from '../../credits/credit-history.reply.js';
import { timeOrNull } from '../../keys/key-fields.js';
import { IssuedKeyReply, issuedKeyReply, KeyPageReply, keyPageReply } from '../../keys/key.reply.js';
import { readCeilings } from '../../keys/scope/ceilings.js';
import { CreateKeyRequest } from '../../keys/keys.dto.js';
import { MAY_NEED_IMPERSONATE } from '../../keys/scope/key-changes.js';
import { accountScope } from '../../keys/scope/key-scope.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { PageQuery, pageReply } from '../../platform/http/page.js';
import { AccountAdministrationService } from '../account-administration.service.js';
import { AccountChangesService } from '../account-changes.service.js';
import { AccountPageService, AccountRecordsService } from '../account-page.service.js';
import { type Actor, Administrator } from '../actor.js';
import { AccountDetailsReply, accountDetailsReply } from '../bodies/account-page.reply.js';
import {
  AccountOverviewReply,
  accountOverviewReply,
  AccountPageReply,
  AccountReply,
  accountReply,
} from '../bodies/account.reply.js';
import {
  accountChangeOf,
  accountRequestOf,
  AccountsQuery,
  AdjustRequest,
  ChangeAccountRequest,
  CreateAccountRequest,
  GrantRequest,
  ReasonRequest,
} from '../bodies/admin.dto.js';
import { adminAuditEntryReply, AdminAuditPageReply } from '../bodies/audit-entry.reply.js';
import { KeyAdministrationService } from '../key-administration.service.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';
import { UuidParam } from '../../platform/http/id-params.js';

@AdminRoutes('accounts', { tag: 'Accounts', inTurn: 'accounts' })
export class AdminAccountsController {
  constructor(
    private readonly accounts: AccountAdministrationService,
    private readonly changes: AccountChangesService,
    private readonly page: AccountPageService,
    private readonly records: AccountRecordsService,
    private readonly keys: KeyAdministrationService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @AdminRoute.post('', 'createAccount', 'Create a full account', { needs: 'all', created: AccountReply })
  async create(@Administrator() actor: Actor, @Body() body: CreateAccountRequest) {
    return accountReply(await this.changes.create(actor, accountRequestOf(body)));
  }

  @AdminRoute.get('', 'listAccounts', 'Full accounts, newest first', { needs: 'read', ok: AccountPageReply })
  async list(@Query() query: AccountsQuery) {
    return pageReply('accounts', await this.accounts.list(query.plan ?? null, query), accountReply);
  }

  @AdminRoute.get(':id', 'getAccount', 'An account with all that is newest of it', {
    needs: 'read',
    ok: AccountDetailsReply,
  })
  async show(@UuidParam('account_not_found') id: string) {
    return accountDetailsReply(await this.page.get(id), this.clock.now());
  }

  @AdminRoute.patch(':id', 'changeAccount', 'Change the plan, the region, the contact or the note of an account', {
    needs: 'all',
    optionalBody: ChangeAccountRequest,
    ok: AccountOverviewReply,
    errors: ['agent_account'],
  })
  async change(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') id: string,
    @Body() body: ChangeAccountRequest,
  ) {
    return accountOverviewReply(await this.changes.change(actor, id, accountChangeOf(body)));
  }

  @AdminRoute.post(':id/suspend', 'suspendAccount', 'Suspend an account: its keys are refused', {
    needs: 'support',
    ok: AccountOverviewReply,
  })
  async suspend(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') id: string,
    @Body() { reason }: ReasonRequest,
  ) {
    return accountOverviewReply(await this.accounts.suspend(actor, id, reason));
  }

  @AdminRoute.post(':id/resume', 'resumeAccount', 'Let a suspended account work again', {
    needs: 'support',
    ok: AccountOverviewReply,
  })
  async resume(@Administrator() actor: Actor, @UuidParam('account_not_found') id: string) {
    return accountOverviewReply(await this.accounts.resume(actor, id));
  }

  @AdminRoute.post(':id/credits/grant', 'grantCredits', 'Give credits to an account', {
    needs: 'all',
    ok: AccountOverviewReply,
    errors: ['agent_account'],
  })
  async grant(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') id: string,
    @Body() { amount, reason }: GrantRequest,
  ) {
    return accountOverviewReply(await this.accounts.grant(actor, id, amount, reason));
  }

  @AdminRoute.post(':id/credits/adjust', 'adjustCredits', 'Correct the credits of an account', {
    needs: 'all',
    ok: AccountOverviewReply,
    errors: ['agent_account', 'balance_too_low'],
  })
  async adjust(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') id: string,
    @Body() { amount, reason }: AdjustRequest,
  ) {
    return accountOverviewReply(await this.accounts.adjust(actor, id, amount, reason));
  }

  @AdminRoute.get(':id/ledger', 'listAccountLedger', 'Every change of the balance of an account, newest first', {
    needs: 'read',
    ok: CreditHistoryReply,
  })
  async listLedger(@UuidParam('account_not_found') id: string, @Query() query: PageQuery) {
    return creditHistoryReply(await this.records.listLedger(id, query));
  }

  @AdminRoute.get(':id/audit', 'listAccountAudit', 'What was done by and with an account, newest first', {
    needs: 'read',
    ok: AdminAuditPageReply,
  })
  async listAudit(@UuidParam('account_not_found') id: string, @Query() query: PageQuery) {
    return pageReply('entries', await this.records.listAudit(id, query), adminAuditEntryReply);
  }

  @AdminRoute.get(':id/keys', 'listAccountKeys', 'The keys of an account, newest first', {
    needs: 'read',
    ok: KeyPageReply,
  })
  async listKeys(@UuidParam('account_not_found') id: string, @Query() query: PageQuery) {
    return keyPageReply(await this.keys.listOf(id, query), this.clock.now());
  }

  @AdminRoute.post(':id/keys', 'createAccountKey', 'Create a live or test key for an account', {
    needs: 'support',
    mayNeed: MAY_NEED_IMPERSONATE,
    optionalBody: CreateKeyRequest,
    created: IssuedKeyReply,
    errors: ['key_in_grace', 'agent_account', 'too_many_keys'],
  })
  async createKey(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') accountId: string,
    @Body() body: CreateKeyRequest,
  ) {
    const expiresAt = timeOrNull(body.expires_at);
    const scope = accountScope(body);
    const kind = body.kind ?? 'live';
    const ceilings = readCeilings(kind, body);
    const request = { kind, accountId, name: body.name ?? null, expiresAt, scope, ceilings };
    return issuedKeyReply(await this.keys.create(actor, request), this.clock.now());
  }
}
