import { Body, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import { Caller } from '../../keys/access/caller.js';
import { ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { DomainChecksService } from './domain-checks.service.js';
import { DEFAULT_CHECK_MS, DomainCheckRequest, DomainChecksQuery } from './domains.dto.js';
import { DomainCheckPageReply, DomainCheckReply, KeptDomainCheckReply } from './domains.reply.js';
import { readDomain } from './sender-fields.js';
import { Route, Routes } from '../../keys/route.decorator.js';
import { ID_SCHEMA } from '../../platform/http/ids.js';
import { pageReply } from '../../platform/http/page.js';
import { replyOf } from '../../platform/http/reply.js';
import { shownResult } from './domain-result.js';
import { type DomainCheck, DomainCheckHistoryService } from './domain-check-history.service.js';

@Routes('api/v1/domains', { tag: 'Deliverability', for: 'full', needs: 'deliverability' })
export class DomainsController {
  constructor(
    private readonly checks: DomainChecksService,
    private readonly kept: DomainCheckHistoryService,
  ) {}

  @Route.post('check', 'checkDomain', 'What a domain publishes about its mail, and what to publish instead', {
    ok: DomainCheckReply,
    spends: true,
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

  @Route.get('checks', 'listDomainChecks', 'Checks of domains in the last 30 days, newest first', {
    ok: DomainCheckPageReply,
  })
  async listChecks(@Caller() caller: Principal, @Query() query: DomainChecksQuery): Promise<DomainCheckPageReply> {
    const domain = query.domain === undefined ? null : readDomain(query.domain);
    return pageReply('checks', await this.kept.list(ownerOf(caller), query, domain), (check) => {
      const { state, counts } = check.result;
      return replyOf(KeptDomainCheckReply, { ...check, state, counts, checkedAt: check.createdAt });
    });
  }

  @Route.get('checks/:id', 'getDomainCheck', 'One check of a domain, as it was answered', {
    params: [{ name: 'id', schema: ID_SCHEMA }],
    ok: DomainCheckReply,
    errors: ['check_not_found'],
  })
  async getCheck(@Caller() caller: Principal, @Param('id') id: string, @Req() { id: requestId }: FastifyRequest) {
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
    ...shownResult(result, creditsCharged),
    unknown_areas: result.unknown_areas ?? [],
    credits_charged: creditsCharged,
    latency_ms: latencyMs,
    checked_at: createdAt.toISOString(),
    request_id: requestId,
  };
}
