import { clientNetwork } from '../keys/access/client-network.js';

/** How many connections each network holds at the receiver. */
export class NetworkPlaces {
  readonly #held = new Map<string, number>();
  readonly #networks = new Map<string, string>();

  constructor(private readonly maxPerNetwork: number) {}

  /** @param session gives its place back by `leave`. @returns false when the network has no place left */
  take(session: string, address: string): boolean {
    const network = clientNetwork(address);
    const held = this.#held.get(network) ?? 0;
    if (held >= this.maxPerNetwork) return false;
    this.#held.set(network, held + 1);
    this.#networks.set(session, network);
    return true;
  }

  /** A session that has none changes nothing. */
  leave(session: string): void {
    const network = this.#networks.get(session);
    if (network === undefined) return;
    this.#networks.delete(session);
    const held = this.#held.get(network)! - 1;
    if (held === 0) this.#held.delete(network);
    else this.#held.set(network, held);
  }
}
