import type { MailHost } from '../dns/mx-set.js';
import type { GiveUpSignal, HostGate, HostLease } from '../ports.js';
import type { MailProvider } from '../providers/providers.js';
import { givenUp } from './attempt.js';
import { Conversation, type Operator } from './conversation.js';
import { GiveUp } from './give-up.js';
import { openSession, type SessionWorld } from './open-session.js';
import { QuestionQueue, type Question } from './question.js';
import type { SocketPlaces } from './socket-places.js';

/** How the routes of an engine share leave to talk. */
export interface RouteWorld extends SessionWorld {
  /** Leave to talk to one operator, over all processes. */
  readonly gate: HostGate;
  /** Leave to open a socket at all, over all hosts of this process. */
  readonly sockets: SocketPlaces;
  /** Routes with a warm connection, by operator: one that needs a place asks the others to leave theirs. */
  readonly warm: Map<string, Set<MailRoute>>;
  readonly waitingForPlace: Map<string, number>;
}

/** A queue this long is worth a further connection. With 20 a host of 25 recipients had two, with 50 a large one too few: 27 instead of 34 times the pace of one. */
const QUEUE_PER_CONNECTION = 30;
const KEEP_WARM_MS = 5_000;
/** A place serves one connection after another this long before others get their turn: to leave and enter again is two calls. */
const KEEP_PLACE_MS = 500;
/** How long a host that turned a connection away gets fewer. */
const SPARE_MS = 60_000;
/** Some servers take 30 s over a recipient; somebody else's single verification is not held up so long. */
const URGENT_WAIT_MS = 1_000;
/** Connections in a row without any answer, after which nobody else is asked about. */
const MOST_FRUITLESS = 2;

/**
 * The way to one set of mail hosts: a queue of recipients, and the few connections, kept and pipelined, that work it off
 * within the operator's caps.
 */
export class MailRoute implements Operator {
  readonly #queue = new QuestionQueue();
  #workers = 0;
  /** Of the workers, those that are through the greeting. */
  #talking = 0;
  /** Connections at once: the operator's cap, or for a while fewer where the hosts turned some away. */
  #bearable: number;
  #spareUntil = 0;
  #fruitless = 0;
  #pumping = false;
  #closed = false;
  #working = new GiveUp();
  #wake: (() => void) | null = null;
  #cancelHurry: (() => void) | null = null;

  constructor(
    /** Stands for the set of hosts. */
    readonly key: string,
    private readonly hosts: readonly MailHost[],
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
    this.#pump();
  }

  /** A question was cancelled. When nobody waits any more, connections are left at once, whatever they wait for. */
  forget(): void {
    this.#queue.forget();
    if (this.#queue.open > 0) return;
    this.#working.abort(new Error('nobody waits any more'));
    this.#working = new GiveUp();
  }

  /** Leaves the warm connection, if there is one. */
  cool(): void {
    this.#wake?.();
  }

  /** Ends the connections; what is still asked is answered as given up. */
  close(): void {
    this.#closed = true;
    this.#queue.answerAll(givenUp('the engine was closed'));
    this.#working.abort(new Error('the engine was closed'));
    this.cool();
  }

  // Gathered for one turn of the event loop, so that addresses that come together go out together.
  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    setImmediate(() => {
      this.#pumping = false;
      if (this.#queue.length > 0) this.#wake?.();
      if (this.#closed) this.#queue.answerAll(givenUp('the engine was closed'));
      if (this.world.clock.now() >= this.#spareUntil) this.#bearable = this.provider.caps.connections;
      for (const wanted = this.#wantedWorkers(); this.#workers < wanted; this.#workers++) void this.#work();
      if (this.#workers === 0) {
        this.#cancelHurry?.();
        this.onQuiet();
      } else if (this.#queue.hasUrgent)
        this.#cancelHurry ??= this.world.clock.after(URGENT_WAIT_MS, () => this.#hurry());
    });
  }

  #wantedWorkers(): number {
    // Cancelled questions fall out when it is their turn: they are worth no connection.
    const waiting = Math.min(this.#queue.length, this.#queue.open);
    return Math.min(this.#bearable, Math.ceil(waiting / QUEUE_PER_CONNECTION));
  }

  /** Where connections a minute are counted, each asks for its place. */
  #keepsPlace(since: number): boolean {
    if (this.#closed || this.provider.caps.connectionsPerMinute !== null) return false;
    return this.#workers <= this.#wantedWorkers() && this.world.clock.now() - since < KEEP_PLACE_MS;
  }

  /** Who cannot wait has waited: the connections are held up by slow answers, so a further one is opened. */
  #hurry(): void {
    this.#cancelHurry = null;
    // One that is being opened will take the question when it is.
    if (this.#talking < this.#workers || this.#workers >= this.#bearable) return;
    if (!this.#queue.hasUrgent || this.#closed) return;
    this.#workers += 1;
    void this.#work();
  }

  #spare(connections: number): void {
    this.#bearable = connections;
    this.#spareUntil = this.world.clock.now() + SPARE_MS;
  }

  async #work(): Promise<void> {
    const signal = this.#working;
    const leases: HostLease[] = [];
    try {
      leases.push(await this.#enter(signal));
      const place = this.world.sockets.enter(signal);
      leases.push(place instanceof Promise ? await place : place);
      const since = this.world.clock.now();
      do await this.#converse(signal);
      while (!signal.aborted && this.#keepsPlace(since));
    } catch (error) {
      // Without leave to talk (the gate's store is away) nothing can be said about anybody.
      if (!signal.aborted) this.#queue.answerAll(givenUp(error instanceof Error ? error.message : String(error)));
    } finally {
      for (const lease of leases) lease.release();
      this.#workers -= 1;
      this.#pump();
    }
  }

  async #enter(signal: GiveUpSignal): Promise<HostLease> {
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

  async #converse(signal: GiveUpSignal): Promise<void> {
    const { operator, provider } = this;
    const visit = { operator, provider, signal, onIdleEnd: () => this.#wake?.() };
    const attempt = await openSession(this.hosts, visit, this.world);
    if (attempt.kind !== 'opened') {
      // While another connection works the queue is in good hands: the hosts bear no more of them.
      if (this.#workers > 1) this.#spare(this.#workers - 1);
      else if (!signal.aborted) this.#queue.answerAll(attempt);
      return;
    }
    const { session, primary } = attempt;
    const conversation = new Conversation(session, primary, this.#queue, this, this.world);
    // When nobody waits any more, a silent server is not waited for either.
    const leave = () => void session.quit();
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    this.#talking += 1;
    await conversation.run(() => this.#rest(conversation.isWorthKeeping));
    this.#talking -= 1;
    signal.removeEventListener('abort', leave);
    const left = conversation.endedWithoutAnswer;
    this.#fruitless = left === null || signal.aborted ? 0 : this.#fruitless + 1;
    if (left !== null && this.#fruitless > MOST_FRUITLESS) this.#queue.answerAll(left);
  }

  /** Keeps the connection a while for the next question; false when it should be left. */
  async #rest(keepWarm: boolean): Promise<boolean> {
    const { clock, warm, waitingForPlace } = this.world;
    // One turn of the event loop: the answer just given may call for a control on this connection.
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (this.#queue.length > 0) return true;
    if (!keepWarm || this.#closed || this.#wake !== null || waitingForPlace.has(this.operator)) return false;
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
