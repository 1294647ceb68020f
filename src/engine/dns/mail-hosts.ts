import { isIP } from 'node:net';

import type { Clock, Random, Resolver } from '../ports.js';
import { answerLife } from './answer-life.js';
import { FactCache, type Learned } from './fact-cache.js';
import {
  addressesWithoutAsking,
  learnAddresses,
  learnIpv6Addresses,
  type HostAddress,
  type HostAddressesFact,
} from './host-addresses.js';
import { inDeliveryOrder, mxSetOf, ownMxSet, type MailHost, type MxSet } from './mx-set.js';
import { createAddressGuard, type AddressGuard } from './public-address.js';

/** What every fact tells of itself. */
interface Learning {
  /** Milliseconds since the epoch at which it was learned. */
  readonly at: number;
  readonly fromCache: boolean;
}

export interface KnownMailHosts extends Learning {
  readonly outcome: 'hosts';
  /** In the order to try them, 1 to 10; equal preferences in a new order each time. */
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
  | ({ readonly outcome: 'dns_error'; readonly detail: 'servfail' | 'timeout' } & Learning);

export interface MailHosts {
  /**
   * `domain` as in `Address.domain`: lower-case A-labels, or an address literal with its brackets. Synchronous when
   * known. Rejects only if the resolver does.
   */
  find(domain: string): MailHostsFact | Promise<MailHostsFact>;
  /** `host` as in `MailHost.name`. Synchronous when known. Rejects only if the resolver does. */
  addresses(host: string): HostAddressesFact | Promise<HostAddressesFact>;
  /** The IPv6 addresses of a host whose IPv4 addresses did not let us on. Rejects only if the resolver does. */
  ipv6Addresses(host: string): Promise<readonly HostAddress[]>;
}

export interface MailHostsOptions {
  readonly resolver: Resolver;
  readonly clock: Clock;
  readonly random: Random;
  /** Networks (`10.1.0.0/16`) that may be connected to although they are not public. */
  readonly allowPrivate: readonly string[];
}

/** Of domains, and as many of hosts: 80 and 50 MB when full (measured with three hosts of its own to each domain). */
const MOST_FACTS = 100_000;

/** What is kept of a domain: hosts get their order when they are asked for. */
type DomainFact =
  | {
      readonly outcome: 'hosts';
      readonly set: MxSet;
      readonly implicit: boolean;
      readonly at: number;
      /** What is told of it from the cache, where it is the same each time. */
      told?: KnownMailHosts;
    }
  | { readonly outcome: 'domain_not_found' | 'no_mail_server' | 'null_mx'; readonly at: number }
  | { readonly outcome: 'dns_error'; readonly detail: 'servfail' | 'timeout'; readonly at: number };

/** Finds the mail hosts of domains and their addresses, and remembers them. Throws when `allowPrivate` is malformed. */
export function createMailHosts(options: MailHostsOptions): MailHosts {
  return new CachedMailHosts(options, createAddressGuard(options.allowPrivate));
}

class CachedMailHosts implements MailHosts {
  private readonly domains: FactCache<DomainFact>;
  private readonly hosts: FactCache<HostAddressesFact>;
  private readonly ipv6: FactCache<readonly HostAddress[]>;

  constructor(
    private readonly options: MailHostsOptions,
    private readonly mayConnect: AddressGuard,
  ) {
    this.domains = new FactCache({ clock: options.clock, maxEntries: MOST_FACTS });
    this.hosts = new FactCache({ clock: options.clock, maxEntries: MOST_FACTS });
    this.ipv6 = new FactCache({ clock: options.clock, maxEntries: MOST_FACTS });
  }

  find(domain: string): MailHostsFact | Promise<MailHostsFact> {
    const known = this.domains.peek(domain);
    if (known) return this.tell(known, true);
    if (domain.startsWith('[')) return this.tell(this.ofLiteral(domain), false);
    return this.domains.learn(domain, (name) => this.learn(name)).then((fact) => this.tell(fact, false));
  }

  addresses(host: string): HostAddressesFact | Promise<HostAddressesFact> {
    return (
      this.hosts.peek(host) ??
      addressesWithoutAsking(host, this.mayConnect) ??
      this.hosts.learn(host, (name) => learnAddresses(name, this.options.resolver, this.mayConnect))
    );
  }

  async ipv6Addresses(host: string): Promise<readonly HostAddress[]> {
    if (addressesWithoutAsking(host, this.mayConnect) !== undefined) return [];
    const { resolver } = this.options;
    return this.ipv6.peek(host) ?? this.ipv6.learn(host, (name) => learnIpv6Addresses(name, resolver, this.mayConnect));
  }

  private tell(fact: DomainFact, fromCache: boolean): MailHostsFact {
    if (fact.outcome !== 'hosts') return { ...fact, fromCache };
    if (fact.told !== undefined && fromCache) return fact.told;
    const { set, implicit, at } = fact;
    const hosts = inDeliveryOrder(set, this.options.random);
    const told: KnownMailHosts = { outcome: 'hosts', hosts, implicit, key: set.key, at, fromCache };
    if (fromCache && !set.hasEqual) fact.told = told;
    return told;
  }

  /** RFC 5321 section 4.1.3; of the literals only IPv4 and IPv6 name a host. */
  private ofLiteral(domain: string): DomainFact {
    const address = domain
      .slice(1, -1)
      .replace(/^ipv6:/i, '')
      .toLowerCase();
    const at = this.options.clock.now();
    return isIP(address) > 0
      ? { outcome: 'hosts', set: ownMxSet(address), implicit: false, at }
      : { outcome: 'no_mail_server', at };
  }

  private async learn(domain: string): Promise<Learned<DomainFact>> {
    const answer = await this.options.resolver.mx(domain);
    const lifeSeconds = answerLife(answer);
    const at = this.options.clock.now();
    switch (answer.outcome) {
      case 'found': {
        const set = mxSetOf(answer.records);
        return {
          value: set ? { outcome: 'hosts', set, implicit: false, at } : { outcome: 'null_mx', at },
          lifeSeconds,
        };
      }
      case 'nodata':
        return this.learnImplicit(domain, lifeSeconds);
      case 'nxdomain':
        return { value: { outcome: 'domain_not_found', at }, lifeSeconds };
      case 'servfail':
      case 'timeout':
        return { value: { outcome: 'dns_error', detail: answer.outcome, at }, lifeSeconds };
    }
  }

  /** A domain without MX records takes mail itself if it has an address (RFC 5321 section 5.1). */
  private async learnImplicit(domain: string, lifeSeconds: number): Promise<Learned<DomainFact>> {
    const fact = await this.addresses(domain);
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
