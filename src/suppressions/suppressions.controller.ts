import { Body, Query } from '@nestjs/common';
import { Caller } from '../keys/access/caller.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { PageQuery } from '../platform/http/page.js';
import { hashesOf, SuppressRequest, SuppressionSettingsRequest } from './suppressions.dto.js';
import {
  SUPPRESSION_ID,
  SuppressedReply,
  suppressedReply,
  SuppressionPageReply,
  suppressionPageReply,
  SuppressionReply,
  suppressionReply,
  SuppressionSettingsReply,
} from './suppression.reply.js';
import { SuppressionsService } from './suppressions.service.js';
import { Route, Routes } from '../keys/route.decorator.js';
import { NameParam } from '../platform/http/id-params.js';

@Routes('api/v1/suppressions', { tag: 'Suppressions', for: 'full', inTurn: 'suppressions', needs: 'suppressions' })
export class SuppressionsController {
  constructor(private readonly suppressions: SuppressionsService) {}

  @Route.post('', 'suppress', 'Keep people who asked for it from being found', { created: SuppressedReply })
  async add(
    @Caller() caller: Principal,
    @Body() request: SuppressRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ) {
    return suppressedReply(await this.suppressions.addOwn(caller, hashesOf(request), request.reason ?? null, claim));
  }

  @Route.get('', 'listSuppressions', 'The suppression list, newest first', { ok: SuppressionPageReply })
  async list(@Caller() caller: Principal, @Query() query: PageQuery) {
    return suppressionPageReply(await this.suppressions.list(ownerOf(caller), query));
  }

  @Route.get(':id', 'getSuppression', 'Whether an address is on the list', { ok: SuppressionReply })
  async get(@Caller() caller: Principal, @NameParam('suppression_not_found', SUPPRESSION_ID) id: string) {
    return suppressionReply(await this.suppressions.get(ownerOf(caller), id));
  }

  @Route.delete(':id', 'unsuppress', 'Take an address off the list', { noContent: 'Taken off the list.' })
  async remove(@Caller() caller: Principal, @NameParam('suppression_not_found', SUPPRESSION_ID) id: string) {
    await this.suppressions.removeOwn(caller, id);
  }
}

@Routes('api/v1/suppression-settings', { tag: 'Suppressions', for: 'full' })
export class SuppressionSettingsController {
  constructor(private readonly suppressions: SuppressionsService) {}

  @Route.get('', 'getSuppressionSettings', 'What the list does beside hiding from the finder', {
    needs: 'suppressions',
    ok: SuppressionSettingsReply,
  })
  async get(@Caller() caller: Principal) {
    return { report_in_verify: await this.suppressions.reportsInVerify(ownerOf(caller)) };
  }

  @Route.patch('', 'changeSuppressionSettings', 'Choose whether verifications report it', {
    needs: 'settings',
    ok: SuppressionSettingsReply,
  })
  async change(@Caller() caller: Principal, @Body() { report_in_verify }: SuppressionSettingsRequest) {
    await this.suppressions.setReportsInVerify(caller, report_in_verify);
    return { report_in_verify };
  }
}
