import type { Reason } from '../types.js';
import type { Circumstance } from './causes.js';

export interface ScoreRow {
  readonly reason: Reason;
  /** The row holds when all of these do. */
  readonly when: readonly Circumstance[];
  /** 0–100, how safe it is to send: 0–10 `invalid`, 11–79 `risky` and `unknown`, 80–100 `valid`. */
  readonly score: number;
  /** 0–1, how sure the verdict is. An `unknown` says how little is known. */
  readonly confidence: number;
  readonly why: string;
}

function row(reason: Reason, when: readonly Circumstance[], score: number, confidence: number, why: string): ScoreRow {
  return { reason, when, score, confidence, why };
}

/** Read from the top: the first row with the reason whose circumstances all hold. Each reason ends in a row without any. */
export const SCORE_TABLE: readonly ScoreRow[] = [
  row('invalid_syntax', [], 0, 1, 'No server can be given such an address.'),
  row('domain_not_found', [], 0, 0.99, 'The DNS says that the domain does not exist.'),
  row('no_mail_server', [], 1, 0.97, 'The domain exists, and nothing at it takes mail.'),
  row('null_mx', [], 0, 1, 'The domain declares that it takes no mail (RFC 7505).'),
  row('unroutable_mail_server', [], 2, 0.95, 'Its mail servers have only addresses that the internet cannot reach.'),
  row('mailbox_not_found', ['by_witness'], 6, 0.85, 'Refused like a made-up name, by a server that serves us.'),
  row('mailbox_not_found', ['by_text'], 9, 0.7, 'The words speak of the recipient alone, without a reason.'),
  row('mailbox_not_found', ['repeated_4xx'], 8, 0.8, 'Twice, an hour apart, "no such user" with a temporary code.'),
  row('mailbox_not_found', ['gateway', 'weak_code'], 9, 0.75, 'A filter refused it with a code and no plain words.'),
  row('mailbox_not_found', ['gateway'], 5, 0.9, 'A filter says so; some refuse strangers like this.'),
  row('mailbox_not_found', ['weak_code'], 4, 0.92, 'The code says so, the words do not.'),
  row('mailbox_not_found', [], 1, 0.98, 'The server says that there is no such mailbox.'),
  row('mailbox_disabled', [], 3, 0.95, 'The mailbox existed and was closed.'),
  row('domain_not_served', [], 5, 0.9, 'Every mail server of the domain denies relaying for it, postmaster included.'),

  row('spam_trap', [], 12, 0.95, 'Listed as a trap: mail to it harms the sender.'),
  row('disposable', ['catch_all'], 20, 0.9, 'A throw-away domain that accepts every name.'),
  row('disposable', ['accepted'], 25, 0.9, 'It works now, and not for long.'),
  row('disposable', [], 20, 0.85, 'A throw-away domain; its server told us nothing.'),
  row(
    'catch_all',
    ['address_as_mx'],
    40,
    0.45,
    'It accepts every name; its MX record is an address, which many senders refuse.',
  ),
  row('catch_all', ['backup_host'], 45, 0.5, 'Only a backup server answered, and it accepts every name.'),
  row('catch_all', [], 50, 0.6, 'The domain accepts every name, so this one may or may not exist.'),
  row('mailbox_full', [], 40, 0.9, 'It exists and cannot take mail now.'),
  // An MX record names a host, never an address (RFC 5321 section 5.1); Exim, for one, bounces such mail unless `allow_mx_to_ip` is set.
  row(
    'mailbox_restricted',
    ['address_as_mx', 'accepted'],
    60,
    0.6,
    'Accepted by a host that the MX record names by its address, which many senders refuse.',
  ),
  row(
    'mailbox_restricted',
    [],
    35,
    0.85,
    'It exists and takes mail from some senders only, or not for the time being.',
  ),
  row(
    'role_account',
    ['catch_all_undetermined'],
    65,
    0.75,
    'Accepted; a task, not a person; perhaps every name is accepted.',
  ),
  row('role_account', [], 70, 0.9, 'The mailbox exists; it belongs to a task, not to a person.'),

  row('ip_blocked', [], 45, 0.05, 'The server refuses us, which says nothing about the mailbox.'),
  row('sender_rejected', [], 45, 0.05, 'The server refuses our sender address.'),
  row('policy_rejected', [], 45, 0.05, 'A rule about messages and senders refuses us, whatever the mailbox.'),
  row('rate_limited', [], 50, 0.1, 'The server wants us to slow down.'),
  row(
    'enumeration_suspected',
    [],
    45,
    0,
    'Mailsonde did not check it: the account has checked too many addresses at its domain that do not exist.',
  ),
  row('greylisted', [], 55, 0.15, 'The server asks to come back, as it asks every stranger.'),
  row('temporary_failure', [], 45, 0.1, 'The server has a passing difficulty.'),
  row('smtp_timeout', [], 40, 0.1, 'The server did not answer in time.'),
  row('smtp_unreachable', [], 30, 0.15, 'No connection to any mail server of the domain.'),
  row('port25_blocked', [], 45, 0, 'No connection leaves this machine, so nothing was learned.'),
  row('smtp_protocol_error', [], 40, 0.1, 'The server does not speak SMTP as agreed.'),
  row('smtputf8_unsupported', [], 30, 0.3, 'The server does not announce support for such local parts.'),
  row('dns_error', [], 30, 0.1, 'The DNS gave no answer that can be believed.'),
  row('provider_hides_mailboxes', [], 60, 0.2, 'The operator accepts every name at first and decides later.'),
  row('ambiguous_refusal', [], 25, 0.3, 'Refused for a reason that may be us or the mailbox.'),

  row('mailbox_exists', ['exists_but_busy'], 84, 0.85, 'It exists and gets too much mail at the moment.'),
  row('mailbox_exists', ['catch_all_undetermined', 'backup_host'], 80, 0.65, 'A backup server accepted it.'),
  row(
    'mailbox_exists',
    ['catch_all_undetermined'],
    82,
    0.75,
    'Accepted; whether every name is accepted could not be learned.',
  ),
  row('mailbox_exists', ['backup_host'], 85, 0.8, 'A backup server accepted it; the first choice did not answer.'),
  row('mailbox_exists', ['known_constant'], 97, 0.97, 'Accepted by an operator known to refuse unknown names.'),
  row('mailbox_exists', [], 98, 0.98, 'Accepted, while a made-up name was refused.'),
];
