import type { HostGate, HostLease } from '../ports.js';

/** Sockets that may be open at once, over all mail hosts of this process. */
export class SocketPlaces {
  #taken = 0;

  constructor(
    private readonly gate: HostGate,
    private readonly most: number,
    /** Somebody has to wait: who holds a place without need should leave it. */
    private readonly onFull: () => void,
  ) {}

  async enter(signal: AbortSignal): Promise<HostLease> {
    if (this.#taken >= this.most) this.onFull();
    const lease = await this.gate.enter('', { connections: this.most, connectionsPerMinute: null }, signal);
    this.#taken += 1;
    return {
      release: () => {
        this.#taken -= 1;
        lease.release();
      },
    };
  }
}
