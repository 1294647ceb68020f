import { Body, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Caller } from '../keys/access/caller.js';
import type { Principal } from '../keys/access/principal.js';
import { REASON_TEXTS } from '../platform/config/policies.js';
import type { ReasonTexts } from '../platform/config/reason-texts.js';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { adviceHeaders } from '../presenting/verdict-meanings.js';
import { VerifyService } from './verify.service.js';
import { shaped } from '../presenting/present.decorator.js';
import { Route, Routes } from '../keys/route.decorator.js';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { OptionalMaxCredits } from '../credits/max-credits.decorator.js';
import { MAX_REUSE_DAYS } from '../reuse/reuse.service.js';
import { OptionalInteger } from '../platform/http/fields.js';

const DEFAULT_TIMEOUT_MS = 15_000;

export class VerifyRequest {
  /** Any text: a malformed address gets a verdict, not an error. */
  @ApiProperty({ maxLength: 1000, description: 'A malformed address is answered with `invalid`.' })
  @IsString()
  @MaxLength(1000)
  readonly email: string;

  @OptionalInteger({
    minimum: 1000,
    maximum: 60_000,
    default: DEFAULT_TIMEOUT_MS,
    description: 'Milliseconds; when they run out the verdict is `unknown` with the reason so far.',
  })
  readonly timeout_ms?: number | null;

  @OptionalMaxCredits()
  readonly max_credits?: number | null;

  @OptionalInteger({
    minimum: 0,
    maximum: MAX_REUSE_DAYS,
    default: 0,
    description: "The account's own verdict of the address, at most so many days old, is given again for nothing.",
  })
  readonly reuse_days?: number | null;
}

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
  ) {
    const { email, timeout_ms, max_credits, reuse_days } = request;
    const budgetMs = timeout_ms ?? DEFAULT_TIMEOUT_MS;
    const asked = { email, budgetMs, maxCredits: max_credits ?? null, reuseDays: reuse_days ?? 0 };
    const verified = await this.verifier.verify(caller, asked, claim);
    void reply.headers(adviceHeaders(verified.verification, this.reasons));
    return verified;
  }
}
