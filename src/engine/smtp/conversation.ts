import type { MailProvider } from '../providers/providers.js';
import type { SmtpReply } from '../types.js';
import { givenUp, type TurnedAway } from './attempt.js';
import { isRefusalOfUs, speaksOfMailbox } from './breaker.js';
import type { DialogueEnd } from './dialogue.js';
import type { SessionWorld } from './open-session.js';
import type { CutOff, Question, QuestionQueue, Replied } from './question.js';
import type { RecipientReply, Session } from './session.js';

/** With fewer refusals left than this, a round is too small to be worth its round trip. */
const SMALLEST_ROUND = 5;
/** A recipient that ends this many fresh connections is let go. */
const MOST_TRIES = 2;

/** Whose mail hosts are talked to: the caps and the circuit are theirs. */
export interface Operator {
  /** Name of the operator, or of the first host where none is known. */
  readonly operator: string;
  readonly provider: MailProvider;
}

/** The talk on one connection, from the queue's next recipients to their answers, within the operator's caps. */
export class Conversation {
  #answers = 0;
  #refusals = 0;
  #keepWarm = false;
  /** A server says the same of most recipients: who was accepted shares one answer. */
  #accepted: Replied | null = null;
  /** How the server cut the talk short. */
  #left: TurnedAway | CutOff | null = null;

  constructor(
    private readonly session: Session,
    private readonly primary: boolean,
    private readonly queue: QuestionQueue,
    private readonly at: Operator,
    private readonly world: SessionWorld,
  ) {}

  /** How the server ended a connection on which it had not answered anybody; null when it did not. */
  get endedWithoutAnswer(): TurnedAway | CutOff | null {
    return this.#answers === 0 ? this.#left : null;
  }

  /** Somebody asked who may soon ask again. */
  get isWorthKeeping(): boolean {
    return this.#keepWarm;
  }

  /** Asks until the session is spent, ended or refused; `rest` is called when there is nobody to ask about. */
  async run(rest: () => Promise<boolean>): Promise<void> {
    while (!this.session.ended && !this.#isRefused()) {
      const round = this.#take();
      if (round === 'spent') break;
      if (round.length > 0) await this.#round(round);
      else if (!(await rest())) break;
    }
    await this.session.quit();
  }

