/** The four things the engine asks the world for: DNS answers, connections, the time (and chance), and leave to talk. */

/**
 * One DNS question's answer. The outcomes are different facts: only `nxdomain` and `nodata` may ever make an address
 * invalid; `servfail` (also REFUSED and malformed answers) and `timeout` say nothing about it.
 */
export type DnsAnswer<T> =
  | { readonly outcome: 'found'; readonly records: readonly T[]; readonly ttlSeconds: number }
  | { readonly outcome: 'nxdomain' | 'nodata' | 'servfail' | 'timeout' };

export interface MxRecord {
  /** Lower-case, no trailing dot; empty for a null MX (RFC 7505). */
  readonly exchange: string;
  readonly preference: number;
}

/** Never rejects: whatever goes wrong is an outcome. */
export interface Resolver {
  mx(domain: string): Promise<DnsAnswer<MxRecord>>;
  /** IPv4 addresses. */
  a(host: string): Promise<DnsAnswer<string>>;
  /** IPv6 addresses. */
  aaaa(host: string): Promise<DnsAnswer<string>>;
}

/** What a connection tells its owner. Nothing is called after `closed`. */
export interface WireListener {
  /** `chunk` holds these bytes during the call only. */
  data(chunk: Buffer): void;
  /** `error` is null when the peer closed in good order. */
  closed(error: WireError | null): void;
}

export type WireErrorKind = 'refused' | 'unreachable' | 'timeout' | 'reset' | 'tls';

export class WireError extends Error {
  constructor(
    readonly kind: WireErrorKind,
    message: string,
  ) {
    super(message);
    this.name = 'WireError';
  }
}

/** An open byte stream to a mail host. */
export interface Wire {
  /** Our own address of the connection: what a block list would hold. */
  readonly localAddress: string;
  listen(listener: WireListener): void;
  write(text: string): void;
  /**
   * Upgrades to TLS in place (RFC 3207); the certificate is not judged. Rejects with a `WireError` of kind `tls`, which
   * `close` brings about too: whoever calls bounds the time.
   */
  startTls(serverName: string): Promise<void>;
  /**
   * Closes for good: what is written goes out if the peer still reads, nothing more is heard. Resolves when the connection is
   * gone for the peer as well, a second later at most, so that caps count what the peer counts.
   */
  close(): Promise<void>;
}

/** What the engine needs of an `AbortSignal`, which is one. */
export interface GiveUpSignal {
  readonly aborted: boolean;
  /** An error once it is aborted. */
  readonly reason: unknown;
  /** The listener is called once. */
  addEventListener(type: 'abort', listener: () => void, options: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface Dialer {
  /** Opens a TCP connection to an IP address. Rejects with a `WireError`. */
  connect(target: { address: string; port: number; timeoutMs: number; signal?: GiveUpSignal }): Promise<Wire>;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `ms`; the function returned cancels. Must not keep a process alive by itself. */
  after(ms: number, callback: () => void): () => void;
}

export interface Random {
  /** A number in [0, 1). */
  fraction(): number;
}

/** How much a mail host bears of us, all processes together. */
export interface HostCaps {
  /** Connections open at once. */
  readonly connections: number;
  /** Connections opened in any minute; null for no limit. */
  readonly connectionsPerMinute: number | null;
}

export interface HostLease {
  /** Call once, when the connection is closed. */
  release(): void;
}

/** Leave to open one connection to a mail host or operator. Caps hold over everything that shares the gate. */
export interface HostGate {
  /** Resolves when there is a place; rejects with the signal's reason when it is aborted first. */
  enter(host: string, caps: HostCaps, signal: GiveUpSignal): Promise<HostLease>;
}

export interface EnginePorts {
  readonly resolver: Resolver;
  readonly dialer: Dialer;
  readonly clock: Clock;
  readonly random: Random;
  readonly gate: HostGate;
}
