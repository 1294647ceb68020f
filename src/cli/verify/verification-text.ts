import pc from 'picocolors';
import type { Evidence, Witness, Verdict, Verification } from '../../engine/types.js';
import type { ReasonTexts } from '../../platform/config/reason-texts.js';
import type { VerifiedAddress } from '../../presenting/presenter.js';
import { explanationOf } from '../../presenting/verdict-meanings.js';
import { printable } from '../terminal/print.js';

const MARKS: Readonly<Record<Verdict, string>> = {
  valid: pc.green('✓'),
  invalid: pc.red('✗'),
  risky: pc.yellow('!'),
  unknown: pc.gray('?'),
};

const PAINT: Readonly<Record<Verdict, (text: string) => string>> = {
  valid: pc.green,
  invalid: pc.red,
  risky: pc.yellow,
  unknown: pc.gray,
};

const VERDICT_WIDTH = 'invalid'.length;
const LABEL_WIDTH = 14;

/** An address for a person, with all that is known of it. */
export function verificationText({ verification, latencyMs }: VerifiedAddress, reasons: ReasonTexts): string {
  const { verdict, reason } = verification;
  const text = reasons[reason];
  const rows = [
    ['reason', text === undefined ? reason : `${reason} (${text.action})`],
    ['score', `${verification.score} of 100, confidence ${verification.confidence}`],
    ...facts(verification),
    ['took', `${latencyMs} ms`],
  ] as const;
  return [
    `${MARKS[verdict]} ${pc.bold(PAINT[verdict](verdict))}  ${pc.bold(printable(verification.email))}`,
    ...(text === undefined ? [] : [`  ${explanationOf(verification, reasons)}`]),
    '',
    ...rows.map(([label, value]) => `  ${pc.dim(label.padEnd(LABEL_WIDTH))}${value}`),
    '',
  ].join('\n');
}

/** One of many addresses for a person: a line. */
export function verificationLine({ verification }: VerifiedAddress): string {
  const { verdict, reason, email, evidence } = verification;
  const said = replyOf(evidence);
  return [
    `${MARKS[verdict]} ${PAINT[verdict](verdict.padEnd(VERDICT_WIDTH))} ${printable(email)}`,
    pc.dim(said === '' || said === reason ? reason : `${reason}: ${said}`),
  ].join('  ');
}

function facts(verification: Verification): (readonly [string, string])[] {
  const { checks, provider, mxHost, retryAfterSeconds, didYouMean, normalizedEmail, email } = verification;
  const listed = [
    ...(checks.disposable ? ['disposable'] : []),
    ...(checks.role ? ['role'] : []),
    ...(checks.free ? ['free provider'] : []),
    ...(checks.spamTrap ? ['spam trap'] : []),
    ...(checks.privacyRelay ? ['privacy relay'] : []),
  ];
  const catchAll = checks.catchAll === null ? '' : `, catch-all ${checks.catchAll}`;
  const rows: (readonly [string, string | null])[] = [
    ['checks', `syntax ${checks.syntax}, mx ${checks.mx}, smtp ${checks.smtp}${catchAll}`],
    ['evidence', evidenceText(verification.evidence)],
    ['lists', listed.length > 0 ? listed.join(', ') : null],
    ['provider', provider],
    ['mail host', mxHost],
    ['normal form', normalizedEmail === email ? null : normalizedEmail],
    ['did you mean', didYouMean],
    ['try again', retryAfterSeconds === null ? null : `in ${spanOf(retryAfterSeconds)}`],
  ];
  return rows.flatMap(([label, value]) => (value === null ? [] : [[label, printable(value)] as const]));
}

function evidenceText(evidence: Evidence): string {
  const { stage, mxHost, mxAddress, fromCache, witness } = evidence;
  const where = mxHost === null ? '' : ` at ${mxHost}${mxAddress === null ? '' : ` [${mxAddress}]`}`;
  const said = replyOf(evidence);
  const settled = witness === null ? '' : ` (settled by ${SETTLED_BY[witness]})`;
  return `${stage}${where}${said === '' ? '' : `: ${said}`}${fromCache ? ' (known from before)' : ''}${settled}`;
}

const SETTLED_BY: Readonly<Record<Witness, string>> = {
  accepted_name: 'other names, which are accepted or plainly unknown',
  reply_text: 'its words alone',
  postmaster: 'postmaster, who is refused too',
  made_up_name: 'a made-up name, which gets another answer',
  unrelated_domains: 'names of unrelated domains, which get the same words',
};

function replyOf({ code, enhanced, text }: Evidence): string {
  return [code, enhanced, text].filter((part) => part !== null).join(' ');
}

function spanOf(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