  #isRefused(): boolean {
    const retryAfterMs = this.world.breaker.pauseMs(this.at.operator, this.session.localAddress);
    if (retryAfterMs === 0) return false;
    const { host, address } = this.session;
    const open = { problem: 'circuit_open', stage: 'connect', detail: '', fromCache: true } as const;
    this.queue.answerAll({ kind: 'unreached', ...open, host, address, retryAfterMs });
    return true;
  }

  /** The next recipients that this session may be asked about; `spent` when it should be left for a fresh one. */
  #take(): Question[] | 'spent' {
    const { queue, session } = this;
    const { caps } = this.at.provider;
    const refusalsLeft = caps.refusalsPerConnection - this.#refusals;
    let transactionsLeft = caps.transactionsPerConnection - session.transactions;
    if (refusalsLeft <= 0 || transactionsLeft <= 0 || session.isExpired(this.world.clock.now())) return 'spent';
    const smallest = Math.min(SMALLEST_ROUND, caps.refusalsPerConnection);
    if (refusalsLeft < smallest && queue.length > refusalsLeft) return 'spent';

    const round: Question[] = [];
    let room = 0;
    while (round.length < refusalsLeft) {
      const next = queue.take();
      if (next === null) break;
      const { ownTransaction, needsSmtpUtf8, allowance } = next;
      if (allowance?.left === 0) {
        queue.answer(next, givenUp('as many recipients were named as may be'));
        continue;
      }
      if (needsSmtpUtf8 && !session.offersSmtpUtf8) {
        queue.answer(next, withoutSmtpUtf8(session));
        continue;
      }
      if (room === 0 || ownTransaction) {
        if (transactionsLeft === 0) {
          queue.putBack(next);
          break;
        }
        transactionsLeft -= 1;
        room = ownTransaction ? 1 : caps.recipientsPerTransaction;
      }
      room -= 1;
      next.asked = true;
      if (allowance !== null) allowance.left -= 1;
      round.push(next);
    }
    return round;
  }

  /** Asks, hands out the answers, and puts back who must be asked again. */
  async #round(round: readonly Question[]): Promise<void> {
    const { sender } = this.session;
    const { answers, end } = await this.session.ask(round, this.at.provider.caps.recipientsPerTransaction);
    const unanswered: Question[] = [];
    for (let index = 0; index < round.length; index++) {
      const question = round[index]!;
      const answer = answers[index];
      if (answer == null) {
        unanswered.push(question);
        continue;
      }
      this.#keepWarm ||= question.keepWarm;
      this.#answers += 1;
      if (answer.reply.code >= 400) this.#refusals += 1;
      this.#hear(question, sender, answer);
    }
    if (end !== null) this.#cutShort(unanswered, end);
  }

  #hear(question: Question, sender: string, { stage, reply }: RecipientReply): void {
    const { queue, session, primary } = this;
    const { classifier, breaker } = this.world;
    const { operator, provider } = this.at;
    if (stage === 'rcpt' && reply === this.#accepted?.reply) {
      breaker.answered(operator, session.localAddress);
      return queue.answer(question, this.#accepted);
    }
    const classification = classifier.classify({
      stage,
      reply,
      recipient: question.address,
      sender,
      provider: provider.name,
    });
    if (classification.class === 'sender_rejected' && !question.triedNullSender && sender !== '') {
      question.triedNullSender = true;
      session.useNullSender();
      return queue.putBack(question);
    }
    // "Too many recipients" speaks of the company in the transaction: ask once more, alone.
    if (classification.class === 'rate_limited' && stage === 'rcpt' && !question.ownTransaction) {
      question.ownTransaction = true;
      return queue.putBack(question);
    }
    if (isRefusalOfUs(classification)) breaker.refused(operator, session.localAddress);
    else if (stage === 'rcpt' && speaksOfMailbox(classification)) breaker.answered(operator, session.localAddress);
    const { host, address } = session;
    const answer: Replied = { kind: 'replied', stage, reply, classification, host, address, primary };
    if (classification.class === 'accepted') this.#accepted = answer;
    queue.answer(question, answer);
  }

  /** The server ended the connection: whose turn it was is the likely cause only when nobody was answered before. */
  #cutShort(unanswered: readonly Question[], end: DialogueEnd): void {
    const left = end.problem === 'shutdown' ? this.#goodbye(end.reply) : cutOff(this.session, end);
    this.#left = left;
    const fruitful = this.#answers > 0;
    // One that has answered somebody may do so again; from one that has not, the next host is the better bet.
    if (!fruitful) this.world.health.avoid(this.session.host);
    const [first, ...others] = unanswered;
    if (first === undefined) return;
    if (!fruitful) first.tries += 1;
    // The others first: if it was the recipient that the server cannot bear, they get their answers.
    if (first.tries < MOST_TRIES) return this.queue.putBack(...others, first);
    this.queue.putBack(...others);
    this.queue.answer(first, left);
  }

  /** 421 is said of the session and not of the recipient (RFC 5321 section 3.8), so it is read as if no one had been named. */
  #goodbye(reply: SmtpReply): TurnedAway {
    const { host, address, localAddress } = this.session;
    const { operator, provider } = this.at;
    const classification = this.world.classifier.classify({ stage: 'mail', reply, provider: provider.name });
    if (isRefusalOfUs(classification)) this.world.breaker.refused(operator, localAddress);
    return { kind: 'turned_away', stage: 'mail', reply, classification, host, address, fromCache: false };
  }
}

function cutOff({ host, address }: Session, end: Exclude<DialogueEnd, { problem: 'shutdown' }>): CutOff {
  return { kind: 'cut_off', stage: 'rcpt', problem: end.problem, detail: end.detail, host, address };
}

function withoutSmtpUtf8({ host, address }: Session): CutOff {
  const detail = 'the server does not offer SMTPUTF8';
  return { kind: 'cut_off', stage: 'ehlo', problem: 'smtputf8', detail, host, address };
}
