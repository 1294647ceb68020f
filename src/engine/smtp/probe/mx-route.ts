import { Latch } from '../../../async/latch.js';
import type { Semaphore } from '../../../async/semaphore.js';
import type { MailHost } from '../../dns/mx-set.js';
import type { CancelSignal, ConnectionLimiter, Permit } from '../../ports.js';
import type { MailProvider } from '../../providers/provider-row.js';
import { givenUp } from '../connect/connect-result.js';
import { openSession } from '../connect/open-session.js';
import { AbortFlag } from '../limits/abort.js';
import { PermitWaits } from '../limits/permit-waits.js';
import { ProbeLoop, type ProbeContext, type RouteOperator } from './probe-loop.js';
import { ProbeQueue, type RecipientProbe } from './probe-queue.js';

/** How the routes of an engine share connections. */
export interface RouteContext extends ProbeContext {
  /** Permits to connect to one operator, over all processes. */
  readonly connectionLimiter: ConnectionLimiter;
  /** Permits to open a socket at all, over all hosts of this process. */
  readonly sockets: Semaphore;
  /** Routes with a warm connection, by operator: one that needs a permit asks the others to close theirs. */
  readonly warm: Map<string, Set<MxRoute>>;
  readonly waitingForPermit: Map<string, number>;
}

/** A queue this long is worth a further connection: with fewer, small hosts get two; with more, large hosts get too few. */
const QUEUE_PER_CONNECTION = 30;
const KEEP_WARM_MS = 5_000;
/** A permit serves one connection after another this long before others get their turn: to release and acquire again is two calls. */
const KEEP_PERMIT_MS = 500;
/** How long a host that rejected a connection gets fewer. */
const REDUCED_MS = 60_000;
/** Some servers take 30 s over a recipient; a single verification does not wait so long behind a list. */
const URGENT_WAIT_MS = 1_000;
/** After more connections in a row than these without any answer, all probes of the queue get the failure. */
const MAX_CONNECTIONS_WITHOUT_ANSWER = 2;
/** So many that wait for other answers wait no longer: they take up room that other addresses of their list could use. */
const MAX_WAITING_FOR_ANSWERS = 100;
/** Other lists may keep a route busy for hours. */
const MAX_ANSWERS_WAIT_MS = 5_000;

/**
 * The way to one set of mail hosts: a queue of probes, and a few workers, each with one connection at a time, that work it off within the
 * operator's caps. (`README.md` shows how the parts of this folder work together.)
 *
 * A route is idle, working or closed.
 * - Idle: no probe waits and no worker runs; `onIdle` lets its owner forget it, also one turn of the event loop after it was made if
 *   nobody has asked it anything by then. `enqueue` makes it work.
 * - Working: there are as many workers as the length of the queue is worth. A worker acquires a permit of the operator and one for a
 *   socket, then runs connections until the queue is empty, and ends; when the last one ends, the route is idle again.
 * - Closed: every probe is answered as given up, at once.
 *
 * Nothing is lost: a new probe and the end of a worker, two of the events that may need a worker, call `#startWorkers`, which looks at the queue
 * one turn of the event loop later. A worker with a warm connection waits on a latch, which new probes, a route that needs its permit, the
 * end of the session and a timer notify. When the last probe is cancelled, its workers are aborted, so that nobody waits for a silent
 * server without need.
 */
export class MxRoute implements RouteOperator {
  readonly #queue = new ProbeQueue();
  #workers = 0;
  /** Workers whose connection is past the greeting. */
  #connected = 0;
  /** The operator's cap, or for a while fewer where the hosts rejected a connection. */
  #maxConnections: number;
  #reducedUntil = 0;
  #connectionsWithoutAnswer = 0;
  #isStarting = false;
  #isClosed = false;
  #waitingForAnswers: (() => void)[] = [];
  #cancelAnswersTimer: (() => void) | null = null;
  #noProbesLeft = new AbortFlag();
  readonly #warmEnd = new Latch();
  #cancelUrgentTimer: (() => void) | null = null;
  readonly #permitWaits = new PermitWaits(() => this.#queue.nextTurn);

