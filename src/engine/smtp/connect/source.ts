import { isIP, isIPv6 } from 'node:net';
import { type EgressSource, PORT_25, type SharedBlock } from '../../ports.js';
import { Port25, type Port25Report, type Port25Trial } from './port25.js';
import { HOUR_MS } from '../../../lib/durations.js';
import { LruMap } from '../../../lib/lru-map.js';
import type { Clock } from '../../../lib/clock.js';
import type { RejectedBeforeRcpt, ConnectFailed } from './connect-result.js';

/** `drained`: only asked by those who must come back to it. `paused`: by nobody. */
export type SourceCondition = 'open' | 'drained' | 'paused';

/** What a process knows of one of its sources. */
export interface SourceReport {
  readonly name: string;
  readonly condition: SourceCondition;
  /** Milliseconds since the epoch until which it is left alone because of a fault of its own; null: it has none. */
  readonly restingUntil: number | null;
  /** The fault; null: it has none. */
  readonly fault: string | null;
  readonly port25: Port25Report;
}

/** The name of the only source where nobody has named any. */
export const DEFAULT_SOURCE = 'default';

const FIRST_REST_MS = 10_000;
const MAX_REST_MS = 5 * 60_000;

/**
 * One of our own addresses, and all that is learned there and holds nowhere else: whether port 25 is open, which hosts failed, and whether
 * the address or its proxy is to be had at all.
 *
 * A source works or rests. A fault of its own (its address is not on this machine, its proxy refuses or does not answer) makes it rest, twice
 * as long with each fault in a row; after that whoever needs it tries it, and a connection that opens ends the faults.
 */
export class Source {
  readonly name: string;
  /** The part of the Internet that it is in; a host that blocks one address often blocks its neighbours. */
  readonly network: string;
  /** The only family of addresses that it can reach; null: both, as far as the machine or the proxy can. */
  readonly family: 4 | 6 | null;
  readonly port25: Port25;
  readonly health: HostHealth;
  /** Connections of this process by operator, those that wait for a permit included. */
  readonly load = new Map<string, number>();
  readonly #key: string | null;
  readonly #keys = { ipv4: '', ipv6: '' };
  #isTakenOut = false;
  #restMs = 0;
  #restingUntil = 0;
  #fault: string | null = null;

  constructor(
    readonly config: EgressSource,
    private readonly clock: Clock,
    private readonly conditionOf: (name: string) => SourceCondition,
    tryPort25: (source: EgressSource) => Promise<Port25Trial>,
    onPort25Blocked: (source: string) => void,
    private readonly tellOthers: (block: SharedBlock) => void = () => {},
  ) {
    this.name = config.name;
    this.network = networkOf(config);
    this.family = config.address === null ? null : isIP(config.address) === 6 ? 6 : 4;
    this.port25 = new Port25({
      clock,
      trial: () => tryPort25(config),
      onBlocked: () => {
        onPort25Blocked(config.name);
        this.#tellPort25(false);
      },
      onOpened: () => this.#tellPort25(true),
    });
    this.health = new HostHealth(clock);
    const isBound = config.address !== null || config.socks5 !== null;
    this.#key = isBound ? `${config.name} ${config.address ?? ''}` : null;
    if (!isBound) this.#keys = { ipv4: `${config.name} `, ipv6: `${config.name} ` };
  }

  get condition(): SourceCondition {
    return this.#isTakenOut ? 'paused' : this.conditionOf(this.name);
  }

  /** It is not among our addresses any more. */
  get isTakenOut(): boolean {
    return this.#isTakenOut;
  }

  /** What is open goes to the end of its batch; after that it asks nobody, for ever. */
  takeOut(): void {
    this.#isTakenOut = true;
    this.port25.close();
  }

  get isResting(): boolean {
    return this.#restingUntil !== 0 && this.#restingUntil > this.clock.now();
  }

