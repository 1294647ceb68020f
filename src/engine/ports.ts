import type { Clock, Random } from '../lib/clock.js';
import type { CancelSignal, Permit } from '../lib/semaphore.js';
import type { Resolver } from '../mail-dns/domain-dns.js';

/* The engine's ports to the outside: connections, permits to connect, and what processes tell each other. */

/** Hears what happens on a connection. Nothing is called after `closed`. */
export interface WireListener {
  /** `chunk` holds these bytes during the call only. */
  data(chunk: Buffer): void;
  /** `error` is null when the peer closed in good order. */
  closed(error: WireError | null): void;
}

/** `source`: our own address, or the proxy that connects for us, is not to be had; nothing is known of the peer. */
export type WireErrorKind = 'refused' | 'unreachable' | 'timeout' | 'reset' | 'tls' | 'source';

export class WireError extends Error {
  constructor(
    readonly kind: WireErrorKind,
    message: string,
  ) {
    super(message);
    this.name = 'WireError';
  }
}

/** A certificate that a host has sent. Digests are hexadecimal; those of the key are of its SubjectPublicKeyInfo, null where it cannot be read. */
export interface PresentedCertificate {
  /** The DNS names that it is for, in lower case; the first label may be `*`. */
  readonly names: readonly string[];
  readonly issuer: string;
  /** Milliseconds since the epoch. */
  readonly validFrom: number;
  readonly validTo: number;
  readonly certificateDigests: PresentedDigests;
  readonly keyDigests: PresentedDigests | null;
}

export interface PresentedDigests {
  readonly sha256: string;
  readonly sha512: string;
}

/** What a host has shown in a TLS handshake. */
export interface PresentedTls {
  /** Such as `TLSv1.3`. */
  readonly protocol: string;
  /** The host's own certificate, then those that vouch for it. */
  readonly chain: readonly PresentedCertificate[];
  /** Why nobody whom this machine trusts vouches for it, in OpenSSL's word; null: somebody does. Names are not looked at. */
  readonly distrust: string | null;
}

/** An open byte stream to a mail host. */
export interface Wire {
  /** Our own address of the connection, the one that a block list would hold. */
  readonly localAddress: string;
  listen(listener: WireListener): void;
  write(text: string): void;
  /**
   * Upgrades to TLS in place (RFC 3207); the certificate is not judged. Rejects with a `WireError` of kind `tls`, which
   * `close` brings about too: the caller bounds the time.
   */
  startTls(serverName: string): Promise<void>;
  /** As `startTls`, and tells what the host has shown; it refuses nobody. */
  inspectTls(serverName: string): Promise<PresentedTls>;
  /**
   * Closes for good: text already written goes out if the peer still reads, and the listener hears nothing more. Resolves when the
   * connection is closed for the peer as well, a second later at most, so that caps count what the peer counts.
   */
  close(): Promise<void>;
}

/** A SOCKS5 proxy (RFC 1928) that connects for us, with the user and password of RFC 1929 if it wants them. */
export interface Socks5Proxy {
  readonly host: string;
  readonly port: number;
  readonly user: string | null;
  readonly password: string | null;
  /** Where the password was read; absent: it was written beside the user. */
  readonly passwordFile?: string;
}

/** One of our own addresses that mail hosts see, and how we introduce ourselves there. */
export interface EgressSource {
  /** What administrators, evidence and figures call it. */
  readonly name: string;
  /** Connections leave by this address of the machine; null: by the proxy, else by the one that the system chooses. */
  readonly address: string | null;
  readonly socks5: Socks5Proxy | null;
  readonly helo: string;
  /** Empty for the null sender `<>`. */
  readonly mailFrom: string;
  readonly region: string | null;
  /** Its share among sources that are equally fit: 2 gets twice what 1 gets. */
  readonly weight: number;
  /** Milliseconds since the epoch at which it began to ask mail hosts; null: long ago, so that it needs no warming up. */
  readonly since: number | null;
  /** The rows of `config/mail-providers.json` that it may ask, `default` for all other hosts; null: any. */
  readonly operators: readonly string[] | null;
}

export interface Dialer {
  /** Opens a TCP connection to an IP address, from one of our own. Rejects with a `WireError`. */
  connect(target: {
    address: string;
    port: number;
    timeoutMs: number;
    signal?: CancelSignal;
    /** Without one the system chooses our address. */
    source?: Pick<EgressSource, 'address' | 'socks5'>;
  }): Promise<Wire>;
}

/** How much a mail host tolerates from us, all processes together. */
export interface HostCaps {
  /** Connections open at once. */
  readonly connections: number;
  /** Connections opened in any minute; null for no limit. */
  readonly connectionsPerMinute: number | null;
}

