import type { Clock } from '../../ports.js';

/** What a process knows of its way to mail hosts. `unknown`: it has asked none, or those few that it asked stayed silent. */
export interface Port25Report {
  readonly state: 'open' | 'blocked' | 'unknown';
  /** Milliseconds since the epoch; null while the state is `unknown`. */
  readonly since: number | null;
  /** When a mail host answered last; null: none has. */
  readonly answeredAt: number | null;
}

const HOSTS_TO_CONCLUDE = 5;
const RETRY_MS = 60_000;
/** How long a host's answer proves that port 25 is open: hosts that stay silent meanwhile are silent themselves. */
const PROOF_LIFE_MS = 10 * 60_000;

/**
 * Whether port 25 leaves this machine, concluded from what connections come to.
 *
 * The port is open or blocked. It becomes blocked when five different hosts in a row stayed silent and none has answered in the last ten
 * minutes: then the path is closed, not the hosts. While it is blocked one attempt a minute tests the path, and the first host that
 * answers in any way opens it again.
 */
export class Port25 {
  readonly #silent = new Set<string>();
  #blockedSince: number | null = null;
  #openSince: number | null = null;
  #lastAttempt = 0;
  #answeredAt = -Infinity;

  constructor(
    private readonly clock: Clock,
    /** Called once each time the port is found blocked. */
    private readonly onBlocked: () => void,
    /** Called when a host answers after that; what was found until then holds no longer. */
    private readonly onOpened: () => void = () => {},
  ) {}

  get isBlocked(): boolean {
    return this.#blockedSince !== null;
  }

  get report(): Port25Report {
    const answeredAt = this.#answeredAt === -Infinity ? null : this.#answeredAt;
    if (this.#blockedSince !== null) return { state: 'blocked', since: this.#blockedSince, answeredAt };
    return { state: this.#openSince === null ? 'unknown' : 'open', since: this.#openSince, answeredAt };
  }

  /** True when a connection may be tried. While the port is blocked, the call that gets true uses up the minute's attempt. */
  takeAttempt(): boolean {
    if (this.#blockedSince === null) return true;
    const now = this.clock.now();
    if (now - this.#lastAttempt < RETRY_MS) return false;
    this.#lastAttempt = now;
    return true;
  }

  /** A host answered in any way, a refusal included: the path is open. */
  recordAnswer(): void {
    this.#silent.clear();
    this.#answeredAt = this.clock.now();
    this.#openSince ??= this.#answeredAt;
    if (this.#blockedSince === null) return;
    this.#blockedSince = null;
    this.onOpened();
  }

  /** Another process has found the port blocked, or open again, at the same address; an answer of the last minutes here weighs more. */
  adopt(since: number, isOver: boolean): void {
    if (isOver) {
      if (this.#blockedSince !== null && this.#blockedSince <= since) this.#blockedSince = null;
      return;
    }
    const now = this.clock.now();
    if (this.#blockedSince !== null || now - this.#answeredAt < PROOF_LIFE_MS) return;
    this.#blockedSince = since;
    this.#lastAttempt = now;
    this.#openSince = null;
  }

  /** Nothing came back from a host. */
  recordSilence(address: string): void {
    if (this.#blockedSince !== null || this.clock.now() - this.#answeredAt < PROOF_LIFE_MS) return;
    this.#silent.add(address);
    if (this.#silent.size < HOSTS_TO_CONCLUDE) return;
    this.#blockedSince = this.#lastAttempt = this.clock.now();
    this.#openSince = null;
    this.onBlocked();
  }
}
