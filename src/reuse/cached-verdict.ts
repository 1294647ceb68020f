import type {
  ByReason,
  CheckState,
  Checks,
  Evidence,
  ReasonOf,
  Stage,
  Verification,
  Witness,
} from '../engine/types.js';

/** Bytes of a verdict: when it was given, reason, score, confidence, checks, stage with witness, both codes, index of the operator's name. */
export const VERDICT_BYTES = 16;
export const PROVIDER_AT = 15;

type CachedReason = ReasonOf<'invalid' | 'risky' | 'valid'>;

/** The numbers of reasons and their verdicts, as they are stored: never changed, only added to. The compiler asks here for a new reason. */
const CODES = {
  invalid_syntax: [1, 'invalid'],
  domain_not_found: [2, 'invalid'],
  no_mail_server: [3, 'invalid'],
  null_mx: [4, 'invalid'],
  unroutable_mail_server: [5, 'invalid'],
  mailbox_not_found: [6, 'invalid'],
  mailbox_disabled: [7, 'invalid'],
  domain_not_served: [8, 'invalid'],
  spam_trap: [9, 'risky'],
  disposable: [10, 'risky'],
  catch_all: [11, 'risky'],
  mailbox_full: [12, 'risky'],
  mailbox_restricted: [13, 'risky'],
  role_account: [14, 'risky'],
  mailbox_exists: [15, 'valid'],
} as const satisfies Record<CachedReason, readonly [number, Exclude<Verification['verdict'], 'unknown'>]>;

const REASON_OF = new Map(
  Object.entries(CODES).map(([reason, [code, verdict]]) => [
    code as number,
    [reason as CachedReason, verdict] as const,
  ]),
);

/* Stored by position: never put in another order, only added to. */
const STATES: readonly CheckState[] = ['pass', 'fail', 'unknown', 'skipped'];
const CATCH_ALL: readonly Checks['catchAll'][] = [null, 'yes', 'no', 'undetermined'];
const FLAGS = ['disposable', 'role', 'free', 'spamTrap', 'privacyRelay'] as const satisfies readonly (keyof Checks)[];
const STAGES: readonly Stage[] = ['syntax', 'dns', 'connect', 'banner', 'ehlo', 'starttls', 'mail', 'rcpt'];
const CACHED_WITNESSES: readonly (Witness | null)[] = [
  null,
  'accepted_name',
  'reply_text',
  'postmaster',
  'made_up_name',
  'unrelated_domains',
];

/** Whether a domain that is spelled alike is suggested, because this one takes no mail. */
const TAKES_NO_MAIL: ByReason<'invalid', boolean> = {
  invalid_syntax: false,
  domain_not_found: true,
  no_mail_server: true,
  null_mx: true,
  unroutable_mail_server: true,
  mailbox_not_found: false,
  mailbox_disabled: false,
  domain_not_served: false,
};

/** A verdict as it is kept, without the address, and without names and words of mail hosts, which may hold it. */
export type CachedVerdict = Pick<
  Verification,
  'verdict' | 'reason' | 'score' | 'confidence' | 'checks' | 'provider' | 'checkedAt'
> & { readonly evidence: Pick<Evidence, 'stage' | 'code' | 'enhanced' | 'witness'>; readonly takesNoMail: boolean };

/** What says nothing is asked again, and what is no address is told for nothing by its text. */
export function isCacheable({ verdict, reason }: Pick<Verification, 'verdict' | 'reason'>): boolean {
  return verdict !== 'unknown' && reason !== 'invalid_syntax';
}

/** @param provider index of the operator's name */
export function writeVerdict(to: Buffer, at: number, verification: Verification, provider: number): void {
  const { checks, evidence } = verification;
  to.writeUInt32BE(Math.floor(verification.checkedAt / 1000), at);
  to[at + 4] = CODES[verification.reason as CachedReason][0];
  to[at + 5] = verification.score;
  to[at + 6] = Math.round(verification.confidence * 100);
  to.writeUInt16BE(bitsOf(checks), at + 7);
  to[at + 9] = STAGES.indexOf(evidence.stage) * 8 + CACHED_WITNESSES.indexOf(evidence.witness);
  to.writeUInt16BE(evidence.code ?? 0, at + 10);
  to.writeUIntBE(enhancedNumber(evidence.enhanced), at + 12, 3);
  to[at + PROVIDER_AT] = provider;
}

export function checkedAtOf(from: Buffer, at: number): number {
  return from.readUInt32BE(at) * 1000;
}

/** @param providers names of operators by index; 0 is none */
export function readVerdict(from: Buffer, at: number, providers: readonly (string | null)[]): CachedVerdict {
  const [reason, verdict] = REASON_OF.get(from[at + 4]!)!;
  const enhanced = from.readUIntBE(at + 12, 3);
  return {
    verdict,
    reason,
    score: from[at + 5]!,
    confidence: from[at + 6]! / 100,
    checks: checksOf(from.readUInt16BE(at + 7)),
    provider: providers[from[at + PROVIDER_AT]!] ?? null,
    checkedAt: checkedAtOf(from, at),
    evidence: {
      stage: STAGES[from[at + 9]! >> 3]!,
      code: from.readUInt16BE(at + 10) || null,
      enhanced:
        enhanced === 0 ? null : `${Math.floor(enhanced / 1e6)}.${Math.floor(enhanced / 1e3) % 1000}.${enhanced % 1000}`,
      witness: CACHED_WITNESSES[from[at + 9]! & 7]!,
    },
    takesNoMail: TAKES_NO_MAIL[reason] === true,
  };
}

/** @param address what the address is by itself, as it was sent now */
export function givenAgain(
  kept: CachedVerdict,
  address: Pick<Verification, 'email' | 'normalizedEmail' | 'didYouMean'>,
): Verification {
  const { verdict, reason, score, confidence, checks, provider, checkedAt, evidence } = kept;
  return {
    email: address.email,
    normalizedEmail: address.normalizedEmail,
    verdict,
    reason,
    score,
    confidence,
    checks,
    didYouMean: address.didYouMean,
    provider,
    mxHost: null,
    retryAfterSeconds: null,
    evidence: { ...evidence, mxHost: null, mxAddress: null, text: null, at: checkedAt, fromCache: true, source: null },
    checkedAt,
  };
}

function bitsOf(checks: Checks): number {
  let bits = STATES.indexOf(checks.syntax) | (STATES.indexOf(checks.mx) << 2) | (STATES.indexOf(checks.smtp) << 4);
  bits |= CATCH_ALL.indexOf(checks.catchAll) << 6;
  for (const [i, flag] of FLAGS.entries()) if (checks[flag]) bits |= 1 << (8 + i);
  return bits;
}

function checksOf(bits: number): Checks {
  return {
    syntax: STATES[bits & 3]!,
    mx: STATES[(bits >> 2) & 3]!,
    smtp: STATES[(bits >> 4) & 3]!,
    catchAll: CATCH_ALL[(bits >> 6) & 3]!,
    ...(Object.fromEntries(FLAGS.map((flag, i) => [flag, (bits & (1 << (8 + i))) !== 0])) as Record<
      (typeof FLAGS)[number],
      boolean
    >),
  };
}

/** The number of an enhanced status code (RFC 3463); 0 for none. */
function enhancedNumber(enhanced: string | null): number {
  const [, status, subject, detail] = /^([245])\.(\d{1,3})\.(\d{1,3})$/.exec(enhanced ?? '') ?? [];
  return status === undefined ? 0 : Number(status) * 1e6 + Number(subject) * 1e3 + Number(detail);
}
