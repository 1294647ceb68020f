import { Body, Controller, Get, HttpCode, Inject, Patch, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { RequireAdmin } from '../keys/audience.js';
import { timeOrNull } from '../keys/key-input.js';
import { type IssuedKeyReply, issuedKeyReply, type KeyPageReply, keyPageReply } from '../keys/key-reply.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { UuidParam } from '../platform/http/id-params.js';
import { PageQuery } from '../platform/http/page.js';
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

@RequireAdmin()
@ApiExcludeController()
@Controller('admin/v1/accounts')
export class AdminAccountsController {
  constructor(
    private readonly accounts: AccountAdministrationService,
    private readonly keys: KeyAdministrationService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Post()
  @HttpCode(201)
  async create(@Administrator() actor: Actor, @Body() { name, plan }: CreateAccountRequest): Promise<Reply> {
    return accountReply(await this.accounts.create(actor, { name, plan: plan ?? 'free' }));
  }

  @Get()
  async list(@Query() query: AccountsQuery): Promise<Reply> {
    return pageReply('accounts', await this.accounts.list(query.plan ?? null, query), accountReply);
  }

  @Get(':id')
  async show(@UuidParam('account_not_found') id: string): Promise<Reply> {
    return accountStandingReply(await this.accounts.get(id));
  }

  @Patch(':id')
  async changePlan(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') id: string,
    @Body() { plan }: ChangePlanRequest,
  ): Promise<Reply> {
    return accountStandingReply(await this.accounts.changePlan(actor, id, plan));
  }

  @Post(':id/suspend')
  @HttpCode(200)
  async suspend(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') id: string,
    @Body() { reason }: ReasonRequest,
  ): Promise<Reply> {
    return accountStandingReply(await this.accounts.suspend(actor, id, reason));
  }

  @Post(':id/resume')
  @HttpCode(200)
  async resume(@Administrator() actor: Actor, @UuidParam('account_not_found') id: string): Promise<Reply> {
    return accountStandingReply(await this.accounts.resume(actor, id));
  }

  @Post(':id/credits/grant')
  @HttpCode(200)
  async grant(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') id: string,
    @Body() { amount, reason }: GrantRequest,
  ): Promise<Reply> {
    return accountStandingReply(await this.accounts.grant(actor, id, amount, reason));
  }

  @Post(':id/credits/adjust')
  @HttpCode(200)
  async adjust(
    @Administrator() actor: Actor,
    @UuidParam('account_not_found') id: string,
    @Body() { amount, reason }: AdjustRequest,
  ): Promise<Reply> {
    return accountStandingReply(await this.accounts.adjust(actor, id, amount, reason));
  }

  @Get(':id/keys')
  async listKeys(@UuidParam('account_not_found') id: string, @Query() query: PageQuery): Promise<KeyPageReply> {
    return keyPageReply(await this.keys.listOf(id, query), this.clock.now());
  }

  @Post(':id/keys')
  @HttpCode(201)
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
