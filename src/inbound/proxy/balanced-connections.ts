import { isIPv6, type Server, type Socket, SocketAddress } from 'node:net';
import type { Timer } from '../../lib/clock.js';
import { readProxyHeader } from './proxy-header.js';

export interface BalancedOptions {
  /** Addresses of load balancers: of these alone a header is read. */
  readonly balancers: readonly string[];
  /** How many connections may be without a whole header at a time, and for how long each. */
  readonly maxPending: number;
  readonly patienceMs: number;
  readonly timer: Timer;
}

const MAPPED = /^::ffff:(?=\d+\.)/i;
const ZONE = /%.*$/;

/**
 * Puts itself before the listener of a server that reads headers of the PROXY protocol in version 1 only, as `smtp-server` does: a header of
 * version 2 is replaced by one of version 1 that says the same. All else is left to that listener, as it came.
 *
 * A connection without a whole header has no session yet, and thus none of the limits of sessions: it ends after a time, however busily it
 * dribbles, when there are too many of them, and when the server stops.
 */
export class BalancedConnections {
  readonly #pending = new Set<Socket>();
  readonly #next: (socket: Socket) => void;
  readonly #balancers: ReadonlySet<string>;

  constructor(
    server: Server,
    private readonly options: BalancedOptions,
  ) {
    this.#balancers = new Set(options.balancers.map(plainAddress));
    const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
    this.#next = (socket) => {
      for (const listener of listeners) listener.call(server, socket);
    };
    server.removeAllListeners('connection');
    server.on('connection', (socket) => {
      if (this.#balancers.has(plainAddress(socket.remoteAddress ?? ''))) this.#read(socket);
      else this.#next(socket);
    });
  }

  /** Ends those that have no session. */
  close(): void {
    for (const socket of this.#pending) socket.destroy();
  }

  #read(socket: Socket): void {
    const { maxPending, patienceMs, timer } = this.options;
    const give = (): void => void socket.destroy();
    // A connection that is reset has no other listener yet.
    socket.on('error', give);
    if (this.#pending.size >= maxPending) return give();
    this.#pending.add(socket);
    const cancel = timer.after(patienceMs, give);
    let heard: Buffer = Buffer.alloc(0);
    const leave = (): void => {
      cancel();
      this.#pending.delete(socket);
      socket.off('readable', hear).off('end', give).off('close', leave);
    };
    const hear = (): void => {
      const piece = socket.read() as Buffer | null;
      if (piece === null) return;
      heard = Buffer.concat([heard, piece]);
      const header = readProxyHeader(heard);
      if (header.outcome === 'incomplete') return;
      if (header.outcome === 'malformed') return give();
      leave();
      socket.off('error', give);
      const isWhole = header.outcome === 'whole';
      socket.unshift(isWhole ? Buffer.concat([Buffer.from(header.line), heard.subarray(header.bytes)]) : heard);
      this.#next(socket);
    };
    socket.on('readable', hear).on('end', give).on('close', leave);
  }
}

/** One form of each address, whoever wrote it and on whatever kind of listener it comes in: `smtp-server` compares them so too. */
function plainAddress(address: string): string {
  const bare = address.replace(MAPPED, '').replace(ZONE, '');
  return isIPv6(bare) ? new SocketAddress({ address: bare, family: 'ipv6' }).address : bare;
}
