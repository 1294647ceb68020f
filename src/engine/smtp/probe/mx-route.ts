import { type RouteContext, type Lane, RouteLanes } from './route-lanes.js';
import { Latch } from '../../../lib/latch.js';
import type { MailHost } from '../../../mail-dns/mx-set.js';
import type { CancelSignal, Permit } from '../../../lib/semaphore.js';
import type { MailProvider } from '../../lists/providers.js';
import { givenUp, isOfSource, type ConnectFailed, type RejectedBeforeRcpt } from '../connect/connect-result.js';
import { openSession } from '../connect/open-session.js';
import { AbortFlag, NOT_NEEDED, PermitWaits } from '../connect/permit-waits.js';
import { LanePermits } from './lane-permits.js';
import type { Source } from '../connect/source.js';
import { ProbeLoop, type RouteOperator } from './probe-loop.js';
import { ProbeQueue } from './probe-queue.js';
import type { Allowance, RecipientProbe } from './recipient-probe.js';
import type { Clock } from '../../../lib/clock.js';

/** A permit serves one connection after another this long before others get their turn: to release and acquire again is two calls. */
const KEEP_PERMIT_MS = 500;
/** After so many sources in a row that were refused, all probes of the queue get the refusal. */
const MAX_SOURCES_REFUSED = 2;
/** Some servers take 30 s over a recipient; a single verification does not wait so long behind a list. */
const URGENT_WAIT_MS = 1_000;
/** After more connections in a row than these without any answer, all probes of the queue get the failure. */
const MAX_CONNECTIONS_WITHOUT_ANSWER = 2;

