import { isIP } from 'node:net';

import type { Clock, Random } from '../lib/clock.js';
import type { DnsFailure, Resolver, Whose } from './domain-dns.js';
import { answerLife, FactCache, type Learned } from './fact-cache.js';
import {
  addressesWithoutAsking,
  learnAddresses,
  learnIpv6Addresses,
  type HostAddress,
  type HostAddressesFact,
} from './host-addresses.js';
import { inDeliveryOrder, mxSetOf, ownMxSet, type MailHost, type MxSet } from './mx-set.js';
import { createAddressGuard, type AddressGuard } from './public-address.js';

/** Members of every fact. */
interface Learning {
  /** Milliseconds since the epoch at which it was learned. */
  readonly at: number;
  readonly fromCache: boolean;
}

export interface KnownMailHosts extends Learning {
  readonly outcome: 'hosts';
  /** One to ten hosts in the order to try them; hosts of equal preference come in a new order each time. */
  readonly hosts: readonly MailHost[];
  /** The domain has no MX record and is its own mail host (RFC 5321 section 5.1). */
  readonly implicit: boolean;
  /** Stands for the hosts and their order of preference: domains with the same key can share connections. */
  readonly key: string;
}

/**
 * Where a domain takes its mail. `domain_not_found` (NXDOMAIN), `no_mail_server` (no MX and no address records) and
 * `null_mx` (RFC 7505) are facts about the domain; `dns_error` says nothing about it.
 */
export type MailHostsFact =
  | KnownMailHosts
  | ({ readonly outcome: 'domain_not_found' | 'no_mail_server' | 'null_mx' } & Learning)
  | ({ readonly outcome: 'dns_error'; readonly detail: DnsFailure } & Learning);

export interface MailHosts {
  /**
   * `domain` as in `Address.domain`: lower-case A-labels, or an address literal with its brackets. Synchronous when
   * known. Rejects only if the resolver does.
   */
  find(domain: string, ...whose: Whose): MailHostsFact | Promise<MailHostsFact>;
  /** `host` as in `MailHost.name`. Synchronous when known. Rejects only if the resolver does. */
  addresses(host: string, ...whose: Whose): HostAddressesFact | Promise<HostAddressesFact>;
  /** The IPv6 addresses of a host whose IPv4 addresses did not let us in. Rejects only if the resolver does. */
  ipv6Addresses(host: string, ...whose: Whose): Promise<readonly HostAddress[]>;
  /** Drops all facts: they are no longer sure. */
  forget(): void;
}

export interface MailHostsOptions {
  readonly resolver: Resolver;
  readonly clock: Clock;
  readonly random: Random;
  /** Networks (`10.1.0.0/16`) that may be connected to although they are not public. */
  readonly allowPrivate: readonly string[];
}

/** Facts about domains, and as many about hosts: a list in parts of a worker asks about each domain in one run, so that more would seldom be used again. */
const MAX_FACTS = 20_000;

/** The cached fact about a domain. Its hosts are put in order each time the fact is presented. */
type DomainFact =
  | {
      readonly outcome: 'hosts';
      readonly set: MxSet;
      readonly implicit: boolean;
      readonly at: number;
      /** The fact as it is presented from the cache, where it is the same each time. */
      presented?: KnownMailHosts;
    }
  | { readonly outcome: 'domain_not_found' | 'no_mail_server' | 'null_mx'; readonly at: number }
  | { readonly outcome: 'dns_error'; readonly detail: DnsFailure; readonly at: number };

/** Finds the mail hosts of domains and their addresses, and remembers them. Throws when `allowPrivate` is malformed. */
export function createMailHosts(options: MailHostsOptions): MailHosts {
  return new CachedMailHosts(options, createAddressGuard(options.allowPrivate));
}

class CachedMailHosts implements MailHosts {
  readonly #domains: FactCache<DomainFact>;
  readonly #hosts: FactCache<HostAddressesFact>;
  readonly #ipv6: FactCache<readonly HostAddress[]>;

  constructor(
    private readonly options: MailHostsOptions,
    private readonly mayConnect: AddressGuard,
  ) {
    this.#domains = new FactCache({ clock: options.clock, maxEntries: MAX_FACTS });
    this.#hosts = new FactCache({ clock: options.clock, maxEntries: MAX_FACTS });
    this.#ipv6 = new FactCache({ clock: options.clock, maxEntries: MAX_FACTS });
  }

