import type { Reason } from '../types.js';
import type { Circumstance } from './causes.js';

export interface Score {
  /** The row holds when all of these do. */
  readonly when: readonly Circumstance[];
  /** 0–100, how safe it is to send: 0–10 `invalid`, 11–79 `risky` and `unknown`, 80–100 `valid`. */
  readonly score: number;
  /** 0–1, how sure the verdict is. An `unknown` says how little is known. */
  readonly confidence: number;
  readonly why: string;
}

/** Holds whatever the circumstances. */
interface LastScore extends Score {
  readonly when: readonly [];
}

function when(circumstances: readonly Circumstance[], score: number, confidence: number, why: string): Score {
  return { when: circumstances, score, confidence, why };
}

function otherwise(score: number, confidence: number, why: string): LastScore {
  return { when: [], score, confidence, why };
}

/** Read from the top: the first row of the reason whose circumstances all hold. */
export const SCORE_TABLE: Readonly<Record<Reason, readonly [...Score[], LastScore]>> = {
  invalid_syntax: [otherwise(0, 1, 'No server can be given such an address.')],
  domain_not_found: [otherwise(0, 0.99, 'The DNS says that the domain does not exist.')],
  no_mail_server: [otherwise(1, 0.97, 'The domain exists, and nothing at it takes mail.')],
  null_mx: [otherwise(0, 1, 'The domain declares that it takes no mail (RFC 7505).')],
  unroutable_mail_server: [otherwise(2, 0.95, 'Its mail servers have only addresses that the internet cannot reach.')],
  mailbox_not_found: [
    when(['by_witness'], 6, 0.85, 'Refused like a made-up name, by a server that serves us.'),
    when(['by_text'], 9, 0.7, 'The words speak of the recipient alone, without a reason.'),
    when(['repeated_4xx'], 8, 0.8, 'Twice, an hour apart, "no such user" with a temporary code.'),
    when(['gateway', 'weak_code'], 9, 0.75, 'A filter refused it with a code and no plain words.'),
    when(['gateway'], 5, 0.9, 'A filter says so; some refuse strangers like this.'),
    when(['weak_code'], 4, 0.92, 'The code says so, the words do not.'),
    otherwise(1, 0.98, 'The server says that there is no such mailbox.'),
  ],
  mailbox_disabled: [otherwise(3, 0.95, 'The mailbox existed and was closed.')],
  domain_not_served: [
    otherwise(5, 0.9, 'Every mail server of the domain denies relaying for it, postmaster included.'),
  ],
  spam_trap: [otherwise(12, 0.95, 'Listed as a trap: mail to it harms the sender.')],
  disposable: [
    when(['catch_all'], 20, 0.9, 'A throw-away domain that accepts every name.'),
    when(['accepted'], 25, 0.9, 'It works now, and not for long.'),
    otherwise(20, 0.85, 'A throw-away domain; its server told us nothing.'),
  ],
  catch_all: [
    when(['address_as_mx'], 40, 0.45, 'It accepts every name; its MX record is an address, which many senders refuse.'),
    when(['backup_host'], 45, 0.5, 'Only a backup server answered, and it accepts every name.'),
    otherwise(50, 0.6, 'The domain accepts every name, so this one may or may not exist.'),
  ],
  mailbox_full: [otherwise(40, 0.9, 'It exists and cannot take mail now.')],
  mailbox_restricted: [
    // An MX record names a host, never an address (RFC 5321 section 5.1); Exim, for one, bounces such mail unless `allow_mx_to_ip` is set.
    when(
      ['address_as_mx', 'accepted'],
      60,
      0.6,
      'Accepted by a host that the MX record names by its address, which many senders refuse.',
    ),
    otherwise(35, 0.85, 'It exists and takes mail from some senders only, or not for the time being.'),
  ],
  role_account: [
    when(['catch_all_undetermined'], 65, 0.75, 'Accepted; a task, not a person; perhaps every name is accepted.'),
    otherwise(70, 0.9, 'The mailbox exists; it belongs to a task, not to a person.'),
  ],
  ip_blocked: [otherwise(45, 0.05, 'The server refuses us, which says nothing about the mailbox.')],
  sender_rejected: [otherwise(45, 0.05, 'The server refuses our sender address.')],
  policy_rejected: [otherwise(45, 0.05, 'A rule about messages and senders refuses us, whatever the mailbox.')],
  rate_limited: [otherwise(50, 0.1, 'The server wants us to slow down.')],
  enumeration_suspected: [
    otherwise(
      45,
      0,
      'Mailsonde did not check it: the account has checked too many addresses at its domain that do not exist.',
    ),
  ],
  greylisted: [otherwise(55, 0.15, 'The server asks to come back, as it asks every stranger.')],
  temporary_failure: [otherwise(45, 0.1, 'The server has a passing difficulty.')],
  smtp_timeout: [otherwise(40, 0.1, 'The server did not answer in time.')],
  smtp_unreachable: [otherwise(30, 0.15, 'No connection to any mail server of the domain.')],
  port25_blocked: [otherwise(45, 0, 'No connection leaves this machine, so nothing was learned.')],
  smtp_protocol_error: [otherwise(40, 0.1, 'The server does not speak SMTP as agreed.')],
  smtputf8_unsupported: [otherwise(30, 0.3, 'The server does not announce support for such local parts.')],
  dns_error: [otherwise(30, 0.1, 'The DNS gave no answer that can be believed.')],
  provider_hides_mailboxes: [otherwise(60, 0.2, 'The operator accepts every name at first and decides later.')],
  ambiguous_refusal: [otherwise(25, 0.3, 'Refused for a reason that may be us or the mailbox.')],
  mailbox_exists: [
    when(['exists_but_busy'], 84, 0.85, 'It exists and gets too much mail at the moment.'),
    when(['catch_all_undetermined', 'backup_host'], 80, 0.65, 'A backup server accepted it.'),
    when(['catch_all_undetermined'], 82, 0.75, 'Accepted; whether every name is accepted could not be learned.'),
    when(['backup_host'], 85, 0.8, 'A backup server accepted it; the first choice did not answer.'),
    when(['known_constant'], 97, 0.97, 'Accepted by an operator known to refuse unknown names.'),
    otherwise(98, 0.98, 'Accepted, while a made-up name was refused.'),
  ],
};
