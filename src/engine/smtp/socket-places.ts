import type { GiveUpSignal, HostLease } from '../ports.js';

/** Sockets that may be open at once, over all mail hosts of this process; first come, first served. */
export class SocketPlaces {
  #taken = 0;
  readonly #waiting = new Set<() => void>();
  readonly #lease: HostLease = { release: () => this.#release() };

  constructor(
    private readonly most: number,
    /** Somebody has to wait: who holds a place without need should leave it. */
    private readonly onFull: () => void,
  ) {}

  /** At once when there is a place; else rejects with the signal's reason when it is aborted first. */
  enter(signal: GiveUpSignal): HostLease | Promise<HostLease> {
    if (this.#taken < this.most && !signal.aborted) {
      this.#taken += 1;
      return this.#lease;
    }
    this.onFull();
    return this.#wait(signal);
  }

  #wait(signal: GiveUpSignal): Promise<HostLease> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const giveUp = () => {
        this.#waiting.delete(enter);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener('abort', giveUp);
        resolve(this.#lease);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(enter);
    });
  }

  /** The place goes to whoever has waited longest. */
  #release(): void {
    for (const enter of this.#waiting) {
      this.#waiting.delete(enter);
      return enter();
    }
    this.#taken -= 1;
  }
}
