/** What the engine says about an address, and what it knows that made it say so. */

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
    'rate_limited',
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

export type Reason = (typeof REASONS)[Verdict][number];

/** An address that may be delivered to (RFC 5321 section 4.1.2, RFC 6531), parsed. */
export interface Address {
  /** What the caller gave, without surrounding white space, `mailto:` or a display name. */
  readonly given: string;
  /** As it goes into `RCPT TO`: case kept, NFC, quoted only where the grammar needs it. */
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
  | 'domain_literal_malformed'
  | 'top_level_domain_unknown';

export type ParsedAddress =
  | { readonly ok: true; readonly address: Address }
  | { readonly ok: false; readonly given: string; readonly problem: SyntaxProblem };

/** Where in the conversation the decisive fact was learned. Only `rcpt` may speak about a mailbox. */
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

/** What a reply says, decided by the table in `smtp/decision-table.ts`. */
export type ReplyClass =
  | 'accepted'
  | 'accepted_unverified'
  | 'greylisted'
  | 'verification_pending'
  | 'full'
  | 'recipient_rate'
  | 'rate_limited'
  | 'disabled'
  | 'disabled_temporarily'
  | 'ip_blocked'
  | 'ptr_required'
  | 'relay_denied'
  | 'sender_rejected'
  | 'tls_required'
  | 'restricted'
  | 'content_or_policy'
  | 'not_found'
  | 'not_found_soft'
  | 'smtputf8_unsupported'
  | 'temporary'
  | 'protocol_error'
  | 'ambiguous';

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
  /** The fact came from an earlier conversation (DNS, catch-all, breaker), not from this one. */
  readonly fromCache: boolean;
}

/** What the lists say of an address or, with `role` false, of a domain. They only flag. */
export interface ListFlags {
  /** A throw-away mailbox service, or a subdomain of one. Never true of large mailbox providers and privacy relays. */
  readonly disposable: boolean;
  /** Mailboxes on this very domain are given to the public. */
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

export interface Verification {
  /** As the caller gave it. */
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
