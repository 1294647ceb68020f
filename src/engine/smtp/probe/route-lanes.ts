import type { Clock } from '../../../lib/clock.js';
import type { ProviderCaps } from '../../lists/providers.js';
import type { CircuitBreaker } from '../connect/breaker.js';
import { givenUp, isOfSource, type ConnectFailed, type RejectedBeforeRcpt } from '../connect/connect-result.js';
import { DEFAULT_SOURCE, type Source } from '../connect/source.js';
import type { ProbeQueue } from './probe-queue.js';
import type { SocketPermits } from '../connect/socket-permits.js';
import type { ConnectionLimiter, WarmUp } from '../../ports.js';
import type { ProbeContext } from './probe-loop.js';
import type { Sources } from '../connect/sources.js';

/** The connections of a route from one of our sources. */
export interface Lane {
  readonly source: Source;
  /** Under which permits are counted: the operator, at this source. */
  readonly key: string;
  /** The source for the connection limiter; null where nobody has named one. */
  readonly permitSource: string | null;
  /** The route has other lanes. */
  hasOthers: boolean;
  /** Workers of the route at it, those that wait for a permit included. */
  workers: number;
  /** Workers that have waited for a permit so long that other sources are tried. */
  stuck: number;
  /** The operator's cap, or for a while fewer where the hosts rejected a connection. */
  maxConnections: number;
  reducedUntil: number;
  /** The hosts, or the source itself, refused this source: others are tried until then. */
  refusedUntil: number;
}

/** A queue this long is worth a further connection: with fewer, small hosts get two; with more, large hosts get too few. */
const QUEUE_PER_CONNECTION = 30;
/** How long a host that rejected a connection gets fewer, and a source that was refused none. */
const REDUCED_MS = 60_000;

/**
 * The sources that may ask a route's hosts, the preferred one first, and which of them the next worker gets: of those with room, the one with the
 * least load for its weight. A source that is paused, rests, or is refused by the operator gets none; who must be asked by it may be asked by any then.
 */
export class RouteLanes {
  #all: readonly Lane[] = [];

  constructor(
    sources: readonly Source[],
    private readonly operator: string,
    private readonly caps: ProviderCaps,
    private readonly breaker: CircuitBreaker,
    private readonly clock: Clock,
  ) {
    this.update(sources);
  }

  get all(): readonly Lane[] {
    return this.#all;
  }

