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
import { RequireAdmin } from '../../keys/access/audience.js';
import { timeOrNull } from '../../keys/key-fields.js';
import {
  IssuedKeyReply,
  issuedKeyReply,
  KeyPageReply,
  keyPageReply,
  KeyReply,
  keyReply,
} from '../../keys/key.reply.js';
import { GRACE_SECONDS } from '../../keys/scope/key-changes.js';
import { RevokeKeyQuery, RotateKeyRequest } from '../../keys/keys.dto.js';
import { adminScope } from '../../keys/scope/key-scope.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { UuidParam } from '../../platform/http/id-params.js';
import { ApiIdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import { PageQuery } from '../../platform/http/page.js';
import { InTurn } from '../../keys/limits/in-turn.interceptor.js';
import { type Actor, Administrator } from '../actor.js';
import { ChangeAnyKeyRequest, CreateAdminKeyRequest } from '../bodies/admin.dto.js';
import { KeyAdministrationService } from '../key-administration.service.js';

/** Admin keys: list and create. Any key, whosever it is: rotate and revoke. */
@ApiTags('Admin keys')
@ApiBearerAuth()
@RequireAdmin()
@InTurn()
@Controller('admin/v1/keys')
export class AdminKeysController {
  constructor(
    private readonly keys: KeyAdministrationService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listAdminKeys', summary: 'Admin keys, newest first' })
  @ApiOkResponse({ type: KeyPageReply })
  async list(@Query() query: PageQuery): Promise<KeyPageReply> {
    return keyPageReply(await this.keys.listAdminKeys(query), this.clock.now());
  }

  @Post()
  @HttpCode(201)
  @ApiIdempotencyKey()
  @ApiErrors('key_in_grace')
  @ApiOperation({ operationId: 'createAdminKey', summary: 'Create an admin key' })
  @ApiCreatedResponse({ type: IssuedKeyReply })
  async create(@Administrator() actor: Actor, @Body() body: CreateAdminKeyRequest): Promise<IssuedKeyReply> {
    const request = {
      kind: 'admin',
      accountId: null,
      name: body.name,
      expiresAt: timeOrNull(body.expires_at),
      scope: adminScope(body),
    } as const;
    return issuedKeyReply(await this.keys.create(actor, request), this.clock.now());
  }

  @Patch(':id')
  @ApiErrors('key_in_grace', 'key_lasts_longer', 'key_not_found', 'key_already_rotated')
  @ApiOperation({
    operationId: 'changeAnyKey',
    summary: 'Change the name, the permissions, the networks or the ceilings of a key',
  })
  @ApiBody({ type: ChangeAnyKeyRequest, required: false })
  @ApiOkResponse({ type: KeyReply })
  async change(
    @Administrator() actor: Actor,
    @UuidParam('key_not_found') id: string,
    @Body() body: ChangeAnyKeyRequest,
  ): Promise<KeyReply> {
    return keyReply(await this.keys.change(actor, id, body), this.clock.now());
  }

  @Post(':id/rotate')
  @HttpCode(201)
  @ApiIdempotencyKey()
  @ApiErrors(
    'key_in_grace',
    'key_lasts_longer',
    'key_not_found',
    'agent_account',
    'key_already_rotated',
    'key_already_expired',
  )
  @ApiOperation({
    operationId: 'rotateAnyKey',
    summary: 'Replace a key by a new one; the old one keeps working for its grace',
  })
  @ApiBody({ type: RotateKeyRequest, required: false })
  @ApiCreatedResponse({ type: IssuedKeyReply })
  async rotate(
    @Administrator() actor: Actor,
    @UuidParam('key_not_found') id: string,
    @Body() { grace_seconds }: RotateKeyRequest,
  ): Promise<IssuedKeyReply> {
    const issued = await this.keys.rotate(actor, id, grace_seconds ?? GRACE_SECONDS.default);
    return issuedKeyReply(issued, this.clock.now());
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiErrors('key_in_grace', 'key_lasts_longer', 'key_not_found')
  @ApiOperation({ operationId: 'revokeAnyKey', summary: 'Revoke a key for ever, alone or with all keys that it made' })
  @ApiNoContentResponse({ description: 'Revoked.' })
  revoke(
    @Administrator() actor: Actor,
    @UuidParam('key_not_found') id: string,
    @Query() { descendants }: RevokeKeyQuery,
  ): Promise<void> {
    return this.keys.revoke(actor, id, descendants === 'true');
  }
}
