import type { SmtpReply, Stage } from '../../types.js';
import type { Classification } from '../reply/decision-table.js';
import { isRefusalOfSource, isRefusalOfUs } from './breaker.js';

export interface OpenFailure {
  readonly kind: 'failed';
  readonly stage: Stage;
  readonly problem: 'unreachable' | 'refused' | 'timeout' | 'closed' | 'protocol' | 'tls' | 'reply' | 'source';
  readonly reply: SmtpReply | null;
  readonly detail: string;
  readonly localAddress: string | null;
}

/** No mail host of a route could be talked to, and why. */
export interface ConnectFailed {
  readonly kind: 'connect_failed';
  readonly problem:
    | Exclude<OpenFailure['problem'], 'reply' | 'source'>
    | 'port25_blocked'
    | 'circuit_open'
    /** Our own address or proxy is not to be had. */
    | 'source_failed'
    | 'dns_error'
    | 'no_address'
    | 'unroutable'
    | 'left_alone'
    | 'slowed_down'
    | 'given_up';
  readonly stage: Stage;
  readonly detail: string;
  readonly host: string | null;
  readonly address: string | null;
  readonly fromCache: boolean;
  readonly retryAfterMs: number | null;
  /** The name of our own address; null: of none. */
  readonly source: string | null;
}

/** A host answered before any recipient could be named, and did not let us in. */
export interface RejectedBeforeRcpt {
  readonly kind: 'rejected_before_rcpt';
  readonly stage: Stage;
  readonly reply: SmtpReply;
  readonly classification: Classification;
  readonly host: string;
  readonly address: string;
  readonly fromCache: boolean;
  /** The name of our own address. */
  readonly source: string;
}

const nowhere = { host: null, address: null, fromCache: false, retryAfterMs: null, source: null };

/** Who speaks for the domain, or for a mail host of it, wants no questions. */
export const LEFT_ALONE: ConnectFailed = {
  kind: 'connect_failed',
  problem: 'left_alone',
  stage: 'dns',
  detail: 'The postmaster of the domain or of a mail host of it has asked this service to leave it alone.',
  ...nowhere,
};

/** The account has asked for so many names at the domain that nobody has that it looks like a search for names. @param retryAfterMs until it may ask again */
export function slowedDown(retryAfterMs: number): ConnectFailed {
  const detail =
    'The account has checked many names at this domain that do not exist, so Mailsonde checks further names there slowly.';
  return { kind: 'connect_failed', problem: 'slowed_down', stage: 'connect', detail, ...nowhere, retryAfterMs };
}

/** We asked no host, or stopped asking, for a reason of our own. */
export function givenUp(detail: string): ConnectFailed {
  return { kind: 'connect_failed', problem: 'given_up', stage: 'connect', detail, ...nowhere };
}

/** The failure is about us at this source, or of the source itself: another one may get through. */
export function isOfSource(failure: ConnectFailed | RejectedBeforeRcpt): boolean {
  if (failure.kind === 'rejected_before_rcpt')
    return isRefusalOfUs(failure.classification) || isRefusalOfSource(failure.classification, failure.reply);
  return ['circuit_open', 'source_failed', 'port25_blocked'].includes(failure.problem);
}
