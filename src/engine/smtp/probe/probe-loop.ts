import type { MailHost } from '../../../mail-dns/mx-set.js';
import type { MailProvider } from '../../lists/providers.js';
import type { SmtpReply } from '../../types.js';
import { givenUp, type ConnectFailed, type RejectedBeforeRcpt } from '../connect/connect-result.js';
import { isAboutMailbox, isRefusalOfSource, isRefusalOfUs } from '../connect/breaker.js';
import type { ConnectionEnd } from '../connect/smtp-connection.js';
import type { SessionContext } from '../connect/open-session.js';
import type { ProbeQueue } from './probe-queue.js';
import {
  type Allowance,
  type ConnectionLost,
  type RecipientProbe,
  type Replied,
  connectionLost,
  withoutSmtpUtf8,
} from './recipient-probe.js';
import type { RecipientReply, Session } from '../connect/session.js';
import { type Classification, HOST_FAULT } from '../reply/decision-table.js';
import type { Source } from '../connect/source.js';
import type { HostWitnesses, Witnesses } from './witnesses.js';

/** The fewest refusals left with which a batch is worth its round trip. */
const MIN_BATCH = 5;
/** A recipient whose turn it was when so many connections ended is not asked about again. */
const MAX_LOST_CONNECTIONS = 2;
/** Answers to a recipient who was asked about among others and then alone. */
const ANSWERS_TO_ONE = 2;
/** So many connections may have had enough of others before it was a recipient's turn. */
const MAX_CROWDED_CONNECTIONS = 2;
const POSTMASTER = /^postmaster@/i;
const LETTER_P = 0x70;

/** Every probe is asked twice, and nearly none begins so: the pattern cost a hundredth of its work. */
const isPostmaster = (address: string): boolean =>
  (address.charCodeAt(0) | 0x20) === LETTER_P && POSTMASTER.test(address);

/** A route's mail hosts and their operator: caps and circuits are kept under it. */
export interface RouteOperator {
  /** Stands for the set of hosts. */
  readonly key: string;
  readonly hosts: readonly MailHost[];
  /** Name of the operator, or of the first host where none is known. */
  readonly operator: string;
  readonly provider: MailProvider;
  /** The operator refuses us at the source: its probes are for others, or all of them get the failure. */
  refused(source: Source, failure: ConnectFailed): void;
  /** The recipient was refused because of us. True when another source asks once more; then the probe is not answered. */
  failOver(probe: RecipientProbe, source: Source): boolean;
}

/** The parts of one engine that all of its probe loops share. */
export interface ProbeContext extends SessionContext {
  readonly witnesses: Witnesses;
}

/**
 * Works on one connection: takes probes from the queue, sends them as pipelined batches within the operator's caps, and answers them.
 *
 * The loop runs until the connection is spent (its caps are used up), ended (by the server, or because of silence) or refused (the
 * circuit of the operator is open). Every probe that it takes is answered or put back before it takes more. When the server ends the
 * connection early, the recipient whose turn it was is the likely cause only if nobody was answered before.
 */
export class ProbeLoop {
  #answers = 0;
  #refusals = 0;
  #keepWarmMs = 0;
  /** A server gives most recipients the same reply: all that are accepted share one answer. */
  #accepted: Replied | null = null;
  /** The host cannot answer because of a fault of its own. */
  #hasFault = false;
  /** The host takes no more recipients on this connection. */
  #isCrowded = false;
  /** Postmaster was named, for whom some servers lift what they have against a client until the end of the connection (qpsmtpd's dnsbl). */
  #hasNamedPostmaster = false;
  readonly #witnesses: HostWitnesses;
  /** Under which circuits and witnesses are kept; every answer needs it. */
  readonly #sourceKey: string;
  /** How the server ended the connection early. */
  #end: RejectedBeforeRcpt | ConnectionLost | null = null;

  constructor(
    private readonly session: Session,
    private readonly primary: boolean,
    private readonly queue: ProbeQueue,
    private readonly route: RouteOperator,
    private readonly context: ProbeContext,
    /** Recipients that the source may still name today; null: as many as it likes. */
    private readonly quota: Allowance | null = null,
  ) {
    this.#sourceKey = session.sourceKey;
    this.#witnesses = context.witnesses.at(route.key, this.#sourceKey);
  }

  /** How the server ended a connection on which it had answered no probe; null when it did not. */
  get endedWithoutAnswer(): RejectedBeforeRcpt | ConnectionLost | null {
    return this.#answers === 0 ? this.#end : null;
  }

  /** How long those who were answered on it may soon ask again. */
  get keepWarmMs(): number {
    return this.#keepWarmMs;
  }

