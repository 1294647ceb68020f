import type { SmtpReply, Stage } from '../../types.js';
import type { ConnectFailed, RejectedBeforeRcpt } from '../connect/connect-result.js';
import type { Recipient, Session } from '../connect/session.js';
import type { ConnectionEnd } from '../connect/smtp-connection.js';
import type { Classification } from '../reply/decision-table.js';

/** A recipient to ask a mail host about. `answer` is called exactly once, unless `isCancelled` is set first. */
export interface RecipientProbe extends Recipient {
  /** Set by the probe loop when other recipients in the same transaction were the trouble. */
  ownTransaction: boolean;
  /** Connections that ended when it was this recipient's turn; counted by the probe loop. */
  lostConnections: number;
  /** Kept by the probe loop. */
  triedNullSender: boolean;
  /** Hosts that could not answer because of a fault of their own; counted by the probe loop. */
  faultyHosts: number;
  /** Connections whose host had enough of those who were named before it; counted by the probe loop. */
  crowdedConnections: number;
  readonly asker: Asker;
  isCancelled: boolean;
  /** Why it is not to be asked, perhaps since it began to wait: it gets this answer when its turn has come. */
  readonly refusal?: ConnectFailed | null;
  /** The recipient was named to a mail host; kept by the probe loop. */
  wasSent: boolean;
  /** The name of the source that has to ask: the host knows it by an earlier answer, or another one was refused. Null: any. */
  source: string | null;
  /** One source was refused, and another was found for it; kept by the route. */
  failedOver: boolean;
  /** Recipients that may still be named for the same search; null for no limit. */
  readonly allowance: Allowance | null;
  /** The next probe in the queue; kept by the queue. */
  next: RecipientProbe | null;
  answer(answer: MailboxAnswer): void;
}

/** Shared by the probes of one search. */
export interface Allowance {
  left: number;
}

export interface Replied {
  readonly kind: 'replied';
  readonly stage: Stage;
  readonly reply: SmtpReply;
  readonly classification: Classification;
  readonly host: string;
  readonly address: string;
  /** The name of our own address, and under which witnesses of it are kept. */
  readonly source: string;
  readonly sourceKey: string;
  /** The host is the route's first choice. */
  readonly primary: boolean;
}

/** The connection ended, again and again, before this recipient was answered. */
export interface ConnectionLost {
  readonly kind: 'connection_lost';
  readonly problem: 'timeout' | 'closed' | 'protocol' | 'smtputf8';
  readonly stage: Stage;
  readonly detail: string;
  readonly host: string;
  readonly address: string;
  /** The name of our own address. */
  readonly source: string;
}

type Lost = Pick<Session, 'host' | 'address' | 'source'>;

export function connectionLost(
  { host, address, source }: Lost,
  { problem, detail }: Exclude<ConnectionEnd, { problem: 'shutdown' }>,
): ConnectionLost {
  return { kind: 'connection_lost', stage: 'rcpt', problem, detail, host, address, source: source.name };
}

export function withoutSmtpUtf8({ host, address, source }: Lost): ConnectionLost {
  const detail = 'the server does not offer SMTPUTF8';
  return { kind: 'connection_lost', stage: 'ehlo', problem: 'smtputf8', detail, host, address, source: source.name };
}

export type MailboxAnswer = Replied | ConnectionLost | RejectedBeforeRcpt | ConnectFailed;

/** Who wants to know. */
export interface Asker {
  /** Those who wait for the same resolver or mail hosts take turns by this name; null for a single verification, which waits behind no list. */
  readonly turn: string | null;
  /** Whose question it is, or for whom it is asked; null: our own. Accounts share the resolver's places. */
  readonly account: string | null;
  /** Its probes go before those of lists: a caller waits for this verification, or other answers depend on it. */
  readonly urgent: boolean;
  /** How long connections are kept for more of its probes, which may follow for the same mail host; 0: not at all. */
  readonly keepWarmMs: number;
}

/** Who asks about single addresses often asks about the next one soon. */
export const SINGLE_KEEP_WARM_MS = 5_000;

export function singleOf(account: string | null): Asker {
  return { turn: null, account, urgent: true, keepWarmMs: SINGLE_KEEP_WARM_MS };
}
