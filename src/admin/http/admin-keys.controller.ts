import { Body, Inject, Query } from '@nestjs/common';
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
import { PageQuery } from '../../platform/http/page.js';
import { type Actor, Administrator } from '../actor.js';
import { ChangeAnyKeyRequest, CreateAdminKeyRequest } from '../bodies/admin.dto.js';
import { KeyAdministrationService } from '../key-administration.service.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';
import { UuidParam } from '../../platform/http/id-params.js';

/** Admin keys: list and create. Any key, whosever it is: rotate and revoke. */
@AdminRoutes('keys', { tag: 'Admin keys', inTurn: true })
export class AdminKeysController {
  constructor(
    private readonly keys: KeyAdministrationService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @AdminRoute.get('', 'listAdminKeys', 'Admin keys, newest first', { needs: 'read', ok: KeyPageReply })
  async list(@Query() query: PageQuery): Promise<KeyPageReply> {
    return keyPageReply(await this.keys.listAdminKeys(query), this.clock.now());
  }

  @AdminRoute.post('', 'createAdminKey', 'Create an admin key', {
    needs: 'support',
    created: IssuedKeyReply,
    errors: ['key_in_grace'],
  })
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

  @AdminRoute.patch(':id', 'changeAnyKey', 'Change the name, the permissions, the networks or the ceilings of a key', {
    needs: 'support',
    optionalBody: ChangeAnyKeyRequest,
    ok: KeyReply,
    errors: ['key_in_grace', 'key_lasts_longer', 'key_already_rotated'],
  })
  async change(
    @Administrator() actor: Actor,
    @UuidParam('key_not_found') id: string,
    @Body() body: ChangeAnyKeyRequest,
  ): Promise<KeyReply> {
    return keyReply(await this.keys.change(actor, id, body), this.clock.now());
  }

  @AdminRoute.post(
    ':id/rotate',
    'rotateAnyKey',
    'Replace a key by a new one; the old one keeps working for its grace',
    {
      needs: 'support',
      optionalBody: RotateKeyRequest,
      created: IssuedKeyReply,
      errors: ['key_in_grace', 'key_lasts_longer', 'agent_account', 'key_already_rotated', 'key_already_expired'],
    },
  )
  async rotate(
    @Administrator() actor: Actor,
    @UuidParam('key_not_found') id: string,
    @Body() { grace_seconds }: RotateKeyRequest,
  ): Promise<IssuedKeyReply> {
    const issued = await this.keys.rotate(actor, id, grace_seconds ?? GRACE_SECONDS.default);
    return issuedKeyReply(issued, this.clock.now());
  }

  @AdminRoute.delete(':id', 'revokeAnyKey', 'Revoke a key for ever, alone or with all keys that it made', {
    needs: 'support',
    noContent: 'Revoked.',
    errors: ['key_in_grace', 'key_lasts_longer'],
  })
  revoke(
    @Administrator() actor: Actor,
    @UuidParam('key_not_found') id: string,
    @Query() { descendants }: RevokeKeyQuery,
  ): Promise<void> {
    return this.keys.revoke(actor, id, descendants === 'true');
  }
}