  constructor(
    /** Stands for the set of hosts. */
    readonly key: string,
    readonly hosts: readonly MailHost[],
    readonly operator: string,
    readonly provider: MailProvider,
    private readonly context: RouteContext,
    /** Called when no probe waits and no connection is open. */
    private readonly onIdle: (route: MxRoute) => void,
  ) {
    this.#maxConnections = provider.caps.connections;
    this.#startWorkers();
  }

  enqueue(probe: RecipientProbe): void {
    this.#queue.push(probe);
    this.#startWorkers();
  }

  /** Calls back when all probes are answered, when many wait for that, or after some seconds. */
  whenAnswered(callback: () => void): void {
    this.#waitingForAnswers.push(callback);
    this.#cancelAnswersTimer ??= this.context.clock.after(MAX_ANSWERS_WAIT_MS, () => this.#callWaiting());
    if (this.#waitingForAnswers.length >= MAX_WAITING_FOR_ANSWERS) this.#callWaiting();
    else this.#startWorkers();
  }

  /** A probe was cancelled. When none is left, the workers stop at once, also in the middle of a wait. */
  probeCancelled(): void {
    this.#queue.probeCancelled();
    if (this.#queue.unanswered > 0) return;
    this.#noProbesLeft.abort(new Error('nobody waits any more'));
    this.#noProbesLeft = new AbortFlag();
  }

  /** Closes the warm connection, if there is one. */
  closeWarm(): void {
    this.#warmEnd.notify();
  }

  /** Ends the connections; probes that wait are answered as given up. */
  close(): void {
    this.#isClosed = true;
    this.#queue.answerAll(givenUp('the engine was closed'));
    this.#noProbesLeft.abort(new Error('the engine was closed'));
    this.closeWarm();
  }

  #callWaiting(): void {
    this.#cancelAnswersTimer?.();
    this.#cancelAnswersTimer = null;
    if (this.#waitingForAnswers.length === 0) return;
    const waiting = this.#waitingForAnswers;
    this.#waitingForAnswers = [];
    for (const callback of waiting) callback();
  }

  // Once for each turn of the event loop, so that addresses that come together go out together.
  #startWorkers(): void {
    if (this.#isStarting) return;
    this.#isStarting = true;
    setImmediate(() => {
      this.#isStarting = false;
      if (this.#queue.length > 0) this.#warmEnd.notify();
      if (this.#isClosed) this.#queue.answerAll(givenUp('the engine was closed'));
      if (this.#queue.unanswered === 0) this.#callWaiting();
      if (this.context.clock.now() >= this.#reducedUntil) this.#maxConnections = this.provider.caps.connections;
      if (this.#connected === 0) this.#permitWaits.hasten();
      for (const wanted = this.#wantedWorkers(); this.#workers < wanted; this.#workers++) void this.#work();
      if (this.#workers === 0) {
        this.#cancelUrgentTimer?.();
        this.#cancelUrgentTimer = null;
        this.onIdle(this);
      } else if (this.#queue.hasUrgent)
        this.#cancelUrgentTimer ??= this.context.clock.after(URGENT_WAIT_MS, () => this.#addUrgentWorker());
    });
  }

  #wantedWorkers(): number {
    // Cancelled probes leave the queue when it is their turn: they are worth no connection.
    const waiting = Math.min(this.#queue.length, this.#queue.unanswered);
    return Math.min(this.#maxConnections, Math.ceil(waiting / QUEUE_PER_CONNECTION));
  }

  /** Where connections a minute are counted, each needs a permit of its own. */
  #keepsPermit(since: number): boolean {
    if (this.#isClosed || this.provider.caps.connectionsPerMinute !== null) return false;
    return this.#workers <= this.#wantedWorkers() && this.context.clock.now() - since < KEEP_PERMIT_MS;
  }

  /** Slow answers hold up the connections and an urgent probe waits behind them, so a further connection is opened. */
  #addUrgentWorker(): void {
    this.#cancelUrgentTimer = null;
    this.#permitWaits.hasten();
    // A connection that is being opened takes the probe when it is open.
    if (this.#connected < this.#workers || this.#workers >= this.#maxConnections) return;
    if (!this.#queue.hasUrgent || this.#isClosed) return;
    this.#workers += 1;
    void this.#work();
  }

  #reduceConnections(connections: number): void {
    this.#maxConnections = connections;
    this.#reducedUntil = this.context.clock.now() + REDUCED_MS;
  }

  async #work(): Promise<void> {
    const signal = this.#noProbesLeft;
    const permits: Permit[] = [];
    try {
      permits.push(await this.#acquirePermit(signal));
      permits.push(await this.#permitWaits.wait(signal, (until, turn) => this.context.sockets.acquire(until, turn)));
      const since = this.context.clock.now();
      do await this.#useConnection(signal);
      while (!signal.aborted && this.#keepsPermit(since));
    } catch (error) {
      // Without a permit (the limiter's store is away) nothing can be learned about anybody.
      if (!signal.aborted) this.#queue.answerAll(givenUp(error instanceof Error ? error.message : String(error)));
    } finally {
      for (const permit of permits) permit.release();
      this.#workers -= 1;
      this.#startWorkers();
    }
  }

  async #acquirePermit(signal: CancelSignal): Promise<Permit> {
    const { connectionLimiter, warm, waitingForPermit } = this.context;
    const { operator } = this;
    waitingForPermit.set(operator, (waitingForPermit.get(operator) ?? 0) + 1);
    for (const route of warm.get(operator) ?? []) route.closeWarm();
    try {
      const { caps } = this.provider;
      return await this.#permitWaits.wait(signal, (until, turn) =>
        connectionLimiter.acquire(operator, caps, until, turn),
      );
    } finally {
      const waiting = waitingForPermit.get(operator)! - 1;
      if (waiting === 0) waitingForPermit.delete(operator);
      else waitingForPermit.set(operator, waiting);
    }
  }

  async #useConnection(signal: CancelSignal): Promise<void> {
    if (!this.#queue.hasProbe()) return;
    const { operator, provider } = this;
    const attempt = { operator, provider, signal, turn: this.#queue.nextTurn, onIdleEnd: () => this.#warmEnd.notify() };
    const result = await openSession(this.hosts, attempt, this.context);
    if (result.kind !== 'connected') {
      // Another connection still drains the queue, so only lower the cap.
      if (this.#workers > 1) this.#reduceConnections(this.#workers - 1);
      else if (!signal.aborted) this.#queue.answerAll(result);
      return;
    }
    const { session, primary } = result;
    const loop = new ProbeLoop(session, primary, this.#queue, this, this.context);
    // When no probe is left, nobody waits for a silent server either.
    const quit = () => void session.quit();
    signal.addEventListener('abort', quit, { once: true });
    if (signal.aborted) quit();
    this.#connected += 1;
    try {
      await loop.run(() => this.#waitForProbe(loop.isWorthKeeping));
    } finally {
      this.#connected -= 1;
      signal.removeEventListener('abort', quit);
    }
    const failure = loop.endedWithoutAnswer;
    this.#connectionsWithoutAnswer = failure === null || signal.aborted ? 0 : this.#connectionsWithoutAnswer + 1;
    if (failure !== null && this.#connectionsWithoutAnswer > MAX_CONNECTIONS_WITHOUT_ANSWER)
      this.#queue.answerAll(failure);
  }

  /** Keeps the connection warm for the next probe; false when it should be closed. One connection of a route is kept at most. */
  async #waitForProbe(isWorthKeeping: boolean): Promise<boolean> {
    const { clock, warm, waitingForPermit, sockets } = this.context;
    // One turn of the event loop: the answer just given may call for a control probe on this connection.
    if (this.#queue.unanswered === 0) this.#callWaiting();
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (this.#queue.length > 0) return true;
    const routes = warm.get(this.operator) ?? new Set();
    const isWanted = waitingForPermit.has(this.operator) || sockets.isWaitedFor;
    if (!isWorthKeeping || this.#isClosed || routes.has(this) || isWanted) return false;
    warm.set(this.operator, routes.add(this));
    // A notification from before the connection was warm, such as that of the probe it has just served, must not close it.
    this.#warmEnd.reset();
    const cancelTimer = clock.after(KEEP_WARM_MS, () => this.#warmEnd.notify());
    await this.#warmEnd.wait();
    cancelTimer();
    routes.delete(this);
    if (routes.size === 0) warm.delete(this.operator);
    return this.#queue.length > 0;
  }
}
