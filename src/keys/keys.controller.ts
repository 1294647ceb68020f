import { Body, Inject, Query } from '@nestjs/common';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { PageQuery } from '../platform/http/page.js';
import { Caller } from './access/caller.js';
import { readCeilings } from './scope/ceilings.js';
import { timeOrNull } from './key-fields.js';
import { IssuedKeyReply, issuedKeyReply, KeyPageReply, keyPageReply, KeyReply, keyReply } from './key.reply.js';
import { ChangeKeyRequest, CreateKeyRequest, RevokeKeyQuery, RotateKeyRequest } from './keys.dto.js';
import { GRACE_SECONDS } from './scope/key-changes.js';
import { accountScope } from './scope/key-scope.js';
import { AccountKeysService } from './account-keys.service.js';
import type { Principal } from './access/principal.js';
import { Route, Routes } from './route.decorator.js';
import { UuidParam } from '../platform/http/id-params.js';

@Routes('api/v1/keys', { tag: 'Keys', for: 'full', inTurn: 'keys', needs: 'keys' })
export class KeysController {
  constructor(
    private readonly keys: AccountKeysService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Route.get('', 'listKeys', 'The keys of the account, newest first', { ok: KeyPageReply })
  async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<KeyPageReply> {
    return keyPageReply(await this.keys.list(caller, query), this.clock.now());
  }

  @Route.post('', 'createKey', 'Create a live or test key', {
    optionalBody: CreateKeyRequest,
    created: IssuedKeyReply,
    errors: ['live_key_required', 'ceiling_not_allowed', 'key_in_grace', 'too_many_keys'],
  })
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

  @Route.patch(':id', 'changeKey', 'Change the name, the permissions, the networks or the ceilings of a key', {
    optionalBody: ChangeKeyRequest,
    ok: KeyReply,
    errors: ['ceiling_not_allowed', 'key_in_grace', 'key_lasts_longer', 'key_already_rotated'],
  })
  async change(@Caller() caller: Principal, @UuidParam('key_not_found') id: string, @Body() body: ChangeKeyRequest) {
    return keyReply(await this.keys.change(caller, id, body), this.clock.now());
  }

  @Route.post(':id/rotate', 'rotateKey', 'Replace a key by a new one; the old one keeps working for its grace', {
    optionalBody: RotateKeyRequest,
    created: IssuedKeyReply,
    errors: [
      'ceiling_not_allowed',
      'key_in_grace',
      'key_lasts_longer',
      'agent_account',
      'key_already_rotated',
      'key_already_expired',
    ],
  })
  async rotate(
    @Caller() caller: Principal,
    @UuidParam('key_not_found') id: string,
    @Body() body: RotateKeyRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ): Promise<IssuedKeyReply> {
    const issued = await this.keys.rotate(caller, id, body.grace_seconds ?? GRACE_SECONDS.default, claim);
    return issuedKeyReply(issued, this.clock.now());
  }

  @Route.delete(
    ':id',
    'revokeKey',
    'Revoke a key for ever, alone or with all keys that it made; not the last live one',
    {
      isRevocation: true,
      noContent:
        'Revoked. `GET /api/v1/keys` shows which keys went: their `status` is `revoked`, all with one `revoked_at`.',
      errors: ['ceiling_not_allowed', 'key_in_grace', 'key_lasts_longer', 'last_live_key'],
    },
  )
  revoke(
    @Caller() caller: Principal,
    @UuidParam('key_not_found') id: string,
    @Query() { descendants }: RevokeKeyQuery,
  ): Promise<void> {
    return this.keys.revoke(caller, id, descendants === 'true');
  }
}
