import type { Finding } from '../engine/finder/finding.js';
import { NOTHING_CHECKED } from '../engine/types.js';
import { checksBody, evidenceBody } from './verification-body.js';

/** A search as the finder's service gives it. */
export interface FoundPerson {
  readonly finding: Finding;
  readonly domain: string;
  readonly creditsCharged: number;
  readonly latencyMs: number;
}

/** The body of a search (docs/finder.md#what-is-answered): the address found, and everything that was tried and known. */
export function findingBody({ finding, domain, creditsCharged, latencyMs }: FoundPerson, requestId: string): object {
  const { verification } = finding;
  return {
    email: finding.email,
    verdict: finding.verdict,
    confidence: finding.confidence,
    pattern: finding.pattern,
    candidates_tried: finding.tried.length,
    alternatives: finding.alternatives,
    checks: checksBody(verification?.checks ?? NOTHING_CHECKED),
    credits_charged: creditsCharged,
    latency_ms: latencyMs,
    reason: finding.reason,
    domain,
    provider: verification?.provider ?? null,
    mx_host: verification?.mxHost ?? null,
    retry_after: finding.verdict === 'unknown' ? (verification?.retryAfterSeconds ?? null) : null,
    evidence: {
      tried: finding.tried.map((tried) => ({
        email: tried.verification.email,
        pattern: tried.candidate.pattern,
        verdict: tried.verification.verdict,
        reason: tried.verification.reason,
        ...evidenceBody(tried.verification.evidence),
      })),
      known_addresses: finding.knownAddresses,
      known_of_pattern: finding.knownOfPattern,
    },
    request_id: requestId,
  };
}
