import type { ControlFinding, Findings, MailFinding } from '../../src/engine/judge/findings.js';
import type { TurnedAway, Unreached } from '../../src/engine/smtp/attempt.js';
import type { CutOff, MailboxAnswer, Replied } from '../../src/engine/smtp/question.js';
import { parseAddress } from '../../src/engine/syntax/address.js';
import type { CatchAll, ListFlags, ReplyClass, Stage } from '../../src/engine/types.js';

export const NO_FLAGS: ListFlags = {
  disposable: false,
  role: false,
  free: false,
  spamTrap: false,
  privacyRelay: false,
};
const HOST = { host: 'mx.example.com', address: '192.0.2.1' } as const;
export const AT = 1_767_225_600_000;

const CLASSES: readonly ReplyClass[] = [
  'accepted',
  'accepted_unverified',
  'greylisted',
  'verification_pending',
  'full',
  'recipient_rate',
  'rate_limited',
  'disabled',
  'disabled_temporarily',
  'ip_blocked',
  'ptr_required',
  'relay_denied',
  'sender_rejected',
  'tls_required',
  'restricted',
  'content_or_policy',
  'not_found',
  'not_found_soft',
  'smtputf8_unsupported',
  'temporary',
  'protocol_error',
  'ambiguous',
];
const PROBLEMS: readonly Unreached['problem'][] = [
  'circuit_open',
  'protocol',
  'tls',
  'closed',
  'timeout',
  'refused',
  'unreachable',
  'port25_blocked',
  'dns_error',
  'unroutable',
  'no_address',
  'given_up',
];
const CONTROLS: readonly (ControlFinding | null)[] = [
  null,
  'known_constant',
  'refuses_like_made_up',
  'domain_not_served',
  'repeated',
];

export function findings(mail: MailFinding | null, other: Partial<Findings> = {}): Findings {
  return {
    email: 'jane@example.com',
    parsed: parseAddress('jane@example.com'),
    flags: NO_FLAGS,
    mail,
    provider: null,
    gateway: false,
    mxHost: HOST.host,
    didYouMean: null,
    checkedAt: AT,
    ...other,
  };
}

export function replied(about: ReplyClass, other: Partial<Replied> & { weight?: 'strong' | 'weak' } = {}): Replied {
  const code = about.startsWith('accepted') ? 250 : 550;
  const { weight = 'strong', ...rest } = other;
  return {
    kind: 'replied',
    stage: 'rcpt',
    reply: { code, enhanced: null, text: 'text' },
    classification: { class: about, row: 'row', weight },
    ...HOST,
    primary: true,
    ...rest,
  };
}

export function turnedAway(about: ReplyClass, stage: Stage = 'banner'): TurnedAway {
  const { reply, classification } = replied(about);
  return { kind: 'turned_away', stage, reply, classification, ...HOST, fromCache: false };
}

export function unreached(problem: Unreached['problem']): Unreached {
  return { kind: 'unreached', problem, stage: 'connect', detail: '', ...HOST, fromCache: false, retryAfterMs: null };
}

export function cutOff(problem: CutOff['problem']): CutOff {
  return { kind: 'cut_off', problem, stage: 'rcpt', detail: 'gone', ...HOST };
}

export function answered(
  answer: MailboxAnswer,
  catchAll: CatchAll | null = null,
  control: ControlFinding | null = null,
): MailFinding {
  return { kind: 'answered', answer, catchAll, control };
}

/** Whatever the asking can come to. */
export function* mails(): Generator<MailFinding> {
  for (const outcome of ['domain_not_found', 'no_mail_server', 'null_mx', 'dns_error'] as const) {
    yield { kind: 'domain', outcome, detail: outcome, fromCache: false };
  }
  yield { kind: 'hidden' };
  for (const stage of ['dns', 'connect'] as const) yield { kind: 'expired', stage, answer: null };
  for (const problem of PROBLEMS) yield answered(unreached(problem));
  for (const problem of ['timeout', 'closed', 'protocol', 'smtputf8'] as const) yield answered(cutOff(problem));
  for (const about of CLASSES) {
    yield answered(turnedAway(about));
    yield answered(replied(about, { stage: 'mail' }));
    yield { kind: 'expired', stage: 'rcpt', answer: replied(about) };
    for (const weight of ['strong', 'weak'] as const) {
      for (const primary of [true, false]) {
        for (const catchAll of [null, 'yes', 'no', 'undetermined'] as const) {
          for (const control of CONTROLS) yield answered(replied(about, { weight, primary }), catchAll, control);
        }
      }
    }
  }
}
