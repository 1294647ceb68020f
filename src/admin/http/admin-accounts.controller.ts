import { Body, Controller, Get, HttpCode, Inject, Patch, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireAdmin } from '../../keys/access/audience.js';
import { timeOrNull } from '../../keys/key-fields.js';
import { IssuedKeyReply, issuedKeyReply, KeyPageReply, keyPageReply } from '../../keys/key.reply.js';
import { CreateKeyRequest } from '../../keys/keys.dto.js';
import { accountPermissions } from '../../keys/scope/permissions.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { DEFAULT_PLAN } from '../../platform/config/policies.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { UuidParam } from '../../platform/http/id-params.js';
import { ApiIdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import { PageQuery } from '../../platform/http/page.js';
import { AccountAdministrationService } from '../account-administration.service.js';
import { type Actor, Administrator } from '../actor.js';
import {
  AccountOverviewReply,
  accountOverviewReply,
  AccountPageReply,
  AccountReply,
  accountReply,
} from '../bodies/account.reply.js';
import {
  AccountsQuery,
  AdjustRequest,
  ChangePlanRequest,
  CreateAccountRequest,
  GrantRequest,
  ReasonRequest,
} from '../bodies/admin.dto.js';
import { pageReply } from '../bodies/page-reply.js';
import { KeyAdministrationService } from '../key-administration.service.js';

@ApiTags('Accounts')
@ApiBearerAuth()
@RequireAdmin()
@Controller('admin/v1/accounts')
export class AdminAccountsController {
  constructor(
    private readonly accounts: AccountAdministrationService,
    private readonly keys: KeyAdministrationService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Post()
  @HttpCode(201)
  @ApiIdempotencyKey()
  @ApiOperation({ operationId: 'createAccount', summary: 'Create a full account' })
  @ApiCreatedResponse({ type: AccountReply })
  async create(@Administrator() actor: Actor, @Body() { name, plan }: CreateAccountRequest): Promise<AccountReply> {
    return accountReply(await this.accounts.create(actor, { name, plan: plan ?? DEFAULT_PLAN }));
  }

  @Get()
  @ApiOperation({ operationId: 'listAccounts', summary: 'Full accounts, newest first' })
  @ApiOkResponse({ type: AccountPageReply })
  async list(@Query() query: AccountsQuery): Promise<AccountPageReply> {
    return pageReply('accounts', await this.accounts.list(query.plan ?? null, query), accountReply);
  }

  @Get(':id')
  @ApiErrors('account_not_found')
  @ApiOperation({ operationId: 'getAccount', summary: 'An account with its credits' })
  @ApiOkResponse({ type: AccountOverviewReply })
  async show(@UuidParam('account_not_found') id: string): Promise<AccountOverviewReply> {
    return accountOverviewReply(await this.accounts.get(id));
  }

  @Patch(':id')
  @ApiErrors('account_not_found', 'agent_account')
  @ApiOperation({ operationId: 'changePlan', summary: 'Change the plan of an account' })
  @ApiOkResponse({ type: AccountOverviewReply })
  async changePlan(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') id: string,
    @Body() { plan }: ChangePlanRequest,
  ): Promise<AccountOverviewReply> {
    return accountOverviewReply(await this.accounts.changePlan(actor, id, plan));
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
  @ApiErrors('account_not_found', 'agent_account', 'too_many_keys')
  @ApiOperation({ operationId: 'createAccountKey', summary: 'Create a live or test key for an account' })
  @ApiBody({ type: CreateKeyRequest, required: false })
  @ApiCreatedResponse({ type: IssuedKeyReply })
  async createKey(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') accountId: string,
    @Body() body: CreateKeyRequest,
  ): Promise<IssuedKeyReply> {
    const expiresAt = timeOrNull(body.expires_at);
    const scope = { permissions: accountPermissions(body.permissions) };
    const request = { kind: body.kind ?? 'live', accountId, name: body.name ?? null, expiresAt, scope };
    return issuedKeyReply(await this.keys.create(actor, request), this.clock.now());
  }
}
