import { HOUR_MS } from '../../../lib/durations.js';
import { LruMap } from '../../../lib/lru-map.js';
import type { Clock } from '../../../lib/clock.js';
import type { RejectedBeforeRcpt, ConnectFailed } from './connect-result.js';

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