  get restMs(): number {
    return Math.max(0, this.#restingUntil - this.clock.now());
  }

  get report(): SourceReport {
    const isResting = this.isResting;
    return {
      name: this.name,
      condition: this.condition,
      restingUntil: isResting ? this.#restingUntil : null,
      fault: isResting ? this.#fault : null,
      port25: this.port25.report,
    };
  }

  /** Another process has found it out. */
  adoptPort25({ source, openUntil, isOver }: SharedBlock): void {
    if (source === this.#key) this.port25.adopt(openUntil, isOver);
  }

  // An address that the system chooses may be another one on each machine.
  #tellPort25(isOver: boolean): void {
    if (this.#key === null) return;
    const since = isOver ? this.clock.now() : this.port25.report.since!;
    const nothing = { pauseMs: 0, refusals: 0, lastRefusal: '' };
    this.tellOthers({ operator: PORT_25, source: this.#key, openUntil: since, ...nothing, isOver });
  }

  /** Name and address under which circuits and witnesses of hosts at this address are kept. */
  keyTo(address: string): string {
    return this.#key ?? this.#keys[isIPv6(address) ? 'ipv6' : 'ipv4'];
  }

  /** A connection has opened: the source works. The system may have chosen another address of ours than before. */
  recordOpened(address: string, localAddress: string): void {
    if (this.#restMs !== 0) this.#restMs = this.#restingUntil = 0;
    if (this.#key !== null) return;
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    const key = this.#keys[family];
    if (key.length !== this.name.length + 1 + localAddress.length || !key.endsWith(localAddress))
      this.#keys[family] = `${this.name} ${localAddress}`;
  }

  recordFault(fault: string): void {
    this.#fault = fault;
    if (this.isResting) return;
    this.#restMs = Math.min(this.#restMs === 0 ? FIRST_REST_MS : this.#restMs * 2, MAX_REST_MS);
    this.#restingUntil = this.clock.now() + this.#restMs;
  }
}

/** The /24 or /48 of a source's address; of a proxy's, as far as it is known by its address; else a name that no other source has. */
export function networkOf({ name, address, socks5 }: Pick<EgressSource, 'name' | 'address' | 'socks5'>): string {
  const ip = address ?? socks5?.host ?? null;
  return ip !== null && isIP(ip) !== 0 ? networkOfAddress(ip) : name;
}

/** The /24 or /48 of an IP address. */
export function networkOfAddress(ip: string): string {
  return isIPv6(ip) ? firstGroups(ip, 3) : ip.slice(0, ip.lastIndexOf('.'));
}

/** The first groups of 16 bits of an IPv6 address, without leading zeros. */
function firstGroups(ip: string, count: number): string {
  const [head = '', tail] = ip.split('%', 1)[0]!.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return groups
    .slice(0, count)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** A host that did not answer is not tried again at once by each address that needs it. */
const FAILURE_LIFE_MS = 30_000;
const NO_TLS_LIFE_MS = HOUR_MS;
const MAX_HOSTS = 20_000;

interface Failure {
  readonly failure: ConnectFailed | RejectedBeforeRcpt;
  readonly until: number;
}

/** The memory of earlier connections from one of our addresses: the health of hosts. */
export class HostHealth {
  readonly #failures = new LruMap<string, Failure>(MAX_HOSTS);
  readonly #avoidedUntil = new LruMap<string, number>(MAX_HOSTS);
  readonly #unencryptedUntil = new LruMap<string, number>(MAX_HOSTS);

  constructor(private readonly clock: Clock) {}

  failure(host: string): ConnectFailed | RejectedBeforeRcpt | null {
    const known = this.#failures.get(host);
    if (known === undefined || known.until <= this.clock.now()) return null;
    return { ...known.failure, fromCache: true };
  }

  recordFailure(host: string, failure: ConnectFailed | RejectedBeforeRcpt): void {
    this.#failures.set(host, { failure, until: this.clock.now() + FAILURE_LIFE_MS });
  }

  /** A session ended without an answer to any probe: other hosts come first for a while. */
  avoid(host: string): void {
    this.#avoidedUntil.set(host, this.clock.now() + FAILURE_LIFE_MS);
  }

  isAvoided(host: string): boolean {
    return (this.#avoidedUntil.get(host) ?? 0) > this.clock.now();
  }

  canEncrypt(host: string): boolean {
    return (this.#unencryptedUntil.get(host) ?? 0) <= this.clock.now();
  }

  /** A STARTTLS handshake failed: the next connections do not try it. */
  recordTlsFailure(host: string): void {
    this.#unencryptedUntil.set(host, this.clock.now() + NO_TLS_LIFE_MS);
  }
}
