import { Body, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Caller } from '../keys/access/caller.js';
import type { Principal } from '../keys/access/principal.js';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { findingBody } from '../presenting/verification-body.js';
import { FindingReply } from './finder.reply.js';
import { DEFAULT_TIMEOUT_MS, FindEmailRequest } from './finder.dto.js';
import { FinderService } from './finder.service.js';
import { readPerson } from './person.js';
import { Route, Routes } from '../keys/route.decorator.js';

@Routes('api/v1/finder', { tag: 'Finder', for: 'full' })
export class FinderController {
  constructor(private readonly finder: FinderService) {}

  @Route.post('email', 'findEmail', "Find and verify a person's address", {
    needs: 'finder',
    ok: FindingReply,
    spends: true,
    errors: ['public_mail_domain'],
  })
  async find(
    @Caller() caller: Principal,
    @Body() request: FindEmailRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
    @Req() { id }: FastifyRequest,
  ): Promise<object> {
    const budgetMs = request.timeout_ms ?? DEFAULT_TIMEOUT_MS;
    const asked = { person: readPerson(request), budgetMs, maxCredits: request.max_credits ?? null };
    return findingBody(await this.finder.find(caller, asked, claim), id);
  }
}
