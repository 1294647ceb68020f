import { Inject, Injectable } from '@nestjs/common';
import { REASON_TEXTS, type ReasonTexts } from '../platform/config/policies.js';
import { findingBody } from './finding-body.js';
import { creditsBody } from './credits-body.js';
import { isoTime } from './iso-time.js';
import type { Presentable, Presenter, VerifiedAddress } from './presenter.js';
import { checksBody, evidenceBody } from './verification-body.js';

/** The full accounts' shape: flat, the specification's fields first, then the contract's (section 3). */
@Injectable()
export class FullPresenter implements Presenter {
  constructor(@Inject(REASON_TEXTS) private readonly reasons: ReasonTexts) {}

  verification(verified: VerifiedAddress, requestId: string): object {
    return this.row(verified, requestId);
  }

  row(verified: VerifiedAddress, requestId: string): object {
    const { verification, creditsCharged, latencyMs, suppressed, found } = verified;
    if (found !== undefined) return findingBody({ ...found, creditsCharged, latencyMs }, requestId);
    // Not by spread: V8 gives each object that grows after one a shape of its own, in which every look-up is slow.
    const body: Record<string, unknown> = {
      email: verification.email,
      verdict: verification.verdict,
      confidence: verification.confidence,
      checks: checksBody(verification.checks),
      credits_charged: creditsCharged,
      latency_ms: latencyMs,
      reason: verification.reason,
      did_you_mean: verification.didYouMean,
      provider: verification.provider,
      mx_host: verification.mxHost,
      normalized_email: verification.normalizedEmail,
      action: this.reasons[verification.reason]?.action ?? null,
      retry_after: verification.retryAfterSeconds,
    };
    if (suppressed !== undefined) body['suppressed'] = suppressed;
    body['evidence'] = evidenceBody(verification.evidence);
    body['checked_at'] = isoTime(verification.checkedAt);
    body['request_id'] = requestId;
    return body;
  }

  credits(standing: Presentable['credits']): object {
    return creditsBody(standing);
  }

  body(body: object): object {
    return body;
  }
}
