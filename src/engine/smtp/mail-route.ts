import type { MailHost } from '../dns/mx-set.js';
import type { HostGate, HostLease } from '../ports.js';
import type { MailProvider } from '../providers/providers.js';
import type { SmtpReply } from '../types.js';
import type { TurnedAway, Unreached } from './attempt.js';
import { isRefusalOfUs } from './breaker.js';
import type { DialogueEnd } from './dialogue.js';
import { openSession, type SessionWorld } from './open-session.js';
import { QuestionQueue, type CutOff, type MailboxAnswer, type Question } from './question.js';
import type { RecipientReply, Session } from './session.js';

/** How the routes of an engine share leave to talk. */
export interface RouteWorld extends SessionWorld {
  /** Leave to talk to one operator, over all processes. */
  readonly gate: HostGate;
  /** Leave to open a socket at all, over all hosts of this process. */
  readonly sockets: HostGate;
  readonly mostSockets: number;
  /** Routes with a warm connection, by operator: one that needs a place asks the others to leave theirs. */
  readonly warm: Map<string, Set<MailRoute>>;
  readonly waitingForPlace: Map<string, number>;
}

/** A queue this long is worth a further connection. */
const QUEUE_PER_CONNECTION = 20;
/** With fewer refusals left than this, a round is too small to be worth its round trip. */
const SMALLEST_ROUND = 5;
const KEEP_WARM_MS = 5_000;
/** A recipient that ends this many fresh connections is let go; one more without any answer, and so are the others. */
const MOST_TRIES = 2;

/** What a connection has brought so far. */
interface Told {
  answers: number;
  refusals: number;
  keepWarm: boolean;
}

/**
 * The way to one set of mail hosts: a queue of recipients, and the few connections, kept and pipelined, that work it off
 * within the operator's caps.
 */
export class MailRoute {
  readonly #queue = new QuestionQueue();
  /** Questions asked and neither answered nor cancelled. */
  #open = 0;
  #workers = 0;
  /** Connections at once: the operator's cap, or fewer where the hosts turned some away. */
  #bearable: number;
  /** Connections in a row that ended without a single answer. */
  #fruitless = 0;
  #pumping = false;
  #closed = false;
  #opening = new AbortController();
  #wake: (() => void) | null = null;

  constructor(
    /** Stands for the set of hosts. */
    readonly key: string,
    readonly hosts: readonly MailHost[],
    /** Whom the caps and the circuit belong to. */
    readonly operator: string,
    readonly provider: MailProvider,
    private readonly world: RouteWorld,
    /** Nothing is asked and no connection is open. */
    private readonly onQuiet: () => void,
  ) {
    this.#bearable = provider.caps.connections;
  }

  ask(question: Question): void {
    this.#queue.push(question);
    this.#open += 1;
    this.#pump();
  }

