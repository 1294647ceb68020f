/** The engine's verdict about an address, with the facts behind it. */

import type { DnsFailure } from '../mail-dns/domain-dns.js';

export type Verdict = 'valid' | 'invalid' | 'risky' | 'unknown';

/**
 * Why a verdict was given: stable words that callers may switch on. Order within a verdict is strength: when two hold,
 * the earlier one is reported. `judge/` owns the mapping from evidence; `config/reasons.json` owns the texts.
 */
export const REASONS = {
  invalid: [
    'invalid_syntax',
    'domain_not_found',
    'no_mail_server',
    'null_mx',
    'unroutable_mail_server',
    'mailbox_not_found',
    'mailbox_disabled',
    'domain_not_served',
  ],
  risky: ['spam_trap', 'disposable', 'catch_all', 'mailbox_full', 'mailbox_restricted', 'role_account'],
  unknown: [
    'ip_blocked',
    'sender_rejected',
    'policy_rejected',
    'rate_limited',
    'enumeration_suspected',
    'greylisted',
    'temporary_failure',
    'smtp_timeout',
    'smtp_unreachable',
    'port25_blocked',
    'smtp_protocol_error',
    'smtputf8_unsupported',
    'dns_error',
    'provider_hides_mailboxes',
    'ambiguous_refusal',
  ],
  valid: ['mailbox_exists'],
} as const satisfies Record<Verdict, readonly string[]>;

export type ReasonOf<V extends Verdict> = (typeof REASONS)[V][number];
export type Reason = ReasonOf<Verdict>;

/** What holds of each reason of these verdicts: the compiler asks for a new one. Of other reasons there need be nothing. */
export type ByReason<V extends Verdict, T> = Readonly<Record<ReasonOf<V>, T> & Partial<Record<Reason, T>>>;

/** An address that may be delivered to (RFC 5321 section 4.1.2, RFC 6531), parsed. */
export interface Address {
  /** The caller's text without surrounding white space, `mailto:` or a display name. */
  readonly given: string;
  /** The local part as `RCPT TO` gets it: case kept, NFC, quoted only where the grammar needs it. */
  readonly localPart: string;
  /** Lower-case A-labels, or an address literal with its brackets. */
  readonly domain: string;
  /** `localPart@domain`: the form that is probed, stored and compared. */
  readonly normalized: string;
  /** The part after the first `+` of an unquoted local part: reported, never stripped for the probe. */
  readonly tag: string | null;
  /** The local part has octets above 127, so the server must offer SMTPUTF8 (RFC 6531). */
  readonly needsSmtpUtf8: boolean;
  /** The IP address of an address literal (RFC 5321 section 4.1.3), else null. */
  readonly literal: string | null;
  /** The domain can never resolve in the public DNS (`.invalid`, `.localhost`, `.local`, `.onion`, `.alt`; RFC 6761). */
  readonly neverResolves: boolean;
}

export type SyntaxProblem =
  | 'empty'
  | 'no_at_sign'
  | 'control_character'
  | 'too_long'
  | 'local_part_empty'
  | 'local_part_too_long'
  | 'local_part_malformed'
  | 'domain_empty'
  | 'domain_too_long'
  | 'domain_malformed'
  | 'domain_literal_malformed';

export type ParsedAddress =
  | { readonly ok: true; readonly address: Address }
  | { readonly ok: false; readonly given: string; readonly problem: SyntaxProblem };

/** Where in the SMTP dialogue the decisive fact was learned. Only `rcpt` may say something about a mailbox. */
export type Stage = 'syntax' | 'dns' | 'connect' | 'banner' | 'ehlo' | 'starttls' | 'mail' | 'rcpt';

/** A server's reply to one command (RFC 5321 section 4.2), lines joined with spaces. */
export interface SmtpReply {
  /** 200–599. */
  readonly code: number;
  /** Enhanced status code (RFC 3463) such as `5.1.1`, or null. */
  readonly enhanced: string | null;
  /** The text of all lines without basic and enhanced codes of the first. */
  readonly text: string;
}

/** The meaning of a reply, decided by `config/smtp-replies/decision-table.json`. */
export const REPLY_CLASSES = [
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
] as const;

export type ReplyClass = (typeof REPLY_CLASSES)[number];

/**
 * What settled a refusal that gives no reason (`smtp/probe/refusals.ts`). The first two make it one of the mailbox; after the
 * others it says nothing of the mailbox.
 * - `accepted_name`: the host accepts two other names from us, or one and says plainly of another that it is unknown, and refuses a
 *   made-up one in the same words.
 * - `reply_text`: the words speak of the recipient and of nothing else.
 * - `postmaster`: postmaster is refused as well.
 * - `made_up_name`: a made-up name gets another answer, so the words do not mean that there is no such mailbox.
 * - `unrelated_domains`: names of unrelated domains got the same words from these mail hosts.
 */