  /** @param waitForProbe called when the queue is empty; resolves to false when the connection should be closed */
  async run(waitForProbe: () => Promise<boolean>): Promise<void> {
    while (!this.session.isEnded && !this.#isSpent && !this.#isRefused()) {
      const batch = this.#takeBatch();
      if (batch === 'spent') break;
      if (batch.length > 0) await this.#probe(batch);
      else if (!(await waitForProbe())) break;
    }
    await this.session.quit();
  }

  get #isSpent(): boolean {
    return this.#hasFault || this.#isCrowded || this.#hasNamedPostmaster;
  }

  #isRefused(): boolean {
    const retryAfterMs = this.context.breaker.pauseMs(this.route.operator, this.#sourceKey);
    if (retryAfterMs === 0) return false;
    const { host, address, source } = this.session;
    const open = { problem: 'circuit_open', stage: 'connect', detail: '', fromCache: true } as const;
    const failure = { kind: 'connect_failed', ...open, host, address, retryAfterMs, source: source.name } as const;
    this.route.refused(source, failure);
    return true;
  }

  /** The next probes that may go out on this connection; `spent` when a fresh connection should take them. */
  #takeBatch(): RecipientProbe[] | 'spent' {
    const { queue, session } = this;
    // What is open goes to the end of its batch when the source is taken out.
    const { condition, name } = session.source;
    if (condition === 'paused' || (condition === 'drained' && queue.boundTo(name) === 0)) return 'spent';
    const { caps } = this.route.provider;
    const refusalsLeft = caps.refusalsPerConnection - this.#refusals;
    let transactionsLeft = caps.transactionsPerConnection - session.transactions;
    const mayName = Math.min(refusalsLeft, this.quota?.left ?? Infinity);
    if (mayName <= 0 || transactionsLeft <= 0 || session.isExpired(this.context.clock.now())) return 'spent';
    const minBatch = Math.min(MIN_BATCH, caps.refusalsPerConnection);
    if (refusalsLeft < minBatch && queue.lengthFor(session.source.name) > refusalsLeft) return 'spent';

    const batch: RecipientProbe[] = [];
    let roomInTransaction = 0;
    while (batch.length < mayName && !this.#hasNamedPostmaster) {
      const next = queue.take(name, condition === 'drained');
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
      if (roomInTransaction === 0 || ownTransaction) {
        if (transactionsLeft === 0) {
          queue.putBack(next);
          break;
        }
        transactionsLeft -= 1;
        roomInTransaction = ownTransaction ? 1 : caps.recipientsPerTransaction;
      }
      roomInTransaction -= 1;
      next.wasSent = true;
      this.#hasNamedPostmaster = isPostmaster(next.address);
      if (allowance !== null) allowance.left -= 1;
      batch.push(next);
    }
    if (this.quota !== null) this.quota.left -= batch.length;
    return batch;
  }

  /** Sends the batch, answers its probes, and puts back those that must be asked again. */
  async #probe(batch: readonly RecipientProbe[]): Promise<void> {
    const { sender } = this.session;
    const { answers, end } = await this.session.ask(batch, this.route.provider.caps.recipientsPerTransaction);
    const unanswered: RecipientProbe[] = [];
    for (let index = 0; index < batch.length; index++) {
      const probe = batch[index]!;
      const answer = answers[index];
      if (answer == null) {
        unanswered.push(probe);
        continue;
      }
      this.#keepWarmMs = Math.max(this.#keepWarmMs, probe.asker.keepWarmMs);
      this.#answers += 1;
      if (answer.reply.code >= 400) this.#refusals += 1;
      this.#classify(probe, sender, answer);
    }
    if (end !== null) this.#handleEnd(unanswered, end);
  }

  #classify(probe: RecipientProbe, sender: string, { stage, reply }: RecipientReply): void {
    const { queue, session, primary } = this;
    const { classifier, breaker, listener } = this.context;
    const { operator, provider } = this.route;
    if (stage === 'rcpt' && reply === this.#accepted?.reply) {
      breaker.recordAnswer(operator, this.#sourceKey);
      this.#recordWitness(probe, this.#accepted.classification);
      return queue.answer(probe, this.#accepted);
    }
    const classification = classifier.classify({
      stage,
      reply,
      recipient: probe.address,
      sender,
      provider: provider.name,
    });
    if (reply.code >= 400) {
      const recipient = stage === 'rcpt' ? probe.address : null;
      listener.refused({ operator, source: session.source.name, about: classification.class, reply, recipient });
    }
    // A 4xx asks to come back with the same sender: greylisting would begin anew with another one.
    const isFinal = reply.code >= 500;
    if (classification.class === 'sender_rejected' && isFinal && !probe.triedNullSender && sender !== '') {
      probe.triedNullSender = true;
      session.useNullSender();
      return queue.putBack(probe);
    }
    // "Too many recipients" is about the others in the transaction: the recipient is asked about once more, alone.
    if (classification.class === 'rate_limited' && stage === 'rcpt' && !probe.ownTransaction) {
      probe.ownTransaction = true;
      return queue.putBack(probe);
    }
    // It is alone in its transaction, so the host counts those of the connection (RFC 5321 section 4.5.3.1.10): a fresh one is asked.
    if (stage === 'rcpt' && this.#isCrowdedFor(probe, reply)) {
      probe.crowdedConnections += 1;
      this.#isCrowded = true;
      return queue.putBack(probe);
    }
    if (stage === 'rcpt' && this.#mayAnotherHostAnswer(probe, classification)) {
      probe.faultyHosts += 1;
      this.#hasFault = true;
      session.source.health.avoid(session.host);
      return queue.putBack(probe);
    }
    if (stage === 'rcpt') this.#recordWitness(probe, classification);
    const { host, address } = session;
    const sourceKey = this.#sourceKey;
    if (isRefusalOfUs(classification)) {
      breaker.recordRefusal(operator, sourceKey, reply);
      if (this.route.failOver(probe, session.source)) return;
    } else if (stage === 'rcpt' && isAboutMailbox(classification)) breaker.recordAnswer(operator, sourceKey);
    else if (isRefusalOfSource(classification, reply) && this.route.failOver(probe, session.source)) {
      // The other source has a sender of its own.
      probe.triedNullSender = false;
      return;
    }
    const answer: Replied = {
      kind: 'replied',
      stage,
      reply,
      classification,
      host,
      address,
      source: session.source.name,
      sourceKey,
      primary,
    };
    if (classification.class === 'accepted') this.#accepted = answer;
    queue.answer(probe, answer);
  }

  /** Postmaster, whatever list of roles is in use, and names outside ASCII are no witnesses: hosts have rules of their own for them. */
  #recordWitness({ address, needsSmtpUtf8 }: RecipientProbe, { class: about, weight }: Classification): void {
    const isPlain = about === 'accepted' || (about === 'not_found' && weight === 'strong');
    if (!isPlain || needsSmtpUtf8 || isPostmaster(address)) return;
    this.#witnesses.record(address, about === 'accepted' ? 'accepted' : 'refused');
  }

  #isCrowdedFor({ crowdedConnections }: RecipientProbe, { code, enhanced }: SmtpReply): boolean {
    const hasNamedOthers = this.#answers > ANSWERS_TO_ONE;
    return code === 452 && enhanced === '4.5.3' && hasNamedOthers && crowdedConnections < MAX_CROWDED_CONNECTIONS;
  }

  /** A host with a fault of its own is like one that is down (RFC 5321 section 5.1): the next one is asked. */
  #mayAnotherHostAnswer(probe: RecipientProbe, { row }: Classification): boolean {
    return row === HOST_FAULT && probe.faultyHosts + 1 < this.route.hosts.length;
  }

  #handleEnd(unanswered: readonly RecipientProbe[], end: ConnectionEnd): void {
    const failure = end.problem === 'shutdown' ? this.#readShutdown(end.reply) : connectionLost(this.session, end);
    this.#end = failure;
    const hasAnswered = this.#answers > 0;
    // A host that has answered a probe may answer again; after one that has not, the next host is the better choice.
    if (!hasAnswered) this.session.source.health.avoid(this.session.host);
    const [first, ...others] = unanswered;
    if (first === undefined) return;
    if (!hasAnswered) first.lostConnections += 1;
    // The others first: if this recipient is what ends connections, they get their answers.
    if (first.lostConnections < MAX_LOST_CONNECTIONS) return this.queue.putBack(...others, first);
    this.queue.putBack(...others);
    const isOfUs = failure.kind === 'rejected_before_rcpt' && isRefusalOfUs(failure.classification);
    if (!isOfUs || !this.route.failOver(first, this.session.source)) this.queue.answer(first, failure);
  }

  /** 421 is about the session and not about the recipient (RFC 5321 section 3.8), so it is read as if no recipient had been named. */
  #readShutdown(reply: SmtpReply): RejectedBeforeRcpt {
    const { host, address, source } = this.session;
    const { operator, provider } = this.route;
    const classification = this.context.classifier.classify({ stage: 'mail', reply, provider: provider.name });
    const refusal = { operator, source: source.name, about: classification.class, reply, recipient: null };
    this.context.listener.refused(refusal);
    if (isRefusalOfUs(classification)) this.context.breaker.recordRefusal(operator, this.#sourceKey, reply);
    const from = { host, address, fromCache: false, source: source.name };
    return { kind: 'rejected_before_rcpt', stage: 'mail', reply, classification, ...from };
  }
}