  /** A question was cancelled. When nobody waits any more, connections that are being opened are given up. */
  forget(): void {
    this.#open -= 1;
    if (this.#open > 0) return;
    this.#opening.abort(new Error('nobody waits any more'));
    this.#opening = new AbortController();
  }

  /** Leaves the warm connection, if there is one. */
  cool(): void {
    this.#wake?.();
  }

  /** Ends the connections after the round that runs; what is still asked is answered as given up. */
  close(): void {
    this.#closed = true;
    this.#answerAll(givenUp('the engine was closed'));
    this.#opening.abort(new Error('the engine was closed'));
    this.cool();
  }

  // Gathered for one turn of the event loop, so that addresses that come together go out together.
  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    setImmediate(() => {
      this.#pumping = false;
      if (this.#queue.length > 0) this.#wake?.();
      if (this.#closed) this.#answerAll(givenUp('the engine was closed'));
      const wanted = Math.min(this.#bearable, Math.ceil(this.#queue.length / QUEUE_PER_CONNECTION));
      for (; this.#workers < wanted; this.#workers++) void this.#work();
      if (this.#workers === 0) this.onQuiet();
    });
  }

  async #work(): Promise<void> {
    const { signal } = this.#opening;
    const leases: HostLease[] = [];
    try {
      leases.push(await this.#enter(signal));
      leases.push(
        await this.world.sockets.enter('', { connections: this.world.mostSockets, connectionsPerMinute: null }, signal),
      );
      await this.#converse(signal);
    } catch (error) {
      // Without leave to talk (the gate's store is away) nothing can be said about anybody.
      if (!signal.aborted) this.#answerAll(givenUp(error instanceof Error ? error.message : String(error)));
    } finally {
      for (const lease of leases) lease.release();
      this.#workers -= 1;
      this.#pump();
    }
  }

  async #enter(signal: AbortSignal): Promise<HostLease> {
    const { gate, warm, waitingForPlace } = this.world;
    const { operator } = this;
    waitingForPlace.set(operator, (waitingForPlace.get(operator) ?? 0) + 1);
    for (const route of warm.get(operator) ?? []) route.cool();
    try {
      return await gate.enter(operator, this.provider.caps, signal);
    } finally {
      const left = waitingForPlace.get(operator)! - 1;
      if (left === 0) waitingForPlace.delete(operator);
      else waitingForPlace.set(operator, left);
    }
  }

  async #converse(signal: AbortSignal): Promise<void> {
    const { operator, provider } = this;
    const visit = { operator, provider, signal, onIdleEnd: () => this.#wake?.() };
    const attempt = await openSession(this.hosts, visit, this.world);
    if (attempt.kind !== 'opened') {
      // While another connection works the queue is in good hands: the hosts bear no more of them.
      if (this.#workers > 1) this.#bearable = this.#workers - 1;
      else if (!signal.aborted) this.#answerAll(attempt);
      return;
    }
    const { session, primary } = attempt;
    const told: Told = { answers: 0, refusals: 0, keepWarm: false };
    while (!session.ended && !this.#closed && !this.#isRefused(session)) {
      const round = this.#take(session, told.refusals);
      if (round === 'spent') break;
      if (round.length > 0) await this.#round(session, primary, round, told);
      else if (!(await this.#rest(told.keepWarm))) break;
    }
    await session.quit();
  }

  #isRefused(session: Session): boolean {
    const retryAfterMs = this.world.breaker.pauseMs(this.operator, session.localAddress);
    if (retryAfterMs === 0) return false;
    const { host, address } = session;
    const open = { problem: 'circuit_open', stage: 'connect', detail: '', fromCache: true } as const;
    this.#answerAll({ kind: 'unreached', ...open, host, address, retryAfterMs });
    return true;
  }

  /** The next recipients that this session may be asked about; `spent` when it should be left for a fresh one. */
  #take(session: Session, refusals: number): Question[] | 'spent' {
    const { caps } = this.provider;
    const refusalsLeft = caps.refusalsPerConnection - refusals;
    let transactionsLeft = caps.transactionsPerConnection - session.transactions;
    if (refusalsLeft <= 0 || transactionsLeft <= 0 || session.isExpired(this.world.clock.now())) return 'spent';
    const smallest = Math.min(SMALLEST_ROUND, caps.refusalsPerConnection);
    if (refusalsLeft < smallest && this.#queue.length > refusalsLeft) return 'spent';

    const round: Question[] = [];
    let room = 0;
    while (round.length < refusalsLeft) {
      const next = this.#queue.shift();
      if (next === null) break;
      const { ownTransaction, needsSmtpUtf8 } = next;
      if (needsSmtpUtf8 && !session.offersSmtpUtf8) {
        this.#answer(next, withoutSmtpUtf8(session));
        continue;
      }
      if (room === 0 || ownTransaction) {
        if (transactionsLeft === 0) {
          this.#queue.putBack(next);
          break;
        }
        transactionsLeft -= 1;
        room = ownTransaction ? 1 : caps.recipientsPerTransaction;
      }
      room -= 1;
      round.push(next);
    }
    return round;
  }

  /** Asks, hands out the answers, and puts back who must be asked again. */
  async #round(session: Session, primary: boolean, round: readonly Question[], told: Told): Promise<void> {
    const { sender } = session;
    const { answers, end } = await session.ask(round, this.provider.caps.recipientsPerTransaction);
    const unanswered: Question[] = [];
    for (let index = 0; index < round.length; index++) {
      const question = round[index]!;
      const answer = answers[index];
      if (answer == null) {
        unanswered.push(question);
        continue;
      }
      told.keepWarm ||= question.keepWarm;
      told.answers += 1;
      if (answer.reply.code >= 400) told.refusals += 1;
      this.#hear(session, sender, primary, question, answer);
    }
    if (end !== null) this.#cutShort(session, unanswered, end, told.answers > 0);
  }

  #hear(
    session: Session,
    sender: string,
    primary: boolean,
    question: Question,
    { stage, reply }: RecipientReply,
  ): void {
    const { classifier, breaker } = this.world;
    const classification = classifier.classify({
      stage,
      reply,
      recipient: question.address,
      sender,
      provider: this.provider.name,
    });
    if (classification.class === 'sender_rejected' && !question.triedNullSender && sender !== '') {
      question.triedNullSender = true;
      session.useNullSender();
      this.#queue.putBack(question);
      return;
    }
    // "Too many recipients" speaks of the company in the transaction: ask once more, alone.
    if (classification.class === 'rate_limited' && stage === 'rcpt' && !question.ownTransaction) {
      question.ownTransaction = true;
      this.#queue.putBack(question);
      return;
    }
    if (isRefusalOfUs(classification)) breaker.refused(this.operator, session.localAddress);
    else if (stage === 'rcpt') breaker.answered(this.operator, session.localAddress);
    const { host, address } = session;
    this.#answer(question, { kind: 'replied', stage, reply, classification, host, address, primary });
  }

  /** The server ended the connection: whose turn it was is the likely cause only when nobody was answered before. */
  #cutShort(session: Session, unanswered: readonly Question[], end: DialogueEnd, fruitful: boolean): void {
    const left = end.problem === 'shutdown' ? this.#goodbye(session, end.reply) : cutOff(session, end);
    // One that has answered somebody may do so again; from one that has not, the next host is the better bet.
    if (left.kind === 'turned_away' && !fruitful && this.hosts.length > 1) this.world.health.failed(session.host, left);
    this.#fruitless = fruitful ? 0 : this.#fruitless + 1;
    const [first, ...others] = unanswered;
    if (first === undefined) return;
    if (!fruitful) first.tries += 1;
    this.#queue.putBack(...others);
    if (first.tries >= MOST_TRIES) this.#answer(first, left);
    else this.#queue.putBack(first);
    if (this.#fruitless > MOST_TRIES) this.#answerAll(left);
  }

  /** 421 is said of the session and not of the recipient (RFC 5321 section 3.8), so it is read as if no one had been named. */
  #goodbye({ host, address, localAddress }: Session, reply: SmtpReply): TurnedAway {
    const classification = this.world.classifier.classify({ stage: 'mail', reply, provider: this.provider.name });
    if (isRefusalOfUs(classification)) this.world.breaker.refused(this.operator, localAddress);
    return { kind: 'turned_away', stage: 'mail', reply, classification, host, address, fromCache: false };
  }

  #answer(question: Question, answer: MailboxAnswer): void {
    if (question.cancelled) return;
    this.#open -= 1;
    question.answer(answer);
  }

  #answerAll(answer: MailboxAnswer): void {
    for (let next = this.#queue.shift(); next !== null; next = this.#queue.shift()) this.#answer(next, answer);
  }

  /** Keeps the connection a while for the next question; false when it should be left. */
  async #rest(keepWarm: boolean): Promise<boolean> {
    const { clock, warm, waitingForPlace } = this.world;
    // One turn of the event loop: the answer just given may call for a control on this connection.
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (this.#queue.length > 0) return true;
    if (!keepWarm || this.#wake !== null || waitingForPlace.has(this.operator)) return false;
    const resting = warm.get(this.operator) ?? new Set();
    warm.set(this.operator, resting.add(this));
    let cancelTimer = () => {};
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      cancelTimer = clock.after(KEEP_WARM_MS, resolve);
    });
    cancelTimer();
    this.#wake = null;
    resting.delete(this);
    if (resting.size === 0) warm.delete(this.operator);
    return this.#queue.length > 0;
  }
}

function cutOff({ host, address }: Session, end: Exclude<DialogueEnd, { problem: 'shutdown' }>): CutOff {
  return { kind: 'cut_off', stage: 'rcpt', problem: end.problem, detail: end.detail, host, address };
}

function withoutSmtpUtf8({ host, address }: Session): CutOff {
  const detail = 'the server does not offer SMTPUTF8';
  return { kind: 'cut_off', stage: 'ehlo', problem: 'smtputf8', detail, host, address };
}

function givenUp(detail: string): Unreached {
  const nowhere = { host: null, address: null, fromCache: false, retryAfterMs: null };
  return { kind: 'unreached', problem: 'given_up', stage: 'connect', detail, ...nowhere };
}
