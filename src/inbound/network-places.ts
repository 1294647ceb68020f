import { clientNetwork } from '../keys/access/client-network.js';

/** A site may have all of it (RFC 6177): whoever counts by smaller networks gives one person 65,536 shares. */
const SITE_PREFIX = 48;

/** The network of whoever sends mail, by which their shares are counted. */
export function senderNetwork(address: string): string {
  return clientNetwork(address, SITE_PREFIX);
}

/** How many connections each network holds at the receiver. */
export class NetworkPlaces {
  readonly #held = new Map<string, number>();
  readonly #networks = new Map<string, string>();

  constructor(private readonly maxPerNetwork: number) {}

  /** @param session gives its place back by `leave`. @returns false when the network has no place left */
  take(session: string, address: string): boolean {
    const network = senderNetwork(address);
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
