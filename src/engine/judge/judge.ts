import { isIP } from 'node:net';

import type { RejectedBeforeRcpt } from '../smtp/connect/connect-result.js';
import type { MailboxAnswer, Replied } from '../smtp/probe/recipient-probe.js';
import { evidenceText } from '../smtp/reply/evidence-text.js';
import {
  REASONS,
  UNTRUSTED,
  type ByReason,
  type Checks,
  type CheckState,
  type Evidence,
  type Reason,
  type Stage,
  type Verdict,
  type Verification,
  type Witness,
} from '../types.js';
import { causeOfMail, type Cause, type Circumstance, type JudgeInput, type MailOutcome } from './causes.js';
import { SCORE_TABLE, type Score } from './score-table.js';

/** The verdicts in the order in which they win when more than one reason holds. */
const VERDICTS: readonly Verdict[] = ['invalid', 'risky', 'unknown', 'valid'];

const STRENGTH = new Map<Reason, number>(
  VERDICTS.flatMap((verdict) => [...REASONS[verdict]]).map((reason, index) => [reason, index]),
);

const VERDICT_OF = new Map<Reason, Verdict>(
  VERDICTS.flatMap((verdict) => REASONS[verdict].map((reason): [Reason, Verdict] => [reason, verdict])),
);

/** Seconds after which another try may settle it; null for what time does not change. */
const RETRY_SECONDS: ByReason<'unknown', number | null> = {
  ip_blocked: 3_600,
  sender_rejected: null,
  policy_rejected: null,
  rate_limited: 600,
  enumeration_suspected: null,
  greylisted: 300,
  temporary_failure: 900,
  smtp_timeout: 300,
  smtp_unreachable: 900,
  port25_blocked: null,
  smtp_protocol_error: null,
  smtputf8_unsupported: null,
  dns_error: 60,
  provider_hides_mailboxes: null,
  ambiguous_refusal: null,
};

/** "No such user" with a 4xx code is believed when it comes again an hour later. */
const BELIEVED_AFTER_SECONDS = 3_600;

/** Whether a mail host has shown that the mailbox exists. What the lists say is no word of a host. */
const EXISTS: ByReason<'risky' | 'valid', boolean> = {
  spam_trap: false,
  disposable: false,
  catch_all: true,
  mailbox_full: true,
  mailbox_restricted: true,
  role_account: false,
  mailbox_exists: true,
};

const ADDRESS_AS_MX = 'the MX record names the mail host by its address, which many senders refuse';

/** Turns everything known about an address into a verdict with its reason, score and evidence. A pure function. */
export function judge(input: JudgeInput): Verification {
  const { parsed, mail } = input;
  const known = mail === null ? null : causeOfMail(mail, input.gateway);
  const isByAddress = known !== null && hasAddressAsMx(input);
  const cause = isByAddress ? byAddress(known) : known;
  const { reason, circumstances } = strongest(cause, input);
  const { score, confidence } = scoreOf(reason, circumstances);
  const verdict = VERDICT_OF.get(reason)!;
  return {
    email: input.email,
    normalizedEmail: parsed.ok ? parsed.address.normalized : null,
    verdict,
    reason,
    score,
    confidence,
    checks: checksOf(input, cause),
    didYouMean: input.didYouMean,
    provider: input.provider,
    mxHost: input.mxHost,
    retryAfterSeconds: verdict === 'unknown' ? retryAfter(reason, mail) : null,
    evidence: evidenceFor(input, reason, isByAddress && EXISTS[cause!.reason] === true),
    checkedAt: input.checkedAt,
  };
}

function strongest(cause: Cause | null, { parsed, flags }: JudgeInput): Cause {
  if (!parsed.ok || cause === null) return { reason: 'invalid_syntax', circumstances: [] };
  if (!flags.role && !flags.disposable && !flags.spamTrap) return cause;
  const { circumstances } = cause;
  let { reason } = cause;
  // Who stands behind a name matters when the mailbox is known to exist, and answers nothing before.
  if (flags.role && VERDICT_OF.get(reason) === 'valid') reason = 'role_account';
  if (flags.disposable) reason = stronger('disposable', reason);
  if (flags.spamTrap) reason = stronger('spam_trap', reason);
  return { reason, circumstances };
}

/** An MX record names a host, never an address (RFC 5321 section 5.1): who takes mail there gets it from some senders only. */
function byAddress({ reason, circumstances }: Cause): Cause {
  return {
    reason: reason === 'mailbox_exists' ? 'mailbox_restricted' : reason,
    circumstances: [...circumstances, 'address_as_mx'],
  };
}

function stronger(a: Reason, b: Reason): Reason {
  return STRENGTH.get(a)! < STRENGTH.get(b)! ? a : b;
}

function scoreOf(reason: Reason, circumstances: readonly Circumstance[]): Score {
  return SCORE_TABLE[reason].find(({ when }) => when.every((word) => circumstances.includes(word)))!;
}

/** An address literal (RFC 5321 section 4.1.3) has no MX record, so its host is rightly an address. */
function hasAddressAsMx({ parsed, mail }: JudgeInput): boolean {
  if (mail?.kind !== 'answered' || mail.answer.host === null || isIP(mail.answer.host) === 0) return false;
  return parsed.ok && parsed.address.literal === null;
}

