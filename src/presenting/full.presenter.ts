import type { Verification } from '../engine/types.js';
import type { ReasonTexts } from '../platform/config/reason-texts.js';
import { findingBody, checksBody, evidenceBody } from './verification-body.js';
import { creditsBody, type Presentable, type Presenter, type VerifiedAddress } from './presenter.js';
import type { FullVerificationReply } from './verification.reply.js';

/** What each member of a verification is called in the body; null: it is not told. The compiler asks here for a new member. */
const NAMES = {
  email: 'email',
  normalizedEmail: 'normalized_email',
  verdict: 'verdict',
  reason: 'reason',
  score: null,
  confidence: 'confidence',
  checks: 'checks',
  didYouMean: 'did_you_mean',
  provider: 'provider',
  mxHost: 'mx_host',
  retryAfterSeconds: 'retry_after',
  evidence: 'evidence',
  checkedAt: 'checked_at',
} as const satisfies Record<keyof Verification, keyof FullVerificationReply | null>;

type Body = { -readonly [Name in keyof FullVerificationReply | NamedField]: FullVerificationReply[Name] };
type NamedField = NonNullable<(typeof NAMES)[keyof Verification]>;
/** What comes after `suppressed`, which is not always there. */
type Last = 'suppressed' | 'evidence' | 'checked_at' | 'request_id';

/** The full accounts' shape (docs/verification.md#what-full-accounts-get): flat. The command line has it too, without Nest. */
export class FullPresenter implements Presenter {
  readonly ownLayoutColumns = ['verdict', 'reason', 'action', 'score', 'did_you_mean'];

  constructor(private readonly reasons: ReasonTexts) {}

  verification(verified: VerifiedAddress, requestId: string): object {
    return this.row(verified, requestId);
  }

  row(verified: VerifiedAddress, requestId: string): object {
    return this.members(verified, requestId, false);
  }

  cells(verified: VerifiedAddress, requestId: string): object {
    return this.members(verified, requestId, true);
  }

  credits(status: Presentable['credits']): object {
    return creditsBody(status);
  }

  body(body: object): object {
    return body;
  }

  private members(verified: VerifiedAddress, requestId: string, withScore: boolean): object {
    const { verification, creditsCharged, latencyMs, suppressed, isPending, found } = verified;
    if (isPending) {
      const whose = found === undefined ? { email: verification.email } : { domain: found.domain };
      return { ...whose, verdict: null, pending: true };
    }
    if (found !== undefined) return findingBody({ ...found, creditsCharged, latencyMs }, requestId);
    // Not by spread: V8 gives each object that grows after one a shape of its own, in which every look-up is slow.
    const body: Omit<Body, Last> & Partial<Pick<Body, Last>> & { score?: number } = {
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
    if (withScore) body.score = verification.score;
    if (suppressed !== undefined) body.suppressed = suppressed;
    body.evidence = evidenceBody(verification.evidence);
    body.checked_at = isoTime(verification.checkedAt);
    body.request_id = requestId;
    return body;
  }
}

const MAX_SECONDS = 1_000;
/** Beginnings of times up to the point before the milliseconds, by second. */
const seconds = new Map<number, string>();

/**
 * A time as `Date.toISOString` writes it. A call of `toISOString` for each row would be most of the cost of presenting a download
 * (docs/performance-internals.md), and the times of one second differ in three digits only.
 * @param ms since 1970
 */
export function isoTime(ms: number): string {
  const second = Math.floor(ms / 1_000);
  let beginning = seconds.get(second);
  if (beginning === undefined) {
    if (seconds.size === MAX_SECONDS) seconds.clear();
    beginning = new Date(ms).toISOString().slice(0, -4);
    seconds.set(second, beginning);
  }
  return `${beginning}${String(ms - second * 1_000).padStart(3, '0')}Z`;
}
