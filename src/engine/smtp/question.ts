import type { SmtpReply, Stage } from '../types.js';
import type { TurnedAway, Unreached } from './attempt.js';
import type { Classification } from './classify.js';
import type { Recipient } from './session.js';

/** A recipient to ask about, and who wants to know. `answer` is called exactly once unless `cancelled` is set first. */
export interface Question extends Recipient {
  /** Set by the route when company in the transaction was the trouble. */
  ownTransaction: boolean;
  /** Connections that ended when it was its turn; kept by the route. */
  tries: number;
  /** Kept by the route. */
  triedNullSender: boolean;
  /** Ahead of those who can wait: somebody waits for a single verification, or other answers hang on this one. */
  readonly urgent: boolean;
  /** More may come for the same mail host in the next seconds, so that its connection is worth keeping. */
  readonly keepWarm: boolean;
  cancelled: boolean;
  /** It was named to a mail host; kept by the route. */
  asked: boolean;
  /** Recipients that may still be named for whoever asks; null for no limit. */
  readonly allowance: Allowance | null;
  /** The next one in the queue; kept by it. */
  behind: Question | null;
  answer(answer: MailboxAnswer): void;
}

/** Shared by the questions of one search. */
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
  /** The host is the route's first choice. */
  readonly primary: boolean;
}

/** The connection ended, again and again, before this recipient was answered. */
export interface CutOff {
  readonly kind: 'cut_off';
  readonly problem: 'timeout' | 'closed' | 'protocol' | 'smtputf8';
  readonly stage: Stage;
  readonly detail: string;
  readonly host: string;
  readonly address: string;
}

export type MailboxAnswer = Replied | CutOff | TurnedAway | Unreached;

/**
 * First in, first out, those who cannot wait before those who can; cancelled questions fall out on the way. Whoever takes a
 * question answers it here or puts it back.
 */
export class QuestionQueue {
  readonly #urgent = new Line();
  readonly #rest = new Line();
  #open = 0;

  get length(): number {
    return this.#urgent.length + this.#rest.length;
  }

  get hasUrgent(): boolean {
    for (let next = this.#urgent.first; next !== null; next = next.behind) if (!next.cancelled) return true;
    return false;
  }

  /** Questions neither answered nor cancelled, those that were taken included. */
  get open(): number {
    return this.#open;
  }

  push(question: Question): void {
    this.#open += 1;
    (question.urgent ? this.#urgent : this.#rest).add(question);
  }

  /** A question was cancelled by whoever asked it; with the last one the queue falls empty. */
  forget(): void {
    this.#open -= 1;
    if (this.#open === 0) this.take();
  }

  /** To be asked next, in the order given. */
  putBack(...questions: readonly Question[]): void {
    for (const question of questions.toReversed()) this.#urgent.addFirst(question);
  }

  take(): Question | null {
    for (;;) {
      const next = this.#urgent.take() ?? this.#rest.take();
      if (next === null || !next.cancelled) return next;
    }
  }

  answer(question: Question, answer: MailboxAnswer): void {
    if (question.cancelled) return;
    this.#open -= 1;
    question.answer(answer);
  }

  /** Everybody who still waits gets the same answer. */
  answerAll(answer: MailboxAnswer): void {
    for (let next = this.take(); next !== null; next = this.take()) this.answer(next, answer);
  }
}

/** Questions linked to each other, because an array that is emptied from its front is moved again and again. */
class Line {
  first: Question | null = null;
  length = 0;
  #last: Question | null = null;

  add(question: Question): void {
    question.behind = null;
    if (this.#last === null) this.first = question;
    else this.#last.behind = question;
    this.#last = question;
    this.length += 1;
  }

  addFirst(question: Question): void {
    question.behind = this.first;
    this.first = question;
    this.#last ??= question;
    this.length += 1;
  }

  take(): Question | null {
    const { first } = this;
    if (first === null) return null;
    this.first = first.behind;
    first.behind = null;
    if (this.first === null) this.#last = null;
    this.length -= 1;
    return first;
  }
}