/**
 * The way to one set of mail hosts: a queue of probes, and a few workers, each with one connection at a time, that work it off within the
 * operator's caps, from those of our sources that have room. (`README.md` shows how the parts work together.)
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
  #refusedInARow = 0;
  #isWarm = false;
  readonly #lanes: RouteLanes;
  #connectionsWithoutAnswer = 0;
  #isStarting = false;
  #isClosed = false;
  readonly #answerWaits: AnswerWaits;
  #noProbesLeft = new AbortFlag();
  readonly #warmEnd = new Latch();
  #cancelUrgentTimer: (() => void) | null = null;
  readonly #permitWaits = new PermitWaits(() => this.#queue.nextTurn);
  readonly #permits: LanePermits;

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
    const { sources, breaker, clock } = context;
    this.#answerWaits = new AnswerWaits(clock);
    this.#lanes = new RouteLanes(sources.inOrder(provider.name, key), operator, provider.caps, breaker, clock);
    this.#permits = new LanePermits(operator, provider.caps, context, this.#permitWaits, () => this.#startWorkers());
    this.#startWorkers();
  }

  enqueue(probe: RecipientProbe): void {
    this.#queue.push(probe);
    this.#startWorkers();
  }

  /** Calls back when all probes are answered, when many wait for that, or after some seconds. */
  whenAnswered(callback: () => void): void {
    if (!this.#answerWaits.add(callback)) this.#startWorkers();
  }

  /** A probe was cancelled. When none is left, the workers stop at once, also in the middle of a wait. */
  probeCancelled(): void {
    this.#queue.probeCancelled();
    if (this.#queue.unanswered > 0) return;
    this.#noProbesLeft.abort(new Error('nobody waits any more'));
    this.#noProbesLeft = new AbortFlag();
  }

  /** Our sources are others than before. */
  sourcesChanged(): void {
    this.#lanes.update(this.context.sources.inOrder(this.provider.name, this.key));
    this.closeWarm();
    this.#startWorkers();
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

  // Once for each turn of the event loop, so that addresses that come together go out together.
  #startWorkers(): void {
    if (this.#isStarting) return;
    this.#isStarting = true;
    setImmediate(() => {
      this.#isStarting = false;
      if (this.#queue.length > 0) this.#warmEnd.notify();
      if (this.#isClosed) this.#queue.answerAll(givenUp('the engine was closed'));
      if (this.#queue.unanswered === 0) {
        this.#answerWaits.end();
        this.#permitWaits.end();
      }
      if (this.#connected === 0) this.#permitWaits.hasten();
      this.#fillLanes();
      if (this.#workers === 0) {
        this.#cancelUrgentTimer?.();
        this.#cancelUrgentTimer = null;
        this.onIdle(this);
      } else if (this.#queue.hasUrgent)
        this.#cancelUrgentTimer ??= this.context.clock.after(URGENT_WAIT_MS, () => this.#addUrgentWorker());
    });
  }

  #fillLanes(): void {
    for (;;) {
      const lane = this.#lanes.next(this.#queue, this.#workers - this.#permits.stuck);
      if (lane === null) break;
      this.#begin(lane);
    }
    if (this.#workers > 0 || this.#queue.unanswered === 0) return;
    // Nobody may ask: whoever is tried last says why.
    const last = this.#lanes.lastResort();
    if (last === null) this.#queue.answerAll(this.#lanes.withoutSource());
    else this.#begin(last);
  }

  #begin(lane: Lane): void {
    this.#workers += 1;
    this.#lanes.begin(lane);
    void this.#work(lane);
  }

  refused(source: Source, failure: ConnectFailed): void {
    if (!this.#lanes.refuse(this.#lanes.of(source), failure)) this.#queue.answerAll(failure);
  }

  failOver(probe: RecipientProbe, source: Source): boolean {
    if (probe.failedOver || probe.isCancelled) return false;
    const lane = this.#lanes.elsewhere(source);
    if (lane === null) return false;
    probe.failedOver = true;
    probe.source = lane.source.name;
    this.#queue.putBack(probe);
    this.#startWorkers();
    return true;
  }

  /** Where connections a minute are counted, each needs a permit of its own. */
  #keepsPermit(lane: Lane, since: number): boolean {
    if (this.#isClosed || this.provider.caps.connectionsPerMinute !== null) return false;
    if (!this.#lanes.isUsable(lane) || this.#queue.lengthFor(lane.source.name) === 0) return false;
    const waiting = Math.min(this.#queue.length, this.#queue.unanswered);
    return this.#workers <= this.#lanes.wanted(waiting) && this.context.clock.now() - since < KEEP_PERMIT_MS;
  }

  /** Slow answers hold up the connections and an urgent probe waits behind them, so a further connection is opened. */
  #addUrgentWorker(): void {
    this.#cancelUrgentTimer = null;
    this.#permitWaits.hasten();
    // A connection that is being opened takes the probe when it is open.
    if (this.#connected < this.#workers) return;
    if (!this.#queue.hasUrgent || this.#isClosed) return;
    const lane = this.#lanes.withRoom();
    if (lane !== null) this.#begin(lane);
  }

  async #work(lane: Lane): Promise<void> {
    const signal = this.#noProbesLeft;
    const permits: Permit[] = [];
    try {
      permits.push(await this.#permits.acquire(lane, signal));
      permits.push(await this.#permitWaits.wait(signal, (until, turn) => this.context.sockets.acquire(until, turn)));
      const since = this.context.clock.now();
      do await this.#useConnection(lane, signal);
      while (!signal.aborted && this.#keepsPermit(lane, since));
    } catch (error) {
      // Without a permit (the limiter's store is away) nothing can be learned about anybody.
      if (error !== NOT_NEEDED && !signal.aborted)
        this.#queue.answerAll(givenUp(error instanceof Error ? error.message : String(error)));
    } finally {
      for (const permit of permits) permit.release();
      this.#workers -= 1;
      this.#lanes.end(lane);
      this.#startWorkers();
    }
  }

  async #useConnection(lane: Lane, signal: CancelSignal): Promise<void> {
    // It may have been taken out while the permit was waited for.
    const { condition, name } = lane.source;
    if (condition === 'paused' || !this.#queue.hasProbe(name, condition === 'drained')) return;
    const waiting = this.#queue.lengthFor(lane.source.name);
    const failure = await this.#permits.withQuota(lane, waiting, (quota) => this.#connect(lane, signal, quota));
    if (failure !== null) this.#handleFailure(lane, failure, signal);
  }

  async #connect(lane: Lane, signal: CancelSignal, quota: Allowance | null): Promise<void> {
    const { operator, provider } = this;
    const { nextTurn: turn, nextAccount: account } = this.#queue;
    const own = { turn, account, onIdleEnd: () => this.#warmEnd.notify() };
    const attempt = { operator, provider, source: lane.source, signal, ...own };
    const result = await openSession(this.hosts, attempt, this.context);
    if (result.kind !== 'connected') return this.#handleFailure(lane, result, signal);
    const { session, primary } = result;
    const loop = new ProbeLoop(session, primary, this.#queue, this, this.context, quota);
    // When no probe is left, nobody waits for a silent server either.
    const quit = () => void session.quit();
    signal.addEventListener('abort', quit, { once: true });
    if (signal.aborted) quit();
    this.#connected += 1;
    try {
      await loop.run(() => this.#waitForProbe(lane, loop.keepWarmMs));
    } finally {
      this.#connected -= 1;
      signal.removeEventListener('abort', quit);
    }
    const failure = loop.endedWithoutAnswer;
    if (failure === null) this.#refusedInARow = 0;
    this.#connectionsWithoutAnswer = failure === null || signal.aborted ? 0 : this.#connectionsWithoutAnswer + 1;
    if (failure !== null && this.#connectionsWithoutAnswer > MAX_CONNECTIONS_WITHOUT_ANSWER)
      this.#queue.answerAll(failure);
  }

  #handleFailure(lane: Lane, failure: ConnectFailed | RejectedBeforeRcpt, signal: CancelSignal): void {
    if (signal.aborted) return;
    if (isOfSource(failure)) {
      if (failure.kind === 'rejected_before_rcpt') this.#refusedInARow += 1;
      // Who was not asked at all may be asked from wherever there is room; a host that refuses one source after the other is left alone.
      if (this.#lanes.refuse(lane, failure) && this.#refusedInARow < MAX_SOURCES_REFUSED) return;
      this.#refusedInARow = 0;
    }
    // Another connection still drains the queue, so only lower the cap.
    if (this.#workers > 1) this.#lanes.reduce(lane, lane.workers - 1);
    else this.#queue.answerAll(failure);
  }

  /** Keeps the connection warm for the next probe; false when it should be closed. One connection of a route is kept at most. */
  async #waitForProbe({ key, source }: Lane, keepWarmMs: number): Promise<boolean> {
    const { clock, warm, waitingForPermit, sockets } = this.context;
    // One turn of the event loop: the answer just given may call for a control probe on this connection.
    if (this.#queue.unanswered === 0) this.#answerWaits.end();
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (this.#queue.lengthFor(source.name) > 0) return true;
    const isWanted = waitingForPermit.has(key) || sockets.isWaitedFor || source.condition !== 'open';
    if (keepWarmMs === 0 || this.#isClosed || this.#isWarm || isWanted) return false;
    const routes = warm.get(key) ?? new Set();
    warm.set(key, routes.add(this));
    this.#isWarm = true;
    // A notification from before the connection was warm, such as that of the probe it has just served, must not close it.
    this.#warmEnd.reset();
    const cancelTimer = clock.after(keepWarmMs, () => this.#warmEnd.notify());
    await this.#warmEnd.wait();
    cancelTimer();
    this.#isWarm = false;
    routes.delete(this);
    if (routes.size === 0) warm.delete(key);
    return this.#queue.lengthFor(source.name) > 0;
  }
}

/** So many that wait for other answers wait no longer: they take up room that other addresses of their list could use. */
const MAX_WAITING = 100;
/** Other lists may keep a route busy for hours. */
const MAX_WAIT_MS = 5_000;

/** Those who wait until all probes of a route are answered, as far as that comes soon. */
export class AnswerWaits {
  #waiting: (() => void)[] = [];
  #cancelTimer: (() => void) | null = null;

  constructor(private readonly clock: Clock) {}

  /** True when it was called back at once, with all others, because so many wait. */
  add(callback: () => void): boolean {
    this.#waiting.push(callback);
    this.#cancelTimer ??= this.clock.after(MAX_WAIT_MS, () => this.end());
    if (this.#waiting.length < MAX_WAITING) return false;
    this.end();
    return true;
  }

  /** Calls all back. */
  end(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const callback of waiting) callback();
  }
}
