import { Body, Inject, Query } from '@nestjs/common';
import {
  IssuedKeyReply,
  issuedKeyReply,
  KeyPageReply,
  keyPageReply,
  KeyReply,
  keyReply,
} from '../../keys/key.reply.js';
import { GRACE_SECONDS, MAY_NEED_IMPERSONATE } from '../../keys/scope/key-changes.js';
import { RevokeKeyQuery, RotateKeyRequest } from '../../keys/keys.dto.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { PageQuery } from '../../platform/http/page.js';
import { type Actor, Administrator } from '../actor.js';
import { adminKeyRequestOf, ChangeAnyKeyRequest, CreateAdminKeyRequest } from '../bodies/admin.dto.js';
import { KeyAdministrationService } from '../key-administration.service.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';
import { UuidParam } from '../../platform/http/id-params.js';

/** Admin keys: list and create. Any key, whosever it is: rotate and revoke. */
@AdminRoutes('keys', { tag: 'Admin keys', inTurn: 'keys' })
export class AdminKeysController {
  constructor(
    private readonly keys: KeyAdministrationService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @AdminRoute.get('', 'listAdminKeys', 'Admin keys, newest first', { needs: 'read', ok: KeyPageReply })
  async list(@Query() query: PageQuery) {
    return keyPageReply(await this.keys.listAdminKeys(query), this.clock.now());
  }

  @AdminRoute.post('', 'createAdminKey', 'Create an admin key', {
    needs: 'support',
    created: IssuedKeyReply,
    errors: ['key_in_grace'],
  })
  async create(@Administrator() actor: Actor, @Body() body: CreateAdminKeyRequest) {
    return issuedKeyReply(await this.keys.create(actor, adminKeyRequestOf(body)), this.clock.now());
  }

  @AdminRoute.patch(':id', 'changeAnyKey', 'Change the name, the permissions, the networks or the ceilings of a key', {
    needs: 'support',
    mayNeed: MAY_NEED_IMPERSONATE,
    optionalBody: ChangeAnyKeyRequest,
    ok: KeyReply,
    errors: ['key_in_grace', 'key_lasts_longer', 'key_already_rotated'],
  })
  async change(
    @Administrator() actor: Actor,
    @UuidParam('key_not_found') id: string,
    @Body() body: ChangeAnyKeyRequest,
  ) {
    return keyReply(await this.keys.change(actor, id, body), this.clock.now());
  }

  @AdminRoute.post(
    ':id/rotate',
    'rotateAnyKey',
    'Replace a key by a new one; the old one keeps working for its grace',
    {
      needs: 'support',
      mayNeed: MAY_NEED_IMPERSONATE,
      optionalBody: RotateKeyRequest,
      created: IssuedKeyReply,
      errors: ['key_in_grace', 'key_lasts_longer', 'agent_account', 'key_already_rotated', 'key_already_expired'],
    },
  )
  async rotate(
    @Administrator() actor: Actor,
    @UuidParam('key_not_found') id: string,
    @Body() { grace_seconds }: RotateKeyRequest,
  ) {
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
  ) {
    return this.keys.revoke(actor, id, descendants === 'true');
  }
}