function checksOf({ parsed, flags, mail }: JudgeInput, cause: Cause | null): Checks {
  return {
    syntax: parsed.ok ? 'pass' : 'fail',
    mx: mxCheck(mail),
    smtp: smtpCheck(mail, cause),
    catchAll: mail?.kind === 'answered' ? mail.catchAll : null,
    disposable: flags.disposable,
    role: flags.role,
    free: flags.free,
    spamTrap: flags.spamTrap,
    privacyRelay: flags.privacyRelay,
  };
}

function mxCheck(mail: MailOutcome | null): CheckState {
  if (mail === null) return 'skipped';
  if (mail.kind === 'domain') return mail.outcome === 'dns_error' ? 'unknown' : 'fail';
  if (mail.kind === 'expired' && mail.stage === 'dns') return 'unknown';
  if (mail.kind !== 'answered' || mail.answer.kind !== 'connect_failed') return 'pass';
  const { problem } = mail.answer;
  if (problem === 'dns_error') return 'unknown';
  return problem === 'no_address' || problem === 'unroutable' ? 'fail' : 'pass';
}

function smtpCheck(mail: MailOutcome | null, cause: Cause | null): CheckState {
  if (mail === null || mail.kind === 'domain' || mail.kind === 'hidden') return 'skipped';
  if (mail.kind === 'expired') return mail.stage === 'dns' ? 'skipped' : 'unknown';
  if (mail.answer.kind === 'connect_failed' && mail.answer.stage === 'dns') return 'skipped';
  if (EXISTS[cause!.reason] === true) return 'pass';
  return VERDICT_OF.get(cause!.reason) === 'invalid' ? 'fail' : 'unknown';
}

function retryAfter(reason: Reason, mail: MailOutcome | null): number | null {
  const answer = mail?.kind === 'answered' ? mail.answer : null;
  if (answer?.kind === 'connect_failed' && answer.retryAfterMs !== null) return Math.ceil(answer.retryAfterMs / 1_000);
  if (answer?.kind === 'replied' && answer.classification.class === 'not_found_soft') return BELIEVED_AFTER_SECONDS;
  return RETRY_SECONDS[reason] ?? (isTransient(answer) ? RETRY_SECONDS.temporary_failure : null);
}

/** A 4xx asks to come back (RFC 5321 section 4.2.1), whatever it is about. */
function isTransient(answer: MailboxAnswer | null): boolean {
  if (answer?.kind !== 'replied' && answer?.kind !== 'rejected_before_rcpt') return false;
  return answer.reply.code >= 400 && answer.reply.code < 500;
}

/** What makes a domain disposable or its mail host doubtful is the fact behind the verdict; what the host said to us follows. */
function evidenceFor(input: JudgeInput, reason: Reason, existsByAddress: boolean): Evidence {
  const fact = evidenceOf(input);
  const { disposableBy } = input.flags;
  if (reason === 'disposable' && disposableBy !== undefined) return behind(disposableBy, fact);
  return existsByAddress ? behind(ADDRESS_AS_MX, fact) : fact;
}

function behind(cause: string, fact: Evidence): Evidence {
  if (fact.text === UNTRUSTED) return fact;
  return { ...fact, text: evidenceText(fact.text === null ? cause : `${cause}; ${fact.text}`) };
}

function evidenceOf({ parsed, mail, mxHost, checkedAt }: JudgeInput): Evidence {
  if (!parsed.ok) return evidence('syntax', null, null, parsed.problem, checkedAt, false);
  if (mail === null || mail.kind === 'hidden') return evidence('dns', mxHost, null, null, checkedAt, false);
  if (mail.kind === 'domain') return evidence('dns', mxHost, null, mail.detail, checkedAt, mail.fromCache);
  const { answer } = mail;
  if (answer === null) {
    const stage = mail.kind === 'expired' ? mail.stage : 'rcpt';
    return evidence(stage, mxHost, null, 'time budget used up', checkedAt, false);
  }
  return evidenceOfAnswer(answer, mxHost, checkedAt, mail.kind === 'answered' ? mail.witness : null);
}

function evidenceOfAnswer(answer: MailboxAnswer, mxHost: string | null, at: number, witness: Witness | null): Evidence {
  const { stage, address } = answer;
  const host = answer.host ?? mxHost;
  switch (answer.kind) {
    case 'replied':
      return replied(answer, false, at, witness);
    case 'rejected_before_rcpt':
      return replied(answer, answer.fromCache, at, null);
    case 'connection_lost':
      return { ...evidence(stage, host, address, evidenceText(answer.detail), at, false), source: answer.source };
    case 'connect_failed': {
      const { detail, problem, fromCache, source } = answer;
      return { ...evidence(stage, host, address, evidenceText(detail || problem), at, fromCache), source };
    }
  }
}

// Written out member by member, because object spread is slow and every address passes here.
function replied(
  { stage, host, address, reply, source }: Replied | RejectedBeforeRcpt,
  fromCache: boolean,
  at: number,
  witness: Witness | null,
): Evidence {
  const { code, enhanced } = reply;
  const text = evidenceText(reply.text);
  return { stage, mxHost: host, mxAddress: address, code, enhanced, text, at, fromCache, witness, source };
}

function evidence(
  stage: Stage,
  mxHost: string | null,
  mxAddress: string | null,
  text: string | null,
  at: number,
  fromCache: boolean,
): Evidence {
  return { stage, mxHost, mxAddress, code: null, enhanced: null, text, at, fromCache, witness: null, source: null };
}
