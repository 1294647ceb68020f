import type { SmtpReply, Stage } from '../types.js';
import type { Classification } from './classify.js';
import type { OpenFailure, Session } from './session.js';

/** Why no mail host of a route could be talked to. */
export interface Unreached {
  readonly kind: 'unreached';
  readonly problem:
    | Exclude<OpenFailure['problem'], 'reply'>
    | 'port25_blocked'
    | 'circuit_open'
    | 'dns_error'
    | 'no_address'
    | 'unroutable'
    | 'given_up';
  readonly stage: Stage;
  readonly detail: string;
  readonly host: string | null;
  readonly address: string | null;
  readonly fromCache: boolean;
  readonly retryAfterMs: number | null;
}

/** A host answered before any recipient could be named, and did not let us on. */
export interface TurnedAway {
  readonly kind: 'turned_away';
  readonly stage: Stage;
  readonly reply: SmtpReply;
  readonly classification: Classification;
  readonly host: string;
  readonly address: string;
  readonly fromCache: boolean;
}

export interface Opened {
  readonly kind: 'opened';
  readonly session: Session;
  /** The host is the route's first choice: a backup may accept what the first choice would refuse. */
  readonly primary: boolean;
}

/** Nobody was asked, for a reason of ours. */
export function givenUp(detail: string): Unreached {
  const nowhere = { host: null, address: null, fromCache: false, retryAfterMs: null };
  return { kind: 'unreached', problem: 'given_up', stage: 'connect', detail, ...nowhere };
}
