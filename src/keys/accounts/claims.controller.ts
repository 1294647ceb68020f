import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import { ApiIdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { RequireFullAccount } from '../access/audience.js';
import { Caller } from '../access/caller.js';
import type { Principal } from '../access/principal.js';
import { readCeilings } from '../scope/ceilings.js';
import { timeOrNull } from '../key-fields.js';
import { ClaimedKeyReply, claimedKeyReply } from './claim.reply.js';
import { ClaimAgentRequest } from './claims.dto.js';
import { ClaimsService } from './claims.service.js';
import { InTurn } from '../limits/in-turn.interceptor.js';

@ApiTags('Keys')
@ApiBearerAuth()
@RequireFullAccount()
@InTurn()
@Controller('api/v1/claims')
export class ClaimsController {
  constructor(
    private readonly claims: ClaimsService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Post()
  @HttpCode(201)
  @ApiIdempotencyKey()
  @ApiErrors(
    'live_key_required',
    'ceiling_not_allowed',
    'key_in_grace',
    'claim_not_found',
    'already_claimed',
    'key_not_claimable',
    'too_many_keys',
  )
  @ApiOperation({ operationId: 'claimAgent', summary: "Take an agent's key under the account" })
  @ApiCreatedResponse({ type: ClaimedKeyReply })
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
