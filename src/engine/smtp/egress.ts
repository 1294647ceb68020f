import type { Clock } from '../ports.js';

const HOSTS_TO_CONCLUDE = 5;
const RETRY_MS = 60_000;
/** A host that answered not long ago proves the path: what is silent now is the hosts' own silence. */
const PROOF_LIFE_MS = 10 * 60_000;

/**
 * Whether port 25 leaves this machine, concluded from what connections come to: when five different hosts in a row did not
 * answer and none did in the last ten minutes, the path is closed, not the hosts. From then on one attempt a minute tests the path again.
 */
export class Egress {
  readonly #silent = new Set<string>();
  #closedSince: number | null = null;
  #lastTry = 0;
  #reachedAt = -Infinity;

  constructor(
    private readonly clock: Clock,
    /** Told once each time the path is found closed. */
    private readonly onClosed: () => void,
  ) {}

  /** True when connecting is pointless now. The call that gets false while closed is the minute's one attempt. */
  get closed(): boolean {
    if (this.#closedSince === null) return false;
    const now = this.clock.now();
    if (now - this.#lastTry < RETRY_MS) return true;
    this.#lastTry = now;
    return false;
  }

  /** As `closed`, without being taken for the minute's attempt. */
  get isClosed(): boolean {
    return this.#closedSince !== null;
  }

  /** A host answered in any way, a refusal included: the path is open. */
  reached(): void {
    this.#silent.clear();
    this.#reachedAt = this.clock.now();
    this.#closedSince = null;
  }

  /** Nothing came back from a host. */
  silent(address: string): void {
    if (this.#closedSince !== null || this.clock.now() - this.#reachedAt < PROOF_LIFE_MS) return;
    this.#silent.add(address);
    if (this.#silent.size < HOSTS_TO_CONCLUDE) return;
    this.#closedSince = this.#lastTry = this.clock.now();
    this.onClosed();
  }
}
