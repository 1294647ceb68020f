import { MAX_URGENT_IN_A_ROW } from '../../../async/turns.js';
import type { SmtpReply, Stage } from '../../types.js';
import { type ConnectFailed, LEFT_ALONE, type RejectedBeforeRcpt } from '../connect/connect-result.js';
import type { Recipient } from '../connect/session.js';
import type { Classification } from '../reply/classify.js';

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
  /** The probe goes before those of lists: a caller waits for this single verification, or other answers depend on it. */
  readonly urgent: boolean;
  /** More probes may follow for the same mail host in the next seconds, so that its connection is worth keeping. */
  readonly keepWarm: boolean;
  /** Names whose turn it uses up: those who wait for the same mail hosts take turns, however many probes each has. Null for a single verification, which waits for no list. */
  readonly turn: string | null;
  isCancelled: boolean;
  /** Whoever speaks for its domain or mail hosts wants no questions, perhaps since it began to wait. */
  readonly isLeftAlone?: boolean;
  /** The recipient was named to a mail host; kept by the probe loop. */
  wasSent: boolean;
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
  /** Our own address on the connection. */
  readonly source: string;
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
}

export type MailboxAnswer = Replied | ConnectionLost | RejectedBeforeRcpt | ConnectFailed;

/**
 * A queue of probes: urgent ones before the others, and these by turns, so that nobody waits for the end of somebody else's long list.
 * After a few urgent ones in a row one of a list goes, so that a flood of single verifications stops no list.
 *
 * A probe waits, is taken, or is done. The loop that takes a probe answers it here or puts it back. A cancelled probe leaves the queue
 * when it is its turn, and is never answered.
 */
export class ProbeQueue {
  readonly #putBack = new LinkedQueue();
  readonly #urgent = new LinkedQueue();
  readonly #normal = new TurnQueue();
  #unanswered = 0;
  #urgentInARow = 0;

  get length(): number {
    return this.#putBack.length + this.#urgent.length + this.#normal.length;
  }

  get hasUrgent(): boolean {
    return this.#putBack.has(isUrgent) || this.#urgent.has(isUrgent);
  }

  /** In whose turn the next connection is opened; null when a single verification waits for it. */
  get nextTurn(): string | null {
    if (this.#putBack.has(isSingle) || this.#urgent.has(isSingle)) return null;
    return (this.#putBack.first ?? this.#urgent.first)?.turn ?? this.#normal.nextTurn;
  }

  /** The number of probes neither answered nor cancelled, with the taken ones. */
  get unanswered(): number {
    return this.#unanswered;
  }

  push(probe: RecipientProbe): void {
    this.#unanswered += 1;
    (probe.urgent ? this.#urgent : this.#normal).add(probe);
  }

  /** The owner of a probe has set `isCancelled`. With the last probe the queue becomes empty. */
  probeCancelled(): void {
    this.#unanswered -= 1;
    if (this.#unanswered === 0) this.take();
  }

  /** Puts probes at the front, in the order given. */
  putBack(...probes: readonly RecipientProbe[]): void {
    for (const probe of probes.toReversed()) this.#putBack.addFirst(probe);
  }

  take(): RecipientProbe | null {
    for (;;) {
      const probe = this.#putBack.take() ?? this.#takeInOrder();
      if (probe === null) return null;
      if (probe.isCancelled) continue;
      if (probe.isLeftAlone !== true) return probe;
      this.answer(probe, LEFT_ALONE);
    }
  }

  /** Whether a probe waits that may still be asked: a connection for none would be for nothing. */
  hasProbe(): boolean {
    const probe = this.take();
    if (probe !== null) this.putBack(probe);
    return probe !== null;
  }

  #takeInOrder(): RecipientProbe | null {
    const isOwed = this.#urgentInARow >= MAX_URGENT_IN_A_ROW && this.#normal.length > 0;
    if (isOwed || this.#urgent.length === 0) {
      this.#urgentInARow = 0;
      return this.#normal.take();
    }
    this.#urgentInARow += 1;
    return this.#urgent.take();
  }

  answer(probe: RecipientProbe, answer: MailboxAnswer): void {
    if (probe.isCancelled) return;
    this.#unanswered -= 1;
    probe.answer(answer);
  }

  /** Gives all probes that wait the same answer. */
  answerAll(answer: MailboxAnswer): void {
    for (let probe = this.take(); probe !== null; probe = this.take()) this.answer(probe, answer);
  }
}

const isUrgent = ({ urgent, isCancelled }: RecipientProbe): boolean => urgent && !isCancelled;
const isSingle = ({ turn, isCancelled }: RecipientProbe): boolean => turn === null && !isCancelled;

/** First in, first out within a turn; one of each turn after the other. */
class TurnQueue {
  length = 0;
  /** The lines that have probes; the first one is next. */
  readonly #lines = new Map<string, LinkedQueue>();

  add(probe: RecipientProbe): void {
    this.length += 1;
    const turn = probe.turn ?? '';
    let line = this.#lines.get(turn);
    if (line === undefined) {
      line = new LinkedQueue();
      this.#lines.set(turn, line);
    }
    line.add(probe);
  }

  get nextTurn(): string {
    return this.#lines.keys().next().value ?? '';
  }

  take(): RecipientProbe | null {
    const next = this.#lines.entries().next().value;
    if (next === undefined) return null;
    const [turn, line] = next;
    this.length -= 1;
    const probe = line.take();
    // The only line keeps its turn, as in most batches.
    if (line.length === 0 || this.#lines.size > 1) this.#lines.delete(turn);
    if (line.length > 0) this.#lines.set(turn, line);
    return probe;
  }
}

/** Probes linked to each other, because an array that is emptied from its front is moved again and again. */
class LinkedQueue {
  first: RecipientProbe | null = null;
  length = 0;
  #last: RecipientProbe | null = null;

  has(isOne: (probe: RecipientProbe) => boolean): boolean {
    for (let probe = this.first; probe !== null; probe = probe.next) if (isOne(probe)) return true;
    return false;
  }

  add(probe: RecipientProbe): void {
    probe.next = null;
    if (this.#last === null) this.first = probe;
    else this.#last.next = probe;
    this.#last = probe;
    this.length += 1;
  }

  addFirst(probe: RecipientProbe): void {
    probe.next = this.first;
    this.first = probe;
    this.#last ??= probe;
    this.length += 1;
  }

  take(): RecipientProbe | null {
    const { first } = this;
    if (first === null) return null;
    this.first = first.next;
    first.next = null;
    if (this.first === null) this.#last = null;
    this.length -= 1;
    return first;
  }
}
