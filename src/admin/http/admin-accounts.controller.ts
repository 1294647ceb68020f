import { Body, Controller, Get, HttpCode, Inject, Patch, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CreditHistoryReply, creditHistoryReply } from '../../credits/balance/credit-history.reply.js';
import { RequireAdmin } from '../../keys/access/audience.js';
import { timeOrNull } from '../../keys/key-fields.js';
import { IssuedKeyReply, issuedKeyReply, KeyPageReply, keyPageReply } from '../../keys/key.reply.js';
import { readCeilings } from '../../keys/ceilings/ceilings.js';
import { CreateKeyRequest } from '../../keys/keys.dto.js';
import { accountScope } from '../../keys/scope/key-scope.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { UuidParam } from '../../platform/http/id-params.js';
import { ApiIdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import { PageQuery } from '../../platform/http/page.js';
import { InTurn } from '../../keys/limits/in-turn.interceptor.js';
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
import { pageReply } from '../bodies/page-reply.js';
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

@ApiTags('Accounts')
@ApiBearerAuth()
@RequireAdmin()
@InTurn()
@Controller('admin/v1/accounts')
export class AdminAccountsController {
  constructor(
    private readonly accounts: AccountAdministrationService,
    private readonly changes: AccountChangesService,
    private readonly page: AccountPageService,
    private readonly records: AccountRecordsService,
    private readonly keys: KeyAdministrationService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Post()
  @HttpCode(201)
  @ApiIdempotencyKey()
  @ApiOperation({ operationId: 'createAccount', summary: 'Create a full account' })
  @ApiCreatedResponse({ type: AccountReply })
  async create(@Administrator() actor: Actor, @Body() body: CreateAccountRequest): Promise<AccountReply> {
    return accountReply(await this.changes.create(actor, accountRequestOf(body)));
  }

  @Get()
  @ApiOperation({ operationId: 'listAccounts', summary: 'Full accounts, newest first' })
  @ApiOkResponse({ type: AccountPageReply })
  async list(@Query() query: AccountsQuery): Promise<AccountPageReply> {
    return pageReply('accounts', await this.accounts.list(query.plan ?? null, query), accountReply);
  }

  @Get(':id')
  @ApiErrors('account_not_found')
  @ApiOperation({ operationId: 'getAccount', summary: 'An account with all that is newest of it' })
  @ApiOkResponse({ type: AccountDetailsReply })
  async show(@UuidParam('account_not_found') id: string): Promise<AccountDetailsReply> {
    return accountDetailsReply(await this.page.get(id), this.clock.now());
  }

  @Patch(':id')
  @ApiErrors('account_not_found', 'agent_account')
  @ApiOperation({
    operationId: 'changeAccount',
    summary: 'Change the plan, the region, the contact or the note of an account',
  })
  @ApiBody({ type: ChangeAccountRequest, required: false })
  @ApiOkResponse({ type: AccountOverviewReply })
  async change(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') id: string,
    @Body() body: ChangeAccountRequest,
  ): Promise<AccountOverviewReply> {
    return accountOverviewReply(await this.changes.change(actor, id, accountChangeOf(body)));
  }

  @Post(':id/suspend')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiErrors('account_not_found')
  @ApiOperation({ operationId: 'suspendAccount', summary: 'Suspend an account: its keys are refused' })
  @ApiOkResponse({ type: AccountOverviewReply })
  async suspend(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') id: string,
    @Body() { reason }: ReasonRequest,
  ): Promise<AccountOverviewReply> {
    return accountOverviewReply(await this.accounts.suspend(actor, id, reason));
  }

  @Post(':id/resume')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiErrors('account_not_found')
  @ApiOperation({ operationId: 'resumeAccount', summary: 'Let a suspended account work again' })
  @ApiOkResponse({ type: AccountOverviewReply })
  async resume(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') id: string,
  ): Promise<AccountOverviewReply> {
    return accountOverviewReply(await this.accounts.resume(actor, id));
  }

  @Post(':id/credits/grant')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiErrors('account_not_found', 'agent_account')
  @ApiOperation({ operationId: 'grantCredits', summary: 'Give credits to an account' })
  @ApiOkResponse({ type: AccountOverviewReply })
  async grant(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') id: string,
    @Body() { amount, reason }: GrantRequest,
  ): Promise<AccountOverviewReply> {
    return accountOverviewReply(await this.accounts.grant(actor, id, amount, reason));
  }

  @Post(':id/credits/adjust')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiErrors('account_not_found', 'agent_account', 'balance_too_low')
  @ApiOperation({ operationId: 'adjustCredits', summary: 'Correct the credits of an account' })
  @ApiOkResponse({ type: AccountOverviewReply })
  async adjust(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') id: string,
    @Body() { amount, reason }: AdjustRequest,
  ): Promise<AccountOverviewReply> {
    return accountOverviewReply(await this.accounts.adjust(actor, id, amount, reason));
  }

  @Get(':id/ledger')
  @ApiErrors('account_not_found')
  @ApiOperation({
    operationId: 'listAccountLedger',
    summary: 'Every change of the balance of an account, newest first',
  })
  @ApiOkResponse({ type: CreditHistoryReply })
  async listLedger(@UuidParam('account_not_found') id: string, @Query() query: PageQuery): Promise<CreditHistoryReply> {
    return creditHistoryReply(await this.records.listLedger(id, query));
  }

  @Get(':id/audit')
  @ApiErrors('account_not_found')
  @ApiOperation({ operationId: 'listAccountAudit', summary: 'What was done by and with an account, newest first' })
  @ApiOkResponse({ type: AdminAuditPageReply })
  async listAudit(@UuidParam('account_not_found') id: string, @Query() query: PageQuery): Promise<AdminAuditPageReply> {
    return pageReply('entries', await this.records.listAudit(id, query), adminAuditEntryReply);
  }

  @Get(':id/keys')
  @ApiErrors('account_not_found')
  @ApiOperation({ operationId: 'listAccountKeys', summary: 'The keys of an account, newest first' })
  @ApiOkResponse({ type: KeyPageReply })
  async listKeys(@UuidParam('account_not_found') id: string, @Query() query: PageQuery): Promise<KeyPageReply> {
    return keyPageReply(await this.keys.listOf(id, query), this.clock.now());
  }

  @Post(':id/keys')
  @HttpCode(201)
  @ApiIdempotencyKey()
  @ApiErrors('key_in_grace', 'account_not_found', 'agent_account', 'too_many_keys')
  @ApiOperation({ operationId: 'createAccountKey', summary: 'Create a live or test key for an account' })
  @ApiBody({ type: CreateKeyRequest, required: false })
  @ApiCreatedResponse({ type: IssuedKeyReply })
  async createKey(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') accountId: string,
    @Body() body: CreateKeyRequest,
  ): Promise<IssuedKeyReply> {
    const expiresAt = timeOrNull(body.expires_at);
    const scope = accountScope(body);
    const kind = body.kind ?? 'live';
    const ceilings = readCeilings(kind, body);
    const request = { kind, accountId, name: body.name ?? null, expiresAt, scope, ceilings };
    return issuedKeyReply(await this.keys.create(actor, request), this.clock.now());
  }
}
