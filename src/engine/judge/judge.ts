import type { MailboxAnswer } from '../smtp/question.js';
import { evidenceText } from '../smtp/sanitize.js';
import {
  REASONS,
  type Checks,
  type CheckState,
  type Evidence,
  type Reason,
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
  const holding: Reason[] = [found.reason];
  if (flags.spamTrap) holding.push('spam_trap');
  if (flags.disposable) holding.push('disposable');
  if (flags.role) holding.push('role_account');
  const reason = holding.reduce((a, b) => (STRENGTH.get(b)! < STRENGTH.get(a)! ? b : a));
  return { reason, circumstances: found.circumstances };
}

function scoreOf(reason: Reason, circumstances: readonly Circumstance[]): ScoreRow {
  return SCORE_TABLE.find((row) => row.reason === reason && row.when.every((word) => circumstances.includes(word)))!;
}

function checksOf({ parsed, flags, mail }: Findings, found: Cause | null): Checks {
  return {
    syntax: parsed.ok ? 'pass' : 'fail',
    mx: mxCheck(mail),
    smtp: smtpCheck(mail, found),
    catchAll: mail?.kind === 'answered' ? mail.catchAll : null,
    ...flags,
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
  return RETRY_SECONDS[reason] ?? null;
}

function evidenceOf({ parsed, mail, mxHost, checkedAt }: Findings): Evidence {
  const nothing = { mxHost, mxAddress: null, code: null, enhanced: null, at: checkedAt, fromCache: false };
  if (!parsed.ok) return { ...nothing, stage: 'syntax', text: parsed.problem };
  if (mail === null || mail.kind === 'hidden') return { ...nothing, stage: 'dns', text: null };
  if (mail.kind === 'domain') return { ...nothing, stage: 'dns', text: mail.detail, fromCache: mail.fromCache };
  const answer = mail.answer;
  if (answer === null)
    return { ...nothing, stage: mail.kind === 'expired' ? mail.stage : 'rcpt', text: 'time budget used up' };
  return {
    ...nothing,
    ...spoken(answer),
    mxHost: answer.host ?? mxHost,
    mxAddress: answer.address,
    stage: answer.stage,
  };
}

function spoken(answer: MailboxAnswer): Pick<Evidence, 'code' | 'enhanced' | 'text' | 'fromCache'> {
  const fromCache = 'fromCache' in answer && answer.fromCache;
  const reply = 'reply' in answer ? answer.reply : null;
  if (reply !== null) return { code: reply.code, enhanced: reply.enhanced, text: evidenceText(reply.text), fromCache };
  const text =
    'detail' in answer && answer.detail !== ''
      ? evidenceText(answer.detail)
      : 'problem' in answer
        ? answer.problem
        : null;
  return { code: null, enhanced: null, text, fromCache };
}
