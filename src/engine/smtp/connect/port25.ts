import type { Clock } from '../../../lib/clock.js';

/** What a process knows of its way to mail hosts. `unknown`: none has answered, and those of our own choosing have shown nothing. */
export interface Port25Report {
  readonly state: 'open' | 'blocked' | 'unknown';
  /** Milliseconds since the epoch; null while the state is `unknown`. */
  readonly since: number | null;
  /** When a mail host answered last; null: none has. */
  readonly answeredAt: number | null;
}

/** What came of asking mail hosts of our own choosing. `unclear`: too few could be asked. */
export type Port25Trial = 'answered' | 'silent' | 'unclear';

export interface Port25Options {
  readonly clock: Clock;
  /** Asks mail hosts of our own choosing; must not reject. */
  readonly trial: () => Promise<Port25Trial>;
  /** Called once each time the port is found blocked. */
  readonly onBlocked?: () => void;
  /** Called when a host answers after that; what was found until then holds no longer. */
  readonly onOpened?: () => void;
}

/** How long an answer proves that port 25 is open: hosts that stay silent meanwhile are silent themselves. */
const PROOF_LIFE_MS = 60_000;
const RETRY_MS = 30_000;

/**
 * Whether port 25 leaves this machine.
 *
 * What: silence of a host that somebody has asked about proves nothing, because whoever asks chooses the host; and a refusal may be the
 * host's or that of a firewall, which refuses for every host. Both are the occasion for a trial: hosts of our own choosing are asked, and they decide, for everybody.
 *
 * States: unknown, open or blocked. An answer of any host opens it. A silent trial blocks it; then nobody is asked but the hosts of the
 * trial, each half minute, until one answers. A trial that shows nothing ends a block: what cannot be tried is not known.
 *
 * Invariants: there is one trial at a time, and one a minute at most while the port is not blocked. None is begun while an answer is
 * younger than a minute.
 *
 * At a failure: an answer that comes during a trial weighs more than its silence.
 */
export class Port25 {
  #blockedSince: number | null = null;
  #openSince: number | null = null;
  #answeredAt = -Infinity;
  #triedAt = -Infinity;
  /** The trial under way. */
  #trial: Promise<void> | null = null;
  /** Blocks that were found until then hold no longer. */
  #overUntil = -Infinity;
  #cancelRetry = () => {};
  #isClosed = false;

  constructor(private readonly options: Port25Options) {}

  get isBlocked(): boolean {
    return this.#blockedSince !== null;
  }

  get report(): Port25Report {
    const answeredAt = this.#answeredAt === -Infinity ? null : this.#answeredAt;
    if (this.#blockedSince !== null) return { state: 'blocked', since: this.#blockedSince, answeredAt };
    return { state: this.#openSince === null ? 'unknown' : 'open', since: this.#openSince, answeredAt };
  }

  /** A host took a connection, whatever it said then: the path is open. */
  recordAnswer(): void {
    this.#answeredAt = this.options.clock.now();
    this.#openSince ??= this.#answeredAt;
    if (this.isBlocked) {
      this.#unblock();
      this.options.onOpened?.();
    }
  }

  /** Nothing, or a refusal, came back from a host that somebody has asked about. @returns whether that is because the port is blocked */
  async explainsSilence(): Promise<boolean> {
    const now = this.options.clock.now();
    if (!this.isBlocked && now - this.#answeredAt >= PROOF_LIFE_MS) {
      if (this.#trial !== null || now - this.#triedAt >= PROOF_LIFE_MS) await this.#try();
    }
    return this.isBlocked;
  }

  /** Another process has found the port blocked, or open again, at the same address; an answer of the last minute here weighs more. */
  adopt(since: number, isOver: boolean): void {
    if (isOver) {
      if (this.#blockedSince !== null && this.#blockedSince <= since) this.#unblock();
      return;
    }
    const isProven = this.options.clock.now() - this.#answeredAt < PROOF_LIFE_MS;
    if (!this.isBlocked && !isProven && since > this.#overUntil) this.#block(since);
  }

  /** It is tried no more. */
  close(): void {
    this.#isClosed = true;
    this.#cancelRetry();
  }

  #try(): Promise<void> {
    return (this.#trial ??= this.#concludeTrial().finally(() => (this.#trial = null)));
  }

  async #concludeTrial(): Promise<void> {
    const { clock, trial, onBlocked } = this.options;
    const begun = (this.#triedAt = clock.now());
    const found = await trial();
    if (this.#isClosed) return;
    if (found === 'answered') return this.recordAnswer();
    if (this.#answeredAt >= begun) return;
    if (found === 'unclear') return this.#unblock();
    const isNew = !this.isBlocked;
    this.#block(this.#blockedSince ?? clock.now());
    if (isNew) onBlocked?.();
  }

  #block(since: number): void {
    this.#blockedSince = since;
    this.#openSince = null;
    this.#cancelRetry();
    this.#cancelRetry = this.options.clock.after(RETRY_MS, () => void this.#try());
  }

  #unblock(): void {
    this.#blockedSince = null;
    this.#overUntil = this.options.clock.now();
    this.#cancelRetry();
  }
}
