import { clientNetwork } from '../keys/access/client-network.js';
import type { InboundLimits } from './inbound-limits.js';

/** A site may have all of it (RFC 6177): whoever counts by smaller networks gives one person 65,536 shares. */
const SITE_PREFIX = 48;

/** The network of whoever sends mail, by which their shares are counted. */
export function senderNetwork(address: string): string {
  return clientNetwork(address, SITE_PREFIX);
}

/** Which session gives its place up for another; null: there was one free. */
export interface Place {
  readonly instead: string | null;
}

/**
 * Who has the connections of the receiver. When all are taken, a network that has at least two more than the one that comes gives one up: a
 * few strangers who hold all they may keep nobody out.
 */
export class NetworkPlaces {
  /** The network of each session, the oldest first; null: it is a proxy's. */
  readonly #networks = new Map<string, string | null>();

  constructor(private readonly limits: Pick<InboundLimits, 'clients' | 'clientsPerNetwork'>) {}

  /**
   * @param session gives its place back by `leave`
   * @param address null: a proxy's, which has as many as it likes
   * @param isBusy whether a session hands a mail over, so that one that does not gives its place up before it
   * @returns null: there is no place for it
   */
  take(session: string, address: string | null, isBusy: (session: string) => boolean): Place | null {
    const network = address === null ? null : senderNetwork(address);
    const own = network === null ? 0 : this.#sessionsOf(network).length;
    if (own >= this.limits.clientsPerNetwork) return null;
    let instead: string | null = null;
    if (this.#networks.size >= this.limits.clients) {
      const most = this.#mostOfOneNetwork();
      if (most.length < own + 2) return null;
      instead = most.find((one) => !isBusy(one)) ?? most[0]!;
      this.leave(instead);
    }
    this.#networks.set(session, network);
    return { instead };
  }

  /** A session that has none changes nothing. */
  leave(session: string): void {
    this.#networks.delete(session);
  }

  #mostOfOneNetwork(): readonly string[] {
    let most: readonly string[] = [];
    for (const network of new Set(this.#networks.values())) {
      const sessions = network === null ? [] : this.#sessionsOf(network);
      if (sessions.length > most.length) most = sessions;
    }
    return most;
  }

  #sessionsOf(network: string): readonly string[] {
    return [...this.#networks].flatMap(([session, its]) => (its === network ? [session] : []));
  }
}
