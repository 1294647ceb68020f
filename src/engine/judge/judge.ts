import type { MailboxAnswer } from '../smtp/question.js';
import { evidenceText } from '../smtp/sanitize.js';
import {
  REASONS,
  type Checks,
  type CheckState,
  type Evidence,
  type Reason,
  type SmtpReply,
  type Stage,
  type Verdict,
  type Verification,
} from '../types.js';
import { causeOfMail, type Cause, type Circumstance } from './causes.js';
import type { Findings, MailFinding } from './findings.js';
import { SCORE_TABLE, type ScoreRow } from './score-table.js';

/** More than one reason may hold: the verdicts in the order in which they win. */
const VERDICTS: readonly Verdict[] = ['invalid', 'risky', 'unknown', 'valid'];

const STRENGTH = new Map<Reason, number>(
  VERDICTS.flatMap((verdict) => [...REASONS[verdict]]).map((reason, index) => [reason, index]),
);

const VERDICT_OF = new Map<Reason, Verdict>(
  VERDICTS.flatMap((verdict) => REASONS[verdict].map((reason): [Reason, Verdict] => [reason, verdict])),
);

/** The score table's rows by reason, in its order. */
const SCORES = new Map<Reason, readonly ScoreRow[]>(
  [...STRENGTH.keys()].map((reason) => [reason, SCORE_TABLE.filter((row) => row.reason === reason)]),
);

/** Seconds after which another try may settle an `unknown`; reasons that time does not change are not here. */
const RETRY_SECONDS: Readonly<Partial<Record<Reason, number>>> = {
  ip_blocked: 3_600,
  rate_limited: 600,
  greylisted: 300,
  temporary_failure: 900,
  smtp_timeout: 300,
  smtp_unreachable: 900,
  dns_error: 60,
};

/** "No such user" with a 4xx code is believed when it comes again an hour later. */
const BELIEVED_AFTER_SECONDS = 3_600;

/** Reasons by which a mail host has shown that the mailbox exists. */
const EXISTS: ReadonlySet<Reason> = new Set(['mailbox_exists', 'catch_all', 'mailbox_full', 'mailbox_restricted']);

/** From everything that was found to a verdict with its reason, score and evidence. A pure function. */
export function judge(findings: Findings): Verification {
  const { parsed, mail } = findings;
  const found = mail === null ? null : causeOfMail(mail, findings.gateway);
  const { reason, circumstances } = strongest(found, findings);
  const { score, confidence } = scoreOf(reason, circumstances);
  const verdict = VERDICT_OF.get(reason)!;
  return {
    email: findings.email,
    normalizedEmail: parsed.ok ? parsed.address.normalized : null,
    verdict,
    reason,
    score,
    confidence,
    checks: checksOf(findings, found),
    didYouMean: findings.didYouMean,
    provider: findings.provider,
    mxHost: findings.mxHost,
    retryAfterSeconds: verdict === 'unknown' ? retryAfter(reason, mail) : null,
    evidence: evidenceOf(findings),
    checkedAt: findings.checkedAt,
  };
}

function strongest(found: Cause | null, { parsed, flags }: Findings): Cause {
  if (!parsed.ok || found === null) return { reason: 'invalid_syntax', circumstances: [] };
  if (!flags.role && !flags.disposable && !flags.spamTrap) return found;
  const { circumstances } = found;
  let { reason } = found;
  if (flags.role) reason = stronger('role_account', reason);
  if (flags.disposable) reason = stronger('disposable', reason);
  if (flags.spamTrap) reason = stronger('spam_trap', reason);
  return { reason, circumstances };
}

function stronger(a: Reason, b: Reason): Reason {
  return STRENGTH.get(a)! < STRENGTH.get(b)! ? a : b;
}

function scoreOf(reason: Reason, circumstances: readonly Circumstance[]): ScoreRow {
  const rows = SCORES.get(reason)!;
  for (const row of rows)
    if (row.when.length === 0 || row.when.every((word) => circumstances.includes(word))) return row;
  throw new Error(`the score table has no last row for ${reason}`);
}

