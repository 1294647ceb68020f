import { isUntrusted } from '../engine/judge/denied-domain.js';
import { type Checks, type Evidence, NOTHING_CHECKED, UNTRUSTED } from '../engine/types.js';
import { untrustedSentence } from '../mail-dns/untrusted.js';
import type { ChecksBody, EvidenceBody } from './verification.reply.js';
import type { Finding } from '../engine/finder/finding.js';

/* Parts of full accounts' replies that verifications and searches share. Null: the body leaves the member out. The compiler asks
   here for a new one. */

const CHECKS = {
  syntax: 'syntax',
  mx: 'mx',
  smtp: 'smtp',
  catchAll: 'catch_all',
  disposable: 'disposable',
  role: 'role',
  free: 'free',
  spamTrap: 'spam_trap',
  privacyRelay: null,
} as const satisfies Record<keyof Checks, keyof ChecksBody | null>;

const EVIDENCE = {
  stage: 'stage',
  mxHost: 'mx_host',
  mxAddress: 'mx_address',
  code: 'reply_code',
  enhanced: 'enhanced_code',
  text: 'text',
  at: null,
  fromCache: 'from_cache',
  witness: 'witness',
  source: 'source',
} as const satisfies Record<keyof Evidence, keyof EvidenceBody | null>;

type NamedIn<Table> = NonNullable<Table[keyof Table]>;

export function checksBody(checks: Checks): Pick<ChecksBody, NamedIn<typeof CHECKS>> {
  return {
    syntax: checks.syntax,
    mx: checks.mx,
    smtp: checks.smtp,
    catch_all: checks.catchAll === 'yes',
    disposable: checks.disposable,
    role: checks.role,
    spam_trap: checks.spamTrap,
    free: checks.free,
  };
}

export function evidenceBody(evidence: Evidence): Readonly<Pick<EvidenceBody, NamedIn<typeof EVIDENCE>>> {
  return {
    stage: evidence.stage,
    mx_host: evidence.mxHost,
    mx_address: evidence.mxAddress,
    reply_code: evidence.code,
    enhanced_code: evidence.enhanced,
    // The word for programs, the sentence for people.
    text: isUntrusted(evidence) ? `${UNTRUSTED}: ${untrustedSentence('verification')}` : evidence.text,
    from_cache: evidence.fromCache,
    witness: evidence.witness,
    source: evidence.source,
  };
}

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
