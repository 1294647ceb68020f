import type { SocketPermits } from '../connect/socket-permits.js';
import type { ConnectionLimiter, WarmUp } from '../../ports.js';
import type { ProbeContext } from './probe-loop.js';
import type { Sources } from '../connect/sources.js';

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
