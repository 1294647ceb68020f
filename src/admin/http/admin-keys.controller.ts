import { Body, Controller, Delete, Get, HttpCode, Inject, Post, Query } from '@nestjs/common';
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
import { IssuedKeyReply, issuedKeyReply, KeyPageReply, keyPageReply } from '../../keys/key.reply.js';
import { GRACE_SECONDS } from '../../keys/key-issuer.js';
import { RotateKeyRequest } from '../../keys/keys.dto.js';
import { adminPermissions } from '../../keys/scope/permissions.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { UuidParam } from '../../platform/http/id-params.js';
import { ApiIdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import { PageQuery } from '../../platform/http/page.js';
import { type Actor, Administrator } from '../actor.js';
import { CreateAdminKeyRequest } from '../bodies/admin.dto.js';
import { KeyAdministrationService } from '../key-administration.service.js';

/** Admin keys: list and create. Any key, whosever it is: rotate and revoke. */
@ApiTags('Admin keys')
@ApiBearerAuth()
@RequireAdmin()
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
  @ApiOperation({ operationId: 'createAdminKey', summary: 'Create an admin key' })
  @ApiCreatedResponse({ type: IssuedKeyReply })
  async create(@Administrator() actor: Actor, @Body() body: CreateAdminKeyRequest): Promise<IssuedKeyReply> {
    const request = {
      kind: 'admin',
      accountId: null,
      name: body.name,
      expiresAt: timeOrNull(body.expires_at),
      scope: { permissions: adminPermissions(body.permissions) },
    } as const;
    return issuedKeyReply(await this.keys.create(actor, request), this.clock.now());
  }

  @Post(':id/rotate')
  @HttpCode(201)
  @ApiIdempotencyKey()
  @ApiErrors('key_not_found', 'agent_account', 'key_already_rotated', 'key_already_expired')
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
  @ApiErrors('key_not_found')
  @ApiOperation({ operationId: 'revokeAnyKey', summary: 'Revoke a key for ever' })
  @ApiNoContentResponse({ description: 'Revoked.' })
  revoke(@Administrator() actor: Actor, @UuidParam('key_not_found') id: string): Promise<void> {
    return this.keys.revoke(actor, id);
  }
}