/** Grants permits to open a connection to a mail host or operator. Caps hold over everything that shares the limiter. */
export interface ConnectionLimiter {
  /**
   * Resolves when a permit is free; rejects with the signal's reason when it is aborted first.
   * @param turn those who wait for the same host in this process take turns by this name; without one the caller goes before all of them
   * @param source the name of our own address: caps hold for each; null: nobody has named one
   */
  acquire(
    host: string,
    caps: HostCaps,
    signal: CancelSignal,
    turn?: string | null,
    source?: string | null,
  ): Promise<Permit>;
}

/** How an address that hosts do not know yet begins: recipients of an operator on its first day, how many times more each day, and from which number on there is no limit. */
export interface WarmUpPace {
  readonly firstDay: number;
  readonly growth: number;
  readonly most: number;
}

/** The pace at most mail operators. */
export interface WarmUpTable extends WarmUpPace {
  /** Operators that want another pace, by the name of their row. */
  readonly operators?: Readonly<Record<string, WarmUpPace>>;
}

/** Counts the recipients that a source names to an operator in a UTC day. The count holds over everything that shares it. */
export interface WarmUp {
  /** @param most of the day. @returns how many of those wanted may be named */
  take(operator: string, source: string, most: number, wanted: number): Promise<number>;
  /** Some of those taken were not named. */
  giveBack(operator: string, source: string, count: number): void;
}

/** In the place of an operator: no mail host at all answers the source. */
export const PORT_25 = 'port-25';

/** What one process has found out and all should know: a mail operator refuses a source, or port 25 is closed for it. */
export interface SharedBlock {
  /** Whom it is about; `PORT_25`: all. */
  readonly operator: string;
  /** Name and address of the source. */
  readonly source: string;
  /** Milliseconds since the epoch; of `PORT_25`, since when. */
  readonly openUntil: number;
  /** For how long it would be next. */
  readonly pauseMs: number;
  readonly refusals: number;
  /** Codes of the last refusal. */
  readonly lastRefusal: string;
  /** It has ended: what was found until `openUntil` holds no longer. */
  readonly isOver: boolean;
}

/** What a mail operator has answered to a made-up name. */
export interface MadeUpAnswer {
  readonly operator: string;
  readonly isAccepted: boolean;
  readonly domain: string;
  readonly mailHost: string;
  /** Code and text, without the name. */
  readonly reply: string;
}

/**
 * What made-up names have shown of mail operators that are believed to refuse unknown names. One is asked an hour and operator; that, and
 * what is known, holds over everything that shares it.
 */
export interface OperatorMeasures {
  /** It has accepted two in a row, so that an acceptance proves nothing. */
  acceptsAll(operator: string): boolean;
  /** Cheap and perhaps wrong, for it is called at each acceptance: `takeTurn` decides. */
  isDue(operator: string): boolean;
  /** How many in a row it has accepted; null: somebody has asked within the hour. Never rejects. */
  takeTurn(operator: string): Promise<number | null>;
  /** Called after a turn that was taken, if the answer says anything. Must not throw. */
  record(answer: MadeUpAnswer): void;
}

/**
 * Watches for accounts that ask for names at one domain that nobody has, one after another: hosts take such a run for an attack and refuse
 * our addresses, for all accounts. What is known holds over everything that shares it.
 */
export interface NameRuns {
  /** Called before each question, and cheap. */
  isSuspected(account: string, domain: string): boolean;
  /** Asked for each question of an account that is suspected. @returns milliseconds until it may be asked; 0: now. Never rejects. */
  takeTurn(account: string, domain: string): Promise<number>;
  /** A mail host has said whether there is such a mailbox. Must not throw. */
  record(account: string, domain: string, isFound: boolean): void;
}

export interface EnginePorts {
  readonly resolver: Resolver;
  readonly dialer: Dialer;
  readonly clock: Clock;
  readonly random: Random;
  readonly connectionLimiter: ConnectionLimiter;
  /** Default: each process counts for itself. */
  readonly warmUp?: WarmUp;
  /** Default: operators are believed. */
  readonly operatorMeasures?: OperatorMeasures;
  /** Default: nobody is suspected. */
  readonly nameRuns?: NameRuns;
  /** Tells other processes, whose findings come in by `Engine.adopt`; must not throw. Default: each learns for itself. */
  readonly tellOthers?: (block: SharedBlock) => void;
}

/** Whether whoever speaks for a domain, or for one of its mail hosts, wants no questions. */
export type IsLeftAlone = (domain: string, hosts: readonly { readonly name: string }[]) => boolean;