  /** These sources may ask from now on; the lane of one that was taken out stays until its connections have ended. */
  update(sources: readonly Source[]): void {
    const ending = this.#all.filter((lane) => lane.workers > 0 && !sources.includes(lane.source));
    const known = new Map(this.#all.map((lane) => [lane.source, lane]));
    this.#all = [...sources.map((source) => known.get(source) ?? this.#laneOf(source)), ...ending];
    for (const lane of this.#all) lane.hasOthers = this.#all.length > 1;
  }

  #laneOf(source: Source): Lane {
    const { operator, caps } = this;
    const isNamed = source.name !== DEFAULT_SOURCE;
    return {
      source,
      permitSource: isNamed ? source.name : null,
      hasOthers: false,
      key: isNamed ? `${operator} ${source.name}` : operator,
      workers: 0,
      stuck: 0,
      maxConnections: caps.connections,
      reducedUntil: 0,
      refusedUntil: 0,
    };
  }

  /** The most connections that the route may have now. */
  get maxConnections(): number {
    let sum = 0;
    for (const lane of this.#all) if (!lane.source.isTakenOut) sum += this.#connectionsOf(lane);
    return sum;
  }

  /** Connections that so many probes are worth. */
  wanted(waiting: number): number {
    return Math.min(this.maxConnections, Math.ceil(waiting / QUEUE_PER_CONNECTION));
  }

  /** The lane of the next worker; null when the queue is worth none more, or none may be had. */
  next(queue: ProbeQueue, workers: number): Lane | null {
    if (queue.hasBound) {
      const lane = this.#nextBound(queue);
      if (lane !== null) return lane;
    }
    // Cancelled probes leave the queue when it is their turn: they are worth no connection.
    const waiting = Math.min(queue.length, queue.unanswered);
    return workers < this.wanted(waiting) ? this.withRoom() : null;
  }

  /** A lane that may open a further connection: the one with the least load. */
  withRoom(isFit: (lane: Lane) => boolean = () => true): Lane | null {
    let best: Lane | null = null;
    for (const lane of this.#all) {
      if (lane.stuck > 0 || lane.workers >= this.#connectionsOf(lane) || !this.isUsable(lane) || !isFit(lane)) continue;
      if (best === null || this.#loadOf(lane) < this.#loadOf(best)) best = lane;
    }
    return best;
  }

  /** One through which hosts can still be told from nobody: it is tried when no lane is usable, so that its failure is the answer. */
  lastResort(): Lane | null {
    const may = this.#all.filter(({ source }) => source.condition === 'open' && !source.isResting);
    return may.toSorted((one, other) => one.refusedUntil - other.refusedUntil)[0] ?? null;
  }

  /** Why none may ask. */
  withoutSource(): ConnectFailed {
    const sources = this.#all.map(({ source }) => source);
    const resting = sources.filter(({ isResting }) => isResting);
    if (resting.length === 0) return givenUp('no source of this service may ask this mail operator now');
    const retryAfterMs = Math.min(...resting.map(({ restMs }) => restMs));
    const [{ report }] = resting as [Source];
    return {
      ...givenUp(report.fault ?? ''),
      problem: 'source_failed',
      retryAfterMs,
      source: report.name,
      fromCache: true,
    };
  }

  /** Another source that the operator does not refuse, in another network than this one. */
  elsewhere({ network }: Source): Lane | null {
    if (this.#all.length === 1) return null;
    const isElsewhere = ({ source }: Lane) => source.network !== network;
    return this.withRoom(isElsewhere) ?? this.#all.find((lane) => isElsewhere(lane) && this.isUsable(lane)) ?? null;
  }

  of(source: Source): Lane {
    return this.#all.find((lane) => lane.source === source)!;
  }

  reduce(lane: Lane, connections: number): void {
    lane.maxConnections = connections;
    lane.reducedUntil = this.clock.now() + REDUCED_MS;
  }

  /** The source is of no use for a while. False when there is no other that could be. */
  refuse(lane: Lane, failure: ConnectFailed | RejectedBeforeRcpt): boolean {
    if (this.#all.length === 1 || !isOfSource(failure)) return false;
    const ms = failure.kind === 'connect_failed' ? failure.retryAfterMs : null;
    lane.refusedUntil = this.clock.now() + (ms ?? REDUCED_MS);
    return this.#all.some((other) => other !== lane && this.isUsable(other));
  }

  begin(lane: Lane): void {
    lane.workers += 1;
    lane.source.load.set(this.operator, (lane.source.load.get(this.operator) ?? 0) + 1);
  }

  end(lane: Lane): void {
    lane.workers -= 1;
    if (lane.workers === 0 && lane.source.isTakenOut)
      this.update(this.#all.flatMap(({ source }) => (source.isTakenOut ? [] : [source])));
    const load = lane.source.load.get(this.operator)! - 1;
    if (load === 0) lane.source.load.delete(this.operator);
    else lane.source.load.set(this.operator, load);
  }

  #nextBound(queue: ProbeQueue): Lane | null {
    for (const name of queue.boundSources()) {
      const lane = this.#all.find(({ source }) => source.name === name);
      const may = lane !== undefined && this.isUsable(lane, true) ? this.#connectionsOf(lane) : 0;
      if (lane === undefined || may === 0) queue.unbind(name);
      else if (lane.workers < Math.min(may, Math.ceil(queue.boundTo(name) / QUEUE_PER_CONNECTION))) return lane;
    }
    return null;
  }

  #connectionsOf(lane: Lane): number {
    if (lane.reducedUntil !== 0 && this.clock.now() >= lane.reducedUntil) {
      lane.maxConnections = this.caps.connections;
      lane.reducedUntil = 0;
    }
    return lane.maxConnections;
  }

  isUsable(lane: Lane, isBound = false): boolean {
    const { source } = lane;
    const { condition } = source;
    if (condition === 'paused' || (condition === 'drained' && !isBound) || source.isResting) return false;
    if (this.#all.length === 1) return true;
    if (lane.refusedUntil > this.clock.now() || source.port25.isBlocked) return false;
    return this.breaker.pauseMs(this.operator, source.keyTo('')) === 0;
  }

  #loadOf({ source }: Lane): number {
    return (source.load.get(this.operator) ?? 0) / source.config.weight;
  }
}

/** A route with a warm connection, as those see it who need its permit. */
export interface WarmRoute {
  closeWarm(): void;
}

/** How the routes of an engine share connections. */
export interface RouteContext extends ProbeContext {
  readonly sources: Sources;
  readonly warmUp: WarmUp;
  /** Permits to connect to one operator, over all processes. */
  readonly connectionLimiter: ConnectionLimiter;
  /** Permits to open a socket at all, over all hosts of this process. */
  readonly sockets: SocketPermits;
  /** Routes with a warm connection, by operator and source: one that needs a permit asks the others to close theirs. */
  readonly warm: Map<string, Set<WarmRoute>>;
  readonly waitingForPermit: Map<string, number>;
}
