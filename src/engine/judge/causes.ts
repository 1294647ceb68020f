import type { Unreached } from '../smtp/attempt.js';
import type { CutOff, MailboxAnswer } from '../smtp/question.js';
import type { Reason, ReplyClass } from '../types.js';
import type { MailFinding } from './findings.js';

/** Circumstances that make the same reason more or less certain; the score table knows them by these words. */
export type Circumstance =
  | 'catch_all_undetermined'
  | 'known_constant'
  | 'exists_but_busy'
  | 'backup_host'
  | 'gateway'
  | 'weak_code'
  | 'by_control'
  | 'repeated_4xx'
  | 'accepted'
  /** Known although a stronger reason is reported. */
  | 'catch_all';

export interface Cause {
  readonly reason: Reason;
  readonly circumstances: readonly Circumstance[];
}

/** A reply's class at RCPT -> what it means. The classes that need more than the class are in `causeOfReply`. */
const RCPT_REASONS: Readonly<Record<ReplyClass, Reason>> = {
  accepted: 'mailbox_exists',
  accepted_unverified: 'provider_hides_mailboxes',
  greylisted: 'greylisted',
  verification_pending: 'temporary_failure',
  full: 'mailbox_full',
  recipient_rate: 'mailbox_exists',
  rate_limited: 'rate_limited',
  disabled: 'mailbox_disabled',
  disabled_temporarily: 'mailbox_restricted',
  ip_blocked: 'ip_blocked',
  ptr_required: 'ip_blocked',
  relay_denied: 'ambiguous_refusal',
  sender_rejected: 'sender_rejected',
  tls_required: 'smtp_protocol_error',
  restricted: 'mailbox_restricted',
  content_or_policy: 'ambiguous_refusal',
  not_found: 'mailbox_not_found',
  not_found_soft: 'temporary_failure',
  smtputf8_unsupported: 'smtputf8_unsupported',
  temporary: 'temporary_failure',
  protocol_error: 'smtp_protocol_error',
  ambiguous: 'ambiguous_refusal',
};

/** Before RCPT nobody has named a mailbox, so nothing can be known of it: these classes say what is in the way. */
const EARLIER_REASONS: Readonly<Partial<Record<ReplyClass, Reason>>> = {
  greylisted: 'greylisted',
  verification_pending: 'temporary_failure',
  rate_limited: 'rate_limited',
  ip_blocked: 'ip_blocked',
  ptr_required: 'ip_blocked',
  sender_rejected: 'sender_rejected',
  tls_required: 'smtp_protocol_error',
  temporary: 'temporary_failure',
  protocol_error: 'smtp_protocol_error',
  smtputf8_unsupported: 'smtputf8_unsupported',
};

const CUT_OFF_REASONS: Readonly<Record<CutOff['problem'], Reason>> = {
  timeout: 'smtp_timeout',
  closed: 'temporary_failure',
  protocol: 'smtp_protocol_error',
  smtputf8: 'smtputf8_unsupported',
};

const UNREACHED_REASONS: Readonly<Record<Unreached['problem'], Reason>> = {
  circuit_open: 'ip_blocked',
  protocol: 'smtp_protocol_error',
  tls: 'smtp_protocol_error',
  closed: 'smtp_unreachable',
  timeout: 'smtp_timeout',
  refused: 'smtp_unreachable',
  unreachable: 'smtp_unreachable',
  port25_blocked: 'port25_blocked',
  dns_error: 'dns_error',
  unroutable: 'unroutable_mail_server',
  no_address: 'no_mail_server',
  given_up: 'temporary_failure',
};

/** An accepted recipient, by what is known of the others of its domain; made once, because most addresses end here. */
const ACCEPTED = {
  yes: cause('catch_all', 'accepted', 'catch_all'),
  no: cause('mailbox_exists', 'accepted'),
  undetermined: cause('mailbox_exists', 'accepted', 'catch_all_undetermined'),
  known_constant: cause('mailbox_exists', 'accepted', 'known_constant'),
} as const;

/** What the asking came to, as a reason and the circumstances that bear on its certainty. */
export function causeOfMail(mail: MailFinding, gateway: boolean): Cause {
  switch (mail.kind) {
    case 'domain':
      return cause(mail.outcome);
    case 'hidden':
      return cause('provider_hides_mailboxes');
    case 'expired':
      return cause(
        mail.stage === 'dns' ? 'dns_error' : mail.answer === null ? 'smtp_timeout' : reasonSoFar(mail.answer),
      );
    case 'answered':
      return causeOfAnswer(mail, gateway);
  }
}

function causeOfAnswer(mail: Extract<MailFinding, { kind: 'answered' }>, gateway: boolean): Cause {
  const { answer } = mail;
  switch (answer.kind) {
    case 'unreached':
      return cause(UNREACHED_REASONS[answer.problem]);
    case 'cut_off':
      return cause(CUT_OFF_REASONS[answer.problem]);
    case 'turned_away':
      return cause(EARLIER_REASONS[answer.classification.class] ?? 'ambiguous_refusal');
    case 'replied':
      if (answer.stage !== 'rcpt') return cause(EARLIER_REASONS[answer.classification.class] ?? 'ambiguous_refusal');
      return causeOfReply(mail, answer, gateway);
  }
}

function causeOfReply(
  mail: Extract<MailFinding, { kind: 'answered' }>,
  { classification, primary }: Extract<MailboxAnswer, { kind: 'replied' }>,
  gateway: boolean,
): Cause {
  switch (classification.class) {
    case 'accepted': {
      const known = mail.catchAll !== 'yes' && mail.control === 'known_constant';
      return byHost(ACCEPTED[known ? 'known_constant' : (mail.catchAll ?? 'undetermined')], primary);
    }
    case 'recipient_rate':
      return byHost(cause('mailbox_exists', 'exists_but_busy'), primary);
    case 'not_found': {
      const weak: Circumstance[] = classification.weight === 'weak' ? ['weak_code'] : [];
      return cause('mailbox_not_found', ...weak, ...(gateway ? (['gateway'] as const) : []));
    }
    case 'not_found_soft':
      return mail.control === 'repeated' ? cause('mailbox_not_found', 'repeated_4xx') : cause('temporary_failure');
    case 'relay_denied':
      return cause(mail.control === 'domain_not_served' ? 'domain_not_served' : 'ambiguous_refusal');
    case 'ambiguous':
      return mail.control === 'refuses_like_made_up'
        ? cause('mailbox_not_found', 'by_control')
        : cause('ambiguous_refusal');
    default:
      return cause(RCPT_REASONS[classification.class]);
  }
}

/** The mailbox answered, and a control that would have settled what it means did not. */
function reasonSoFar(answer: MailboxAnswer): Reason {
  const accepted = answer.kind === 'replied' && answer.classification.class === 'accepted';
  return accepted ? 'smtp_timeout' : 'ambiguous_refusal';
}

function byHost(known: Cause, primary: boolean): Cause {
  return primary ? known : cause(known.reason, ...known.circumstances, 'backup_host');
}

function cause(reason: Reason, ...circumstances: Circumstance[]): Cause {
  return { reason, circumstances };
}
