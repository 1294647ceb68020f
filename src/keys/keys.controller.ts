import { Body, Controller, Delete, Get, HttpCode, Inject, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { UuidParam } from '../platform/http/id-params.js';
import { ApiIdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import { PageQuery } from '../platform/http/page.js';
import { RequireFullAccount } from './access/audience.js';
import { Caller } from './access/caller.js';
import { readCeilings } from './scope/ceilings.js';
import { timeOrNull } from './key-fields.js';
import { IssuedKeyReply, issuedKeyReply, KeyPageReply, keyPageReply, KeyReply, keyReply } from './key.reply.js';
import { ChangeKeyRequest, CreateKeyRequest, RevokeKeyQuery, RotateKeyRequest } from './keys.dto.js';
import { GRACE_SECONDS } from './scope/key-changes.js';
import { accountScope } from './scope/key-scope.js';
import { AccountKeysService } from './account-keys.service.js';
import type { Principal } from './access/principal.js';
import { InTurn } from './limits/in-turn.interceptor.js';

@ApiTags('Keys')
@ApiBearerAuth()
@RequireFullAccount()
@InTurn()
@Controller('api/v1/keys')
export class KeysController {
  constructor(
    private readonly keys: AccountKeysService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listKeys', summary: 'The keys of the account, newest first' })
  @ApiOkResponse({ type: KeyPageReply })
  async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<KeyPageReply> {
    return keyPageReply(await this.keys.list(caller, query), this.clock.now());
  }

  @Post()
  @HttpCode(201)
  @ApiIdempotencyKey()
  @ApiErrors('live_key_required', 'ceiling_not_allowed', 'key_in_grace', 'too_many_keys')
  @ApiOperation({ operationId: 'createKey', summary: 'Create a live or test key' })
  @ApiBody({ type: CreateKeyRequest, required: false })
  @ApiCreatedResponse({ type: IssuedKeyReply })
  async create(
    @Caller() caller: Principal,
    @Body() body: CreateKeyRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ): Promise<IssuedKeyReply> {
    const scope = accountScope(body);
    const kind = body.kind ?? 'live';
    const request = {
      kind,
      name: body.name ?? null,
      expiresAt: timeOrNull(body.expires_at),
      scope,
      ceilings: readCeilings(kind, body),
    };
    return issuedKeyReply(await this.keys.create(caller, request, claim), this.clock.now());
  }

  @Patch(':id')
  @ApiErrors('ceiling_not_allowed', 'key_in_grace', 'key_lasts_longer', 'key_not_found', 'key_already_rotated')
  @ApiOperation({
    operationId: 'changeKey',
    summary: 'Change the name, the permissions, the networks or the ceilings of a key',
  })
  @ApiBody({ type: ChangeKeyRequest, required: false })
  @ApiOkResponse({ type: KeyReply })
  async change(
    @Caller() caller: Principal,
    @UuidParam('key_not_found') id: string,
    @Body() body: ChangeKeyRequest,
  ): Promise<KeyReply> {
    return keyReply(await this.keys.change(caller, id, body), this.clock.now());
  }

  @Post(':id/rotate')
  @HttpCode(201)
  @ApiIdempotencyKey()
  @ApiErrors(
    'ceiling_not_allowed',
    'key_in_grace',
    'key_lasts_longer',
    'key_not_found',
    'agent_account',
    'key_already_rotated',
    'key_already_expired',
  )
  @ApiOperation({
    operationId: 'rotateKey',
    summary: 'Replace a key by a new one; the old one keeps working for its grace',
  })
  @ApiBody({ type: RotateKeyRequest, required: false })
  @ApiCreatedResponse({ type: IssuedKeyReply })
  async rotate(
    @Caller() caller: Principal,
    @UuidParam('key_not_found') id: string,
    @Body() body: RotateKeyRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ): Promise<IssuedKeyReply> {
    const issued = await this.keys.rotate(caller, id, body.grace_seconds ?? GRACE_SECONDS.default, claim);
    return issuedKeyReply(issued, this.clock.now());
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiErrors('ceiling_not_allowed', 'key_in_grace', 'key_lasts_longer', 'key_not_found', 'last_live_key')
  @ApiOperation({
    operationId: 'revokeKey',
    summary: 'Revoke a key for ever, alone or with all keys that it made; not the last live one',
  })
  @ApiNoContentResponse({ description: 'Revoked.' })
  revoke(
    @Caller() caller: Principal,
    @UuidParam('key_not_found') id: string,
    @Query() { descendants }: RevokeKeyQuery,
  ): Promise<void> {
    return this.keys.revoke(caller, id, descendants === 'true');
  }
}
