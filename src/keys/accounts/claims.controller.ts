import { Body, Inject } from '@nestjs/common';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import { snakeRow } from '../../lib/snake-case.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { Caller } from '../access/caller.js';
import type { Principal } from '../access/principal.js';
import { readCeilings } from '../scope/ceilings.js';
import { CeilingFields, OptionalTime, timeOrNull } from '../key-fields.js';
import { ClaimsService, type ClaimedKey } from './claims.service.js';
import { Route, Routes } from '../route.decorator.js';
import { OptionalString, OptionalText } from '../../platform/http/fields.js';
import { KeyReply, keyReply } from '../key.reply.js';
import { Extended, field } from '../../platform/http/reply.js';

export class ClaimedKeyReply extends Extended(KeyReply, {
  claimed_at: field.time(),
  registered_at: field.time(),
  purpose: field.textOrNull('What the agent said that it verifies addresses for.'),
  contact: field.textOrNull('How the agent said that its operator is reached.'),
}) {}

export function claimedKeyReply({ key, agent, claimedAt }: ClaimedKey, now: number): ClaimedKeyReply {
  const { registeredAt, purpose, contact } = agent;
  return { ...keyReply(key, now), ...snakeRow({ claimedAt, registeredAt, purpose, contact }) };
}

/** Without a ceiling the agent spends nothing of the account. */
export class ClaimAgentRequest extends CeilingFields {
  @OptionalString(100, {
    type: String,
    maxLength: 100,
    description: 'The `claim_token` that the agent got with its key.',
  })
  readonly claim_token?: string | null;

  @OptionalString(100, { type: String, maxLength: 100, description: 'In its place: the key of the agent itself.' })
  readonly agent_key?: string | null;

  @OptionalText(80, 'A name for the key; the one that the agent gave itself when left out.')
  readonly name?: string | null;

  @OptionalTime('When the key expires from now on; when left out, when the key that claims it does.')
  readonly expires_at?: string | null;
}

@Routes('api/v1/claims', { tag: 'Keys', for: 'full', inTurn: 'claims' })
export class ClaimsController {
  constructor(
    private readonly claims: ClaimsService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Route.post('', 'claimAgent', "Take an agent's key under the account", {
    needs: 'keys',
    created: ClaimedKeyReply,
    errors: [
      'live_key_required',
      'ceiling_not_allowed',
      'key_in_grace',
      'claim_not_found',
      'already_claimed',
      'key_not_claimable',
      'too_many_keys',
    ],
  })
  async claim(
    @Caller() caller: Principal,
    @Body() body: ClaimAgentRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ): Promise<ClaimedKeyReply> {
    const { claim_token, agent_key, name, expires_at } = body;
    const [claimToken, agentKey] = [claim_token ?? null, agent_key ?? null];
    if ((claimToken === null) === (agentKey === null))
      throw invalidField('claim_token', 'or agent_key must be there, one of the two');
    const ceilings = readCeilings('agent', body);
    const request = { claimToken, agentKey, name: name ?? null, expiresAt: timeOrNull(expires_at), ceilings };
    return claimedKeyReply(await this.claims.claim(caller, request, claim), this.clock.now());
  }
}
