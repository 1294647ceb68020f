import type { ControlOutcome, JudgeInput, MailOutcome } from '../../src/engine/judge/causes.js';
import type { RejectedBeforeRcpt, ConnectFailed } from '../../src/engine/smtp/connect/connect-result.js';
import type { ConnectionLost, MailboxAnswer, Replied } from '../../src/engine/smtp/probe/recipient-probe.js';
import { parseAddress } from '../../src/engine/syntax/address.js';
import {
  WITNESSES,
  type CatchAll,
  type ListFlags,
  type ReplyClass,
  type Stage,
  type Witness,
} from '../../src/engine/types.js';

export const NO_FLAGS: ListFlags = {
  disposable: false,
  role: false,
  free: false,
  spamTrap: false,
  privacyRelay: false,
};
const HOST = { host: 'mx.example.com', address: '192.0.2.1' } as const;
export const AT = 1_767_225_600_000;

const CLASSES = Object.keys({
  accepted: true,
  accepted_unverified: true,
  greylisted: true,
  verification_pending: true,
  full: true,
  recipient_rate: true,
  rate_limited: true,
  disabled: true,
  disabled_temporarily: true,
  ip_blocked: true,
  ptr_required: true,
  relay_denied: true,
  sender_rejected: true,
  tls_required: true,
  restricted: true,
  content_or_policy: true,
  not_found: true,
  not_found_soft: true,
  smtputf8_unsupported: true,
  temporary: true,
  protocol_error: true,
  ambiguous: true,
} satisfies Record<ReplyClass, true>) as ReplyClass[];
const PROBLEMS: readonly ConnectFailed['problem'][] = [
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
  'slowed_down',
  'given_up',
];
const CONTROLS: readonly (ControlOutcome | null)[] = [null, 'known_constant', 'domain_not_served', 'repeated'];

export function judgeInput(mail: MailOutcome | null, other: Partial<JudgeInput> = {}): JudgeInput {
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
    source: 'default',
    sourceKey: 'default 198.51.100.1',
    primary: true,
    ...rest,
  };
}

export function rejectedBeforeRcpt(about: ReplyClass, stage: Stage = 'banner'): RejectedBeforeRcpt {
  const { reply, classification } = replied(about);
  return { kind: 'rejected_before_rcpt', stage, reply, classification, ...HOST, fromCache: false, source: 'default' };
}

export function connectFailed(problem: ConnectFailed['problem']): ConnectFailed {
  return {
    kind: 'connect_failed',
    problem,
    stage: 'connect',
    detail: '',
    ...HOST,
    fromCache: false,
    retryAfterMs: null,
    source: 'default',
  };
}

export function connectionLost(problem: ConnectionLost['problem']): ConnectionLost {
  return { kind: 'connection_lost', problem, stage: 'rcpt', detail: 'gone', ...HOST, source: 'default' };
}

export function answered(
  answer: MailboxAnswer,
  catchAll: CatchAll | null = null,
  control: ControlOutcome | null = null,
  witness: Witness | null = null,
): MailOutcome {
  return { kind: 'answered', answer, catchAll, control, witness };
}

/** Whatever the asking can come to. */
export function* mailOutcomes(): Generator<MailOutcome> {
  for (const outcome of ['domain_not_found', 'no_mail_server', 'null_mx', 'dns_error'] as const) {
    yield { kind: 'domain', outcome, detail: outcome, fromCache: false };
  }
  yield { kind: 'hidden' };
  for (const stage of ['dns', 'connect'] as const) yield { kind: 'expired', stage, answer: null };
  for (const problem of PROBLEMS) yield answered(connectFailed(problem));
  for (const problem of ['timeout', 'closed', 'protocol', 'smtputf8'] as const) yield answered(connectionLost(problem));
  for (const about of CLASSES) {
    yield answered(rejectedBeforeRcpt(about));
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
  for (const witness of WITNESSES) yield answered(replied('ambiguous'), null, null, witness);
}
