import type { MailboxAnswer } from '../smtp/question.js';
import type { CatchAll, ListFlags, ParsedAddress, Stage } from '../types.js';

/** What the asking of mail hosts came to. */
export type MailFinding =
  /** Nothing was asked: the address or its domain decides. */
  | {
      readonly kind: 'domain';
      readonly outcome: 'domain_not_found' | 'no_mail_server' | 'null_mx' | 'dns_error';
      readonly detail: string;
      readonly fromCache: boolean;
    }
  /** The operator accepts every name at RCPT, so it was not asked. */
  | { readonly kind: 'hidden' }
  /** The time budget ran out; `stage` is what was waited for, `answer` the mailbox's answer when a control was waited for. */
  | { readonly kind: 'expired'; readonly stage: Stage; readonly answer: MailboxAnswer | null }
  | {
      readonly kind: 'answered';
      readonly answer: MailboxAnswer;
      /** Null when not asked. */
      readonly catchAll: CatchAll | null;
      readonly control: ControlFinding | null;
    };

/** What is known beyond the mailbox's own answer, where that bears on its meaning. */
export type ControlFinding =
  /** The operator's own domains are known not to be catch-all: no made-up name was asked. */
  | 'known_constant'
  /** A refusal without a reason, word for word the one a made-up name gets from a server that accepts postmaster. */
  | 'refuses_like_made_up'
  /** Every mail host of the domain denies relaying, for postmaster too. */
  | 'domain_not_served'
  /** The same 4xx "no such user" came at least an hour ago as well. */
  | 'repeated';

/** Everything known about an address when it is judged. */
export interface Findings {
  readonly email: string;
  readonly parsed: ParsedAddress;
  readonly flags: ListFlags;
  readonly mail: MailFinding | null;
  readonly provider: string | null;
  /** A filter in front of the real server: a generic refusal says less. */
  readonly gateway: boolean;
  /** The domain's first mail host, when it is known. */
  readonly mxHost: string | null;
  readonly didYouMean: string | null;
  readonly checkedAt: number;
}
