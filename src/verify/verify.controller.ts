import { Body, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Caller } from '../keys/access/caller.js';
import type { Principal } from '../keys/access/principal.js';
import { REASON_TEXTS } from '../platform/config/policies.js';
import type { ReasonTexts } from '../platform/config/reason-texts.js';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { adviceHeaders } from '../presenting/verdict-meanings.js';
import type { VerifiedAddress } from '../presenting/presenter.js';
import { DEFAULT_TIMEOUT_MS, VerifyRequest } from './verify.dto.js';
import { VerifyService } from './verify.service.js';
import { shaped } from '../presenting/present.decorator.js';
import { Route, Routes } from '../keys/route.decorator.js';

@Routes('api/v1/verify', { tag: 'Verify' })
export class VerifyController {
  constructor(
    private readonly verifier: VerifyService,
    @Inject(REASON_TEXTS) private readonly reasons: ReasonTexts,
  ) {}

  @Route.post('', 'verifyEmail', 'Verify one address', {
    needs: 'verify',
    ok: shaped('verification'),
    spends: true,
    errors: ['daily_capacity_exhausted'],
  })
  async verify(
    @Caller() caller: Principal,
    @Body() request: VerifyRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<VerifiedAddress> {
    const { email, timeout_ms, max_credits, reuse_days } = request;
    const budgetMs = timeout_ms ?? DEFAULT_TIMEOUT_MS;
    const asked = { email, budgetMs, maxCredits: max_credits ?? null, reuseDays: reuse_days ?? 0 };
    const verified = await this.verifier.verify(caller, asked, claim);
    void reply.headers(adviceHeaders(verified.verification, this.reasons));
    return verified;
  }
}
