import { Body, Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { ApiIdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import { RequireFullAccount } from '../keys/access/audience.js';
import { Caller } from '../keys/access/caller.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { ID_SCHEMA } from '../platform/http/id-params.js';
import { DomainChecksService } from './domain-checks.service.js';
import { type DomainCheck, DomainCheckHistoryService } from './domain-check-history.service.js';
import { DEFAULT_CHECK_MS, DomainCheckRequest, DomainChecksQuery } from './domains.dto.js';
import { DomainCheckPageReply, DomainCheckReply } from './domains.reply.js';
import { readDomain } from './sender-fields.js';

@ApiTags('Deliverability')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/domains')
export class DomainsController {
  constructor(
    private readonly checks: DomainChecksService,
    private readonly kept: DomainCheckHistoryService,
  ) {}

  @Post('check')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiOkResponse({ type: DomainCheckReply })
  @ApiErrors('credits_insufficient', 'ceiling_reached', 'key_ceiling_reached')
  @ApiOperation({
    operationId: 'checkDomain',
    summary: 'What a domain publishes about its mail, and what to publish instead',
  })
  async check(
    @Caller() caller: Principal,
    @Body() request: DomainCheckRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
    @Req() { id }: FastifyRequest,
  ): Promise<DomainCheckReply> {
    const asked = {
      domain: request.domain,
      selectors: request.dkim_selectors ?? [],
      senders: request.sending_addresses ?? [],
      areas: request.checks ?? null,
      budgetMs: request.timeout_ms ?? DEFAULT_CHECK_MS,
      maxCredits: request.max_credits ?? null,
    };
    return checkReply(await this.checks.check(caller, asked, claim), id);
  }

  @Get('checks')
  @ApiOkResponse({ type: DomainCheckPageReply })
  @ApiOperation({
    operationId: 'listDomainChecks',
    summary: 'Checks of domains in the last 30 days, newest first',
  })
  async listChecks(@Caller() caller: Principal, @Query() query: DomainChecksQuery): Promise<DomainCheckPageReply> {
    const domain = query.domain === undefined ? null : readDomain(query.domain);
    const { items, nextCursor } = await this.kept.list(ownerOf(caller), query, domain);
    return {
      checks: items.map(({ id, domain: name, result: { state, counts }, creditsCharged, createdAt }) => ({
        id,
        domain: name,
        state,
        counts,
        credits_charged: creditsCharged,
        checked_at: createdAt.toISOString(),
      })),
      next_cursor: nextCursor,
    };
  }

  @Get('checks/:id')
  @ApiParam({ name: 'id', schema: ID_SCHEMA })
  @ApiOkResponse({ type: DomainCheckReply })
  @ApiErrors('check_not_found')
  @ApiOperation({ operationId: 'getDomainCheck', summary: 'One check of a domain, as it was answered' })
  async getCheck(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Req() { id: requestId }: FastifyRequest,
  ): Promise<DomainCheckReply> {
    return checkReply(await this.kept.get(ownerOf(caller), id), requestId);
  }
}

function checkReply(
  { id, domain, result, creditsCharged, latencyMs, createdAt }: DomainCheck,
  requestId: string,
): DomainCheckReply {
  return {
    id,
    status: 'completed',
    domain,
    ...result,
    unknown_areas: result.unknown_areas ?? [],
    credits_charged: creditsCharged,
    latency_ms: latencyMs,
    checked_at: createdAt.toISOString(),
    request_id: requestId,
  };
}