  find(domain: string, ...whose: Whose): MailHostsFact | Promise<MailHostsFact> {
    const known = this.#domains.peek(domain);
    if (known) return this.#present(known, true);
    if (domain.startsWith('[')) return this.#present(this.#literalFact(domain), false);
    const learning = this.#domains.learn(domain, (name) => this.#learn(name, whose), lineOf(...whose));
    return learning.then((fact) => this.#present(fact, false));
  }

  addresses(host: string, ...whose: Whose): HostAddressesFact | Promise<HostAddressesFact> {
    const learn = () => learnAddresses(host, this.options.resolver, this.mayConnect, whose);
    const known = this.#hosts.peek(host) ?? addressesWithoutAsking(host, this.mayConnect);
    return known ?? this.#hosts.learn(host, learn, lineOf(...whose));
  }

  async ipv6Addresses(host: string, ...whose: Whose): Promise<readonly HostAddress[]> {
    if (addressesWithoutAsking(host, this.mayConnect) !== undefined) return [];
    const learn = () => learnIpv6Addresses(host, this.options.resolver, this.mayConnect, whose);
    return this.#ipv6.peek(host) ?? this.#ipv6.learn(host, learn, lineOf(...whose));
  }

  forget(): void {
    for (const cache of [this.#domains, this.#hosts, this.#ipv6]) cache.clear();
  }

  #present(fact: DomainFact, fromCache: boolean): MailHostsFact {
    if (fact.outcome !== 'hosts') return { ...fact, fromCache };
    if (fact.presented !== undefined && fromCache) return fact.presented;
    const { set, implicit, at } = fact;
    const hosts = inDeliveryOrder(set, this.options.random);
    const presented: KnownMailHosts = { outcome: 'hosts', hosts, implicit, key: set.key, at, fromCache };
    if (fromCache && !set.hasEqual) fact.presented = presented;
    return presented;
  }

  /** RFC 5321 section 4.1.3; of the literals only IPv4 and IPv6 name a host. */
  #literalFact(domain: string): DomainFact {
    const address = domain
      .slice(1, -1)
      .replace(/^ipv6:/i, '')
      .toLowerCase();
    const at = this.options.clock.now();
    return isIP(address) > 0
      ? { outcome: 'hosts', set: ownMxSet(address), implicit: false, at }
      : { outcome: 'no_mail_server', at };
  }

  async #learn(domain: string, whose: Whose): Promise<Learned<DomainFact>> {
    const answer = await this.options.resolver.mx(domain, ...whose);
    const lifeSeconds = answerLife(answer);
    const at = this.options.clock.now();
    switch (answer.outcome) {
      case 'found': {
        const set = mxSetOf(answer.records);
        const value = set
          ? ({ outcome: 'hosts', set, implicit: false, at } as const)
          : ({ outcome: 'null_mx', at } as const);
        return { value, lifeSeconds };
      }
      case 'nodata':
        return this.#learnImplicit(domain, lifeSeconds, whose);
      case 'nxdomain':
        return { value: { outcome: 'domain_not_found', at }, lifeSeconds };
      case 'servfail':
      case 'timeout':
      case 'untrusted':
        return { value: { outcome: 'dns_error', detail: answer.outcome, at }, lifeSeconds };
    }
  }

  /** A domain without MX records takes mail itself if it has an address (RFC 5321 section 5.1). */
  async #learnImplicit(domain: string, lifeSeconds: number, whose: Whose): Promise<Learned<DomainFact>> {
    const fact = await this.addresses(domain, ...whose);
    const at = this.options.clock.now();
    switch (fact.outcome) {
      case 'addresses':
      case 'unroutable':
        return { value: { outcome: 'hosts', set: ownMxSet(domain), implicit: true, at }, lifeSeconds };
      case 'none':
        return { value: { outcome: 'no_mail_server', at }, lifeSeconds };
      case 'dns_error':
        return {
          value: { outcome: 'dns_error', detail: fact.detail, at },
          lifeSeconds: answerLife({ outcome: fact.detail }),
        };
    }
  }
}

/** Questions that wait in one line are asked once; another account's may wait behind a thousand others. */
function lineOf(turn?: string | null, account: string | null = turn ?? null): string {
  return `${turn === null ? 'single' : 'list'} ${account ?? ''}`;
}
