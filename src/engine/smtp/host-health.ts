import { isIPv6 } from 'node:net';
import type { Clock } from '../ports.js';
import type { TurnedAway, Unreached } from './attempt.js';

/** A host that did not answer is not tried again at once by each address that needs it. */
const FAILURE_LIFE_MS = 30_000;
const CLEAR_LIFE_MS = 60 * 60_000;
const MOST_HOSTS = 50_000;

interface Failure {
  readonly failure: Unreached | TurnedAway;
  readonly until: number;
}

/** What earlier connections taught about hosts and about our own side. */
export class HostHealth {
  readonly #failures = new Map<string, Failure>();
  readonly #avoidUntil = new Map<string, number>();
  readonly #clearUntil = new Map<string, number>();
  readonly #sources = { ipv4: '', ipv6: '' };

  constructor(private readonly clock: Clock) {}

  failure(host: string): Unreached | TurnedAway | null {
    const known = this.#failures.get(host);
    if (known === undefined) return null;
    if (known.until > this.clock.now()) return { ...known.failure, fromCache: true };
    this.#failures.delete(host);
    return null;
  }

  failed(host: string, failure: Unreached | TurnedAway): void {
    bounded(this.#failures).set(host, { failure, until: this.clock.now() + FAILURE_LIFE_MS });
  }

  /** A session ended without an answer to anybody: other hosts come first for a while. */
  avoid(host: string): void {
    bounded(this.#avoidUntil).set(host, this.clock.now() + FAILURE_LIFE_MS);
  }

  isAvoided(host: string): boolean {
    return (this.#avoidUntil.get(host) ?? 0) > this.clock.now();
  }

  encrypts(host: string): boolean {
    return (this.#clearUntil.get(host) ?? 0) <= this.clock.now();
  }

  /** A STARTTLS handshake failed: the next connections go in the clear at once. */
  cannotEncrypt(host: string): void {
    bounded(this.#clearUntil).set(host, this.clock.now() + CLEAR_LIFE_MS);
  }

  /** Our own address of the last connection to this family of addresses, empty before the first. */
  source(address: string): string {
    return this.#sources[family(address)];
  }

  connected(address: string, localAddress: string): void {
    this.#sources[family(address)] = localAddress;
  }
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

function bounded<V>(map: Map<string, V>): Map<string, V> {
  if (map.size >= MOST_HOSTS) map.delete(map.keys().next().value!);
  return map;
}