function checksOf({ parsed, flags, mail }: Findings, found: Cause | null): Checks {
  return {
    syntax: parsed.ok ? 'pass' : 'fail',
    mx: mxCheck(mail),
    smtp: smtpCheck(mail, found),
    catchAll: mail?.kind === 'answered' ? mail.catchAll : null,
    disposable: flags.disposable,
    role: flags.role,
    free: flags.free,
    spamTrap: flags.spamTrap,
    privacyRelay: flags.privacyRelay,
  };
}

function mxCheck(mail: MailFinding | null): CheckState {
  if (mail === null) return 'skipped';
  if (mail.kind === 'domain') return mail.outcome === 'dns_error' ? 'unknown' : 'fail';
  if (mail.kind === 'expired' && mail.stage === 'dns') return 'unknown';
  if (mail.kind !== 'answered' || mail.answer.kind !== 'unreached') return 'pass';
  const { problem } = mail.answer;
  if (problem === 'dns_error') return 'unknown';
  return problem === 'no_address' || problem === 'unroutable' ? 'fail' : 'pass';
}

function smtpCheck(mail: MailFinding | null, found: Cause | null): CheckState {
  if (mail === null || mail.kind === 'domain' || mail.kind === 'hidden') return 'skipped';
  if (mail.kind === 'expired') return mail.stage === 'dns' ? 'skipped' : 'unknown';
  if (mail.answer.kind === 'unreached' && mail.answer.stage === 'dns') return 'skipped';
  if (EXISTS.has(found!.reason)) return 'pass';
  return VERDICT_OF.get(found!.reason) === 'invalid' ? 'fail' : 'unknown';
}

function retryAfter(reason: Reason, mail: MailFinding | null): number | null {
  const answer = mail?.kind === 'answered' ? mail.answer : null;
  if (answer?.kind === 'unreached' && answer.retryAfterMs !== null) return Math.ceil(answer.retryAfterMs / 1_000);
  if (answer?.kind === 'replied' && answer.classification.class === 'not_found_soft') return BELIEVED_AFTER_SECONDS;
  return RETRY_SECONDS[reason] ?? null;
}

function evidenceOf({ parsed, mail, mxHost, checkedAt }: Findings): Evidence {
  if (!parsed.ok) return evidence('syntax', null, null, parsed.problem, checkedAt, false);
  if (mail === null || mail.kind === 'hidden') return evidence('dns', mxHost, null, null, checkedAt, false);
  if (mail.kind === 'domain') return evidence('dns', mxHost, null, mail.detail, checkedAt, mail.fromCache);
  const { answer } = mail;
  if (answer === null) {
    const stage = mail.kind === 'expired' ? mail.stage : 'rcpt';
    return evidence(stage, mxHost, null, 'time budget used up', checkedAt, false);
  }
  return spoken(answer, mxHost, checkedAt);
}

function spoken(answer: MailboxAnswer, mxHost: string | null, at: number): Evidence {
  const { stage, address } = answer;
  const host = answer.host ?? mxHost;
  switch (answer.kind) {
    case 'replied':
      return replied(stage, host, address, answer.reply, at, false);
    case 'turned_away':
      return replied(stage, host, address, answer.reply, at, answer.fromCache);
    case 'cut_off':
      return evidence(stage, host, address, evidenceText(answer.detail), at, false);
    case 'unreached':
      return evidence(stage, host, address, evidenceText(answer.detail || answer.problem), at, answer.fromCache);
  }
}

// Written out member by member: with object spread this was a third of the engine's time per address.
function replied(
  stage: Stage,
  mxHost: string | null,
  mxAddress: string | null,
  { code, enhanced, text }: SmtpReply,
  at: number,
  fromCache: boolean,
): Evidence {
  return { stage, mxHost, mxAddress, code, enhanced, text: evidenceText(text), at, fromCache };
}

function evidence(
  stage: Stage,
  mxHost: string | null,
  mxAddress: string | null,
  text: string | null,
  at: number,
  fromCache: boolean,
): Evidence {
  return { stage, mxHost, mxAddress, code: null, enhanced: null, text, at, fromCache };
}
