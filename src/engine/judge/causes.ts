import type { ConnectFailed } from '../smtp/connect/connect-result.js';
import type { ConnectionLost, MailboxAnswer } from '../smtp/probe/recipient-probe.js';
import type { Reason, ReplyClass, Witness, CatchAll, ListFlags, ParsedAddress, Stage } from '../types.js';

/** Circumstances that make the same reason more or less certain; the score table knows them by these words. */
export type Circumstance =
  | 'catch_all_undetermined'
  | 'known_constant'
  | 'exists_but_busy'
  | 'backup_host'
  /** The domain's MX record names the host that answered by its address. */
  | 'address_as_mx'
  | 'gateway'
  | 'weak_code'
  | 'by_witness'
  | 'by_text'
  | 'repeated_4xx'
  | 'accepted'
  /** The domain accepts every name; kept when a stronger reason is reported. */
  | 'catch_all';

export interface Cause {
  readonly reason: Reason;
  readonly circumstances: readonly Circumstance[];
}

/** A reply's class at RCPT -> what it means. The classes that need more than the class are in `causeOfReply`. */
const RCPT_REASONS = {
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
  content_or_policy: 'policy_rejected',
  not_found: 'mailbox_not_found',
  not_found_soft: 'temporary_failure',
  smtputf8_unsupported: 'smtputf8_unsupported',
  temporary: 'temporary_failure',
  protocol_error: 'smtp_protocol_error',
  ambiguous: 'ambiguous_refusal',
} as const satisfies Readonly<Record<ReplyClass, Reason>>;

/**
 * A reply's class before RCPT -> what it means. No mailbox has been named yet, so nothing can be known about one: these classes say what
 * is in the way. Null: the decision table does not give this class before RCPT.
 */
export const REASONS_BEFORE_RCPT: Readonly<Record<ReplyClass, Reason | null>> = {
  accepted: null,
  accepted_unverified: null,
  greylisted: 'greylisted',
  verification_pending: null,
  full: null,
  recipient_rate: null,
  rate_limited: 'rate_limited',
  disabled: null,
  disabled_temporarily: null,
  ip_blocked: 'ip_blocked',
  ptr_required: 'ip_blocked',
  relay_denied: null,
  sender_rejected: 'sender_rejected',
  tls_required: 'smtp_protocol_error',
  restricted: null,
  content_or_policy: null,
  not_found: null,
  not_found_soft: null,
  smtputf8_unsupported: null,
  temporary: 'temporary_failure',
  protocol_error: 'smtp_protocol_error',
  ambiguous: 'ambiguous_refusal',
};

const CONNECTION_LOST_REASONS: Readonly<Record<ConnectionLost['problem'], Reason>> = {
  timeout: 'smtp_timeout',
  closed: 'temporary_failure',
  protocol: 'smtp_protocol_error',
  smtputf8: 'smtputf8_unsupported',
};

const CONNECT_FAILED_REASONS = {
  circuit_open: 'ip_blocked',
  protocol: 'smtp_protocol_error',
  tls: 'smtp_protocol_error',
  closed: 'smtp_unreachable',
  timeout: 'smtp_timeout',
  refused: 'smtp_unreachable',
  unreachable: 'smtp_unreachable',
  source_failed: 'smtp_unreachable',
  port25_blocked: 'port25_blocked',
  dns_error: 'dns_error',
  unroutable: 'unroutable_mail_server',
  no_address: 'no_mail_server',
  left_alone: 'sender_rejected',
  slowed_down: 'enumeration_suspected',
  given_up: 'temporary_failure',
} as const satisfies Readonly<Record<ConnectFailed['problem'], Reason>>;

/** The cause for an accepted recipient, by what is known about the domain; made once, because most addresses end here. */
const ACCEPTED = {
  yes: cause('catch_all', 'accepted', 'catch_all'),
  no: cause('mailbox_exists', 'accepted'),
  undetermined: cause('mailbox_exists', 'accepted', 'catch_all_undetermined'),
  known_constant: cause('mailbox_exists', 'accepted', 'known_constant'),
} as const;

