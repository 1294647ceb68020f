import { clientNetwork } from '../../keys/scope/networks.js';
import { LruMap } from '../../lib/lru-map.js';
import type { WallClock } from '../../platform/clock.js';
import type { InboundLimits } from './inbound-limits.js';

/** One person may have all of it (RFC 6177): whoever counts by smaller networks gives them 65,536 shares. */
const IPV6_SITE = 48;
/** The smallest network that is routed by itself, and that one person rents. */
const IPV4_SITE = 24;

/** Whoever sends mail, as their mails are counted: an IPv4 address, or a /48 of IPv6. */
export function countedSender(address: string): string {
  return clientNetwork(address, { ipv6: IPV6_SITE });
}

/** The /24 or the /48 of whoever sends: what one person has. */
export function senderSite(address: string): string {
  return clientNetwork(address, { ipv4: IPV4_SITE, ipv6: IPV6_SITE });
}

/** Which session gives its place up for another; null: there was one free. */
export interface Place {
  readonly instead: string | null;
}

interface Client {
  /** A /24 of IPv4 or a /64 of IPv6. */
  readonly network: string;
  /** The /24, or the /48 with all its networks. */
  readonly site: string;
  hasBegun: boolean;
}

type PlaceLimits = Pick<
  InboundLimits,
  'clients' | 'clientsPerNetwork' | 'clientsOfNewSites' | 'clientsOfKnownSites' | 'knownSites' | 'knownMs'
>;

/**
 * Who has the connections of the receiver. A network has a few at most; the last places are for sites that have none, and the very last for
 * sites whose mail was accepted before. When those are taken too, somebody gives a place up to a site that has none, so that a few strangers
 * keep nobody out, however many connections they hold.
 */
export class NetworkPlaces {
  /** The oldest first; null: it is a proxy's. */
  readonly #clients = new Map<string, Client | null>();
  /** When the last mail of a site was accepted. */
  readonly #known: LruMap<string, number>;

  constructor(
    private readonly limits: PlaceLimits,
    private readonly clock: WallClock,
  ) {
    this.#known = new LruMap(limits.knownSites);
  }

  /**
   * @param session gives its place back by `leave`
   * @param address null: a proxy's, which has as many as it likes
   * @param isBusy whether a session hands a mail over, so that one that does not gives its place up before it
   * @returns null: there is no place for it
   */
  take(session: string, address: string | null, isBusy: (session: string) => boolean): Place | null {
    const client = address === null ? null : clientAt(address);
    const clients = [...this.#clients.values()];
    const { clientsPerNetwork } = this.limits;
    if (client !== null && clients.filter((one) => one?.network === client.network).length >= clientsPerNetwork)
      return null;
    const isNew = client === null || clients.every((one) => one?.site !== client.site);
    const isKnown = client === null || this.#isKnown(client);
    let instead: string | null = null;
    if (clients.length >= this.#placesFor(isNew, isKnown)) {
      instead = isNew ? this.#whoGivesUp(isKnown, isBusy) : null;
      if (instead === null) return null;
      this.leave(instead);
    }
    this.#clients.set(session, client);
    return { instead };
  }

  /** The session has said MAIL. */
  begun(session: string): void {
    const client = this.#clients.get(session);
    if (client) client.hasBegun = true;
  }

  /** A mail of the session was accepted: its site is known from now on. */
  accepted(session: string): void {
    const client = this.#clients.get(session);
    if (client) this.#known.set(client.site, this.clock.now());
  }

  /** A session that has none changes nothing. */
  leave(session: string): void {
    this.#clients.delete(session);
  }

  #placesFor(isNew: boolean, isKnown: boolean): number {
    const { clients, clientsOfNewSites, clientsOfKnownSites } = this.limits;
    if (!isNew) return clients - clientsOfNewSites;
    return isKnown ? clients : clients - clientsOfKnownSites;
  }

  /**
   * Of those that hand no mail over, the site with most connections gives one up: the oldest without a MAIL. Whoever has one connection only
   * keeps it while a mail is handed over, and a known site keeps it from strangers.
   */
  #whoGivesUp(toKnown: boolean, isBusy: (session: string) => boolean): string | null {
    const clients = [...this.#clients.values()];
    const ranked = [...this.#clients].flatMap(([session, client]) => {
      if (client === null) return [];
      const ofSite = clients.filter((other) => other?.site === client.site).length;
      const busy = isBusy(session);
      const isKept = ofSite === 1 && (busy || (!toKnown && this.#isKnown(client)));
      return isKept ? [] : [{ session, ofSite, busy: Number(busy), begun: Number(client.hasBegun) }];
    });
    ranked.sort((one, other) => one.busy - other.busy || other.ofSite - one.ofSite || one.begun - other.begun);
    return ranked[0]?.session ?? null;
  }

  #isKnown({ site }: Client): boolean {
    const acceptedAt = this.#known.get(site);
    return acceptedAt !== undefined && this.clock.now() - acceptedAt < this.limits.knownMs;
  }
}

function clientAt(address: string): Client {
  const network = clientNetwork(address, { ipv4: IPV4_SITE });
  return { network, site: senderSite(address), hasBegun: false };
}