export const WITNESSES = ['accepted_name', 'reply_text', 'postmaster', 'made_up_name', 'unrelated_domains'] as const;

export type Witness = (typeof WITNESSES)[number];

/** The evidence's text, at stage `dns`, when the resolver was not believed. */
export const UNTRUSTED = 'untrusted' satisfies DnsFailure;

/** The fact behind a verdict. Text is printable and at most 512 bytes; full accounts see all of it. */
export interface Evidence {
  readonly stage: Stage;
  readonly mxHost: string | null;
  readonly mxAddress: string | null;
  readonly code: number | null;
  readonly enhanced: string | null;
  readonly text: string | null;
  /** Milliseconds since the epoch at which the fact was learned. */
  readonly at: number;
  /** The fact was learned for an earlier address (DNS, a failed host, the breaker), not for this one. */
  readonly fromCache: boolean;
  /** Null when the reply says by itself what it means. */
  readonly witness: Witness | null;
  /** The name of our own address that asked; null: no mail host was asked. */
  readonly source: string | null;
}

/** The lists' flags of an address or, with `role` false, of a domain. They never make an address invalid. */
export interface ListFlags {
  /** A throw-away mailbox service, or a subdomain of one. Never true of large mailbox providers and privacy relays. */
  readonly disposable: boolean;
  /** What the domain's mail hosts show, when they and no list make it disposable. */
  readonly disposableBy?: string;
  /** Anybody can get a mailbox at this very domain. */
  readonly free: boolean;
  /** A forwarding service for private addresses, or a subdomain of one: a real person reads it. */
  readonly privacyRelay: boolean;
  /** The operator has listed the domain, a parent of it, or the SHA-256 of the address (as it is or in lower case). */
  readonly spamTrap: boolean;
  /** The local part is a task, not a person (RFC 2142), in many languages. */
  readonly role: boolean;
}

/** `unknown`: tried, no answer. `skipped`: not tried, because something earlier decided. */
export type CheckState = 'pass' | 'fail' | 'unknown' | 'skipped';

/** Does the domain accept mail for any local part? `undetermined` is never read as `no`. */
export type CatchAll = 'yes' | 'no' | 'undetermined';

export interface Checks {
  readonly syntax: CheckState;
  readonly mx: CheckState;
  readonly smtp: CheckState;
  /** Null when it was not asked. */
  readonly catchAll: CatchAll | null;
  readonly disposable: boolean;
  readonly role: boolean;
  readonly free: boolean;
  readonly spamTrap: boolean;
  /** A forwarding address of a privacy service: a real person reads it. */
  readonly privacyRelay: boolean;
}

/** The checks of an address that was not checked. */
export const NOTHING_CHECKED: Checks = {
  syntax: 'skipped',
  mx: 'skipped',
  smtp: 'skipped',
  catchAll: null,
  disposable: false,
  role: false,
  free: false,
  spamTrap: false,
  privacyRelay: false,
};

export interface Verification {
  /** The address as the caller gave it. */
  readonly email: string;
  /** Null when the address does not parse. */
  readonly normalizedEmail: string | null;
  readonly verdict: Verdict;
  readonly reason: Reason;
  /** 0–100: how safe it is to send. */
  readonly score: number;
  /** 0–1: how sure the verdict is. */
  readonly confidence: number;
  readonly checks: Checks;
  readonly didYouMean: string | null;
  /** The mail operator's name, such as `Google`, or null. */
  readonly provider: string | null;
  readonly mxHost: string | null;
  /** Set on an `unknown` that a later try may settle. */
  readonly retryAfterSeconds: number | null;
  readonly evidence: Evidence;
  /** Milliseconds since the epoch. */
  readonly checkedAt: number;
}

/** Stands where no address was asked about. */
export const NOTHING_VERIFIED: Verification = {
  email: '',
  normalizedEmail: null,
  verdict: 'unknown',
  reason: 'temporary_failure',
  score: 0,
  confidence: 0,
  checks: NOTHING_CHECKED,
  didYouMean: null,
  provider: null,
  mxHost: null,
  retryAfterSeconds: null,
  evidence: {
    stage: 'syntax',
    mxHost: null,
    mxAddress: null,
    code: null,
    enhanced: null,
    text: null,
    at: 0,
    fromCache: false,
    witness: null,
    source: null,
  },
  checkedAt: 0,
};
