import { Body, Param, Query } from '@nestjs/common';
import { Caller } from '../keys/access/caller.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { PageQuery } from '../platform/http/page.js';
import { hashesOf, SuppressRequest } from './suppressions.dto.js';
import {
  SUPPRESSION_ID,
  SuppressedReply,
  suppressedReply,
  SuppressionPageReply,
  suppressionPageReply,
  SuppressionReply,
  suppressionReply,
} from './suppression.reply.js';
import { OwnSuppressionsService, SuppressionsService } from './suppressions.service.js';
import { Route, Routes } from '../keys/route.decorator.js';

@Routes('api/v1/suppressions', { tag: 'Suppressions', for: 'full', inTurn: true })
export class SuppressionsController {
  constructor(
    private readonly suppressions: SuppressionsService,
    private readonly own: OwnSuppressionsService,
  ) {}

  @Route.post('', 'suppress', 'Keep people who asked for it from being found', {
    needs: 'suppressions',
    created: SuppressedReply,
  })
  async add(
    @Caller() caller: Principal,
    @Body() request: SuppressRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ): Promise<SuppressedReply> {
    return suppressedReply(await this.own.add(caller, hashesOf(request), request.reason ?? null, claim));
  }

  @Route.get('', 'listSuppressions', 'The suppression list, newest first', {
    needs: 'suppressions',
    ok: SuppressionPageReply,
  })
  async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<SuppressionPageReply> {
    return suppressionPageReply(await this.suppressions.list(ownerOf(caller), query));
  }

  @Route.get(':id', 'getSuppression', 'Whether an address is on the list', {
    needs: 'suppressions',
    params: [SUPPRESSION_ID],
    ok: SuppressionReply,
    errors: ['suppression_not_found'],
  })
  async get(@Caller() caller: Principal, @Param('id') id: string): Promise<SuppressionReply> {
    return suppressionReply(await this.suppressions.get(ownerOf(caller), id));
  }

  @Route.delete(':id', 'unsuppress', 'Take an address off the list', {
    needs: 'suppressions',
    params: [SUPPRESSION_ID],
    noContent: 'Taken off the list.',
    errors: ['suppression_not_found'],
  })
  async remove(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    await this.own.remove(caller, id);
  }
}