/** The reason that a mail outcome amounts to, and the circumstances that make it more or less certain. */
export function causeOfMail(mail: MailOutcome, gateway: boolean): Cause {
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

function causeOfAnswer(mail: Extract<MailOutcome, { kind: 'answered' }>, gateway: boolean): Cause {
  const { answer } = mail;
  switch (answer.kind) {
    case 'connect_failed':
      return cause(CONNECT_FAILED_REASONS[answer.problem]);
    case 'connection_lost':
      return cause(CONNECTION_LOST_REASONS[answer.problem]);
    case 'rejected_before_rcpt':
      return cause(REASONS_BEFORE_RCPT[answer.classification.class] ?? 'ambiguous_refusal');
    case 'replied':
      if (answer.stage !== 'rcpt')
        return cause(REASONS_BEFORE_RCPT[answer.classification.class] ?? 'ambiguous_refusal');
      return causeOfReply(mail, answer, gateway);
  }
}

function causeOfReply(
  mail: Extract<MailOutcome, { kind: 'answered' }>,
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
      return causeByWitness(mail.witness);
    default:
      return cause(RCPT_REASONS[classification.class]);
  }
}

function causeByWitness(witness: Witness | null): Cause {
  switch (witness) {
    case 'accepted_name':
      return cause('mailbox_not_found', 'by_witness');
    case 'reply_text':
      return cause('mailbox_not_found', 'by_text');
    case 'postmaster':
    case 'made_up_name':
    case 'unrelated_domains':
    case null:
      return cause('ambiguous_refusal');
  }
}

/** The mailbox answered, and the control probe that would have settled what the answer means did not. */
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

/** What replies, connections, the DNS, control probes, the address itself and the lists lead to. */
type CausedReason =
  | (typeof RCPT_REASONS)[ReplyClass]
  | (typeof CONNECT_FAILED_REASONS)[ConnectFailed['problem']]
  | Extract<MailOutcome, { kind: 'domain' }>['outcome']
  | Extract<ControlOutcome, Reason>
  | 'catch_all'
  | 'invalid_syntax'
  | 'spam_trap'
  | 'disposable'
  | 'role_account';

type None<T extends never> = T;
/** A new reason needs a cause: the compiler names it here until it has one. */
export type ReasonWithoutCause = None<Exclude<Reason, CausedReason>>;

/** The outcome of asking the mail hosts about an address. */
export type MailOutcome =
  /** Nothing was asked: the address or its domain decides. */
  | {
      readonly kind: 'domain';
      readonly outcome: 'domain_not_found' | 'no_mail_server' | 'null_mx' | 'dns_error';
      readonly detail: string;
      readonly fromCache: boolean;
    }
  /** The operator accepts every name at RCPT, so it was not asked. */
  | { readonly kind: 'hidden' }
  /** The time budget ran out while waiting for `stage`; `answer` is the mailbox's, when only a control probe was outstanding. */
  | { readonly kind: 'expired'; readonly stage: Stage; readonly answer: MailboxAnswer | null }
  | {
      readonly kind: 'answered';
      readonly answer: MailboxAnswer;
      /** Null when it was not checked. */
      readonly catchAll: CatchAll | null;
      readonly control: ControlOutcome | null;
      /** What settled a refusal that gives no reason. */
      readonly witness: Witness | null;
    };

/** The outcome of control probes and earlier answers, where it changes the meaning of the mailbox's answer. */
export type ControlOutcome =
  /** The operator's own domains are known not to be catch-all: no made-up name was asked. */
  | 'known_constant'
  /** Every mail host of the domain denies relaying, for postmaster too. */
  | 'domain_not_served'
  /** The server gave this 4xx "no such user" at least an hour ago too. */
  | 'repeated';

/** Everything that is known about an address when it is judged. */
export interface JudgeInput {
  readonly email: string;
  readonly parsed: ParsedAddress;
  readonly flags: ListFlags;
  readonly mail: MailOutcome | null;
  readonly provider: string | null;
  /** A filter in front of the real server: a generic refusal says less. */
  readonly gateway: boolean;
  /** The domain's first mail host, when it is known. */
  readonly mxHost: string | null;
  readonly didYouMean: string | null;
  readonly checkedAt: number;
}
