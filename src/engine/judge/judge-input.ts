import type { MailboxAnswer } from '../smtp/probe/recipient-probe.js';
import type { CatchAll, ListFlags, ParsedAddress, Stage, Witness } from '../types.js';

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
