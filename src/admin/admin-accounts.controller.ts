import { Body, Controller, Get, HttpCode, Inject, Patch, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireAdmin } from '../keys/audience.js';
import { timeOrNull } from '../keys/key-input.js';
import { IssuedKeyReply, issuedKeyReply, KeyPageReply, keyPageReply } from '../keys/key-reply.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { UuidParam } from '../platform/http/id-params.js';
import { ApiIdempotencyKey } from '../platform/http/idempotency-key.decorator.js';
import { PageQuery } from '../platform/http/page.js';
import { AccountPageReply, AccountReply, AccountStandingReply } from './admin-schemas.js';
import { AccountAdministrationService } from './account-administration.service.js';
import { type Actor, Administrator } from './actor.js';
import { accountReply, accountStandingReply, pageReply, type Reply } from './admin-replies.js';
import {
  AccountsQuery,
  AdjustRequest,
  ChangePlanRequest,
  CreateAccountKeyRequest,
  CreateAccountRequest,
  GrantRequest,
  ReasonRequest,
} from './admin-input.js';
import { KeyAdministrationService } from './key-administration.service.js';

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
  async create(@Administrator() actor: Actor, @Body() { name, plan }: CreateAccountRequest): Promise<Reply> {
    return accountReply(await this.accounts.create(actor, { name, plan: plan ?? 'free' }));
  }

  @Get()
  @ApiOperation({ operationId: 'listAccounts', summary: 'Full accounts, newest first' })
  @ApiOkResponse({ type: AccountPageReply })
  async list(@Query() query: AccountsQuery): Promise<Reply> {
    return pageReply('accounts', await this.accounts.list(query.plan ?? null, query), accountReply);
  }

  @Get(':id')
  @ApiErrors('account_not_found')
  @ApiOperation({ operationId: 'getAccount', summary: 'An account with its credits' })
  @ApiOkResponse({ type: AccountStandingReply })
  async show(@UuidParam('account_not_found') id: string): Promise<Reply> {
    return accountStandingReply(await this.accounts.get(id));
  }

  @Patch(':id')
  @ApiErrors('account_not_found', 'state_conflict')
  @ApiOperation({ operationId: 'changePlan', summary: 'Change the plan of an account' })
  @ApiOkResponse({ type: AccountStandingReply })
  async changePlan(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') id: string,
    @Body() { plan }: ChangePlanRequest,
  ): Promise<Reply> {
    return accountStandingReply(await this.accounts.changePlan(actor, id, plan));
  }

  @Post(':id/suspend')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiErrors('account_not_found')
  @ApiOperation({ operationId: 'suspendAccount', summary: 'Suspend an account: its keys are refused' })
  @ApiOkResponse({ type: AccountStandingReply })
  async suspend(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') id: string,
    @Body() { reason }: ReasonRequest,
  ): Promise<Reply> {
    return accountStandingReply(await this.accounts.suspend(actor, id, reason));
  }

  @Post(':id/resume')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiErrors('account_not_found')
  @ApiOperation({ operationId: 'resumeAccount', summary: 'Let a suspended account work again' })
  @ApiOkResponse({ type: AccountStandingReply })
  async resume(@Administrator() actor: Actor, @UuidParam('account_not_found') id: string): Promise<Reply> {
    return accountStandingReply(await this.accounts.resume(actor, id));
  }

  @Post(':id/credits/grant')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiErrors('account_not_found', 'state_conflict')
  @ApiOperation({ operationId: 'grantCredits', summary: 'Give credits to an account' })
  @ApiOkResponse({ type: AccountStandingReply })
  async grant(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') id: string,
    @Body() { amount, reason }: GrantRequest,
  ): Promise<Reply> {
    return accountStandingReply(await this.accounts.grant(actor, id, amount, reason));
  }

  @Post(':id/credits/adjust')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiErrors('account_not_found', 'state_conflict')
  @ApiOperation({ operationId: 'adjustCredits', summary: 'Correct the credits of an account' })
  @ApiOkResponse({ type: AccountStandingReply })
  async adjust(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') id: string,
    @Body() { amount, reason }: AdjustRequest,
  ): Promise<Reply> {
    return accountStandingReply(await this.accounts.adjust(actor, id, amount, reason));
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
  @ApiErrors('account_not_found', 'state_conflict')
  @ApiOperation({ operationId: 'createAccountKey', summary: 'Create a live or test key for an account' })
  @ApiBody({ type: CreateAccountKeyRequest, required: false })
  @ApiCreatedResponse({ type: IssuedKeyReply })
  async createKey(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') accountId: string,
    @Body() body: CreateAccountKeyRequest,
  ): Promise<IssuedKeyReply> {
    const expiresAt = timeOrNull(body.expires_at);
    const request = { kind: body.kind ?? 'live', accountId, name: body.name ?? null, expiresAt };
    return issuedKeyReply(await this.keys.create(actor, request), this.clock.now());
  }
}
