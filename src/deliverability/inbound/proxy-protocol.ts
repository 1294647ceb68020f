import { isIPv6, type Server, type Socket, SocketAddress } from 'node:net';
import type { Timer } from '../../lib/clock.js';

interface BalancedOptions {
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

/**
 * What the first bytes of a connection are, as the PROXY protocol has them in its version 2 (section 2.2 of HAProxy's proxy-protocol.txt).
 * `other`: they are no header of that version. `line`: the same as a header of version 1, and how many bytes it has taken.
 */
type ProxyHeader =
  | { readonly outcome: 'incomplete' | 'other' | 'malformed' }
  | { readonly outcome: 'whole'; readonly bytes: number; readonly line: string };

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
/** The signature, version and command, family and protocol, and the length of what follows. */
const FIXED_BYTES = 16;
/** Of a whole header: it has room for more than HAProxy and AWS put behind the addresses, and a stranger may not fill more. */
export const MAX_HEADER_BYTES = 4_096;
const [LOCAL, PROXY] = [0x20, 0x21];
/** What comes over TCP is a stream: datagrams are not spoken for. The sizes of their addresses, with ports. */
const [UNSPECIFIED, TCP4, TCP6, UNIX] = [0x00, 0x11, 0x21, 0x31];
const ADDRESS_BYTES = new Map([
  [UNSPECIFIED, 0],
  [TCP4, 12],
  [TCP6, 36],
  [UNIX, 216],
]);
/** Type and length before each value behind the addresses. */
const TLV_BYTES = 3;
/** Who connects itself, as health checks do, or by what is no internet address. */
const NOBODY = 'PROXY UNKNOWN\r\n';
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Reads no more than is there, and believes no length before it has looked at it. */
export function readProxyHeader(bytes: Buffer): ProxyHeader {
  const begun = Math.min(bytes.byteLength, SIGNATURE.byteLength);
  if (!bytes.subarray(0, begun).equals(SIGNATURE.subarray(0, begun))) return { outcome: 'other' };
  if (bytes.byteLength < FIXED_BYTES) return { outcome: 'incomplete' };
  const [command, family] = [bytes[12]!, bytes[13]!];
  const end = FIXED_BYTES + bytes.readUInt16BE(14);
  if ((command !== LOCAL && command !== PROXY) || end > MAX_HEADER_BYTES) return { outcome: 'malformed' };
  const isLocal = command === LOCAL;
  const addressBytes = isLocal ? 0 : ADDRESS_BYTES.get(family);
  if (addressBytes === undefined || FIXED_BYTES + addressBytes > end) return { outcome: 'malformed' };
  if (bytes.byteLength < end) return { outcome: 'incomplete' };
  // What stands in a header without addresses, or of a local connection, is to be passed over, whatever it is.
  const hasValues = !isLocal && family !== UNSPECIFIED;
  if (hasValues && !areValues(bytes.subarray(FIXED_BYTES + addressBytes, end))) return { outcome: 'malformed' };
  const line = isLocal ? NOBODY : lineOf(family, bytes.subarray(FIXED_BYTES, FIXED_BYTES + addressBytes));
  return { outcome: 'whole', bytes: end, line };
}

/** Whether values fill the rest of a header; none of them is looked at. */
function areValues(bytes: Buffer): boolean {
  let at = 0;
  while (at + TLV_BYTES <= bytes.byteLength) at += TLV_BYTES + bytes.readUInt16BE(at + 1);
  return at === bytes.byteLength;
}

function lineOf(family: number, addresses: Buffer): string {
  if (family === TCP4) return lineBetween(ipv4(addresses, 0), ipv4(addresses, 4), addresses.subarray(8));
  if (family === TCP6) return lineBetween(ipv6(addresses, 0), ipv6(addresses, 16), addresses.subarray(32));
  return NOBODY;
}

function lineBetween(source: string, target: string, ports: Buffer): string {
  const kind = source.includes(':') ? 'TCP6' : 'TCP4';
  return `PROXY ${kind} ${source} ${target} ${ports.readUInt16BE(0)} ${ports.readUInt16BE(2)}\r\n`;
}

function ipv4(bytes: Buffer, at: number): string {
  return bytes.subarray(at, at + 4).join('.');
}

/** One that is IPv4 in truth is written so, since the limits of networks go by it. */
function ipv6(bytes: Buffer, at: number): string {
  const groups = Array.from({ length: 8 }, (_, group) => bytes.readUInt16BE(at + 2 * group).toString(16));
  const { address } = new SocketAddress({ address: groups.join(':'), family: 'ipv6' });
  return MAPPED_IPV4.exec(address)?.[1] ?? address;
}
