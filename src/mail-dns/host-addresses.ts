import { isIP } from 'node:net';

import { type DnsAnswer, type DnsFailure, isAbsence, recordsOf, type Resolver, type Whose } from './domain-dns.js';
import { answerLife, type Learned } from './fact-cache.js';
import type { AddressGuard } from './public-address.js';

export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Where a mail host can be reached. `none`: it has no address; `unroutable`: it has only ones that are not public. */
export type HostAddressesFact =
  | {
      readonly outcome: 'addresses';
      /** At most 8, of IPv4 where it has such. */
      readonly addresses: readonly HostAddress[];
    }
  | { readonly outcome: 'none' | 'unroutable' }
  | { readonly outcome: 'dns_error'; readonly detail: DnsFailure };

const MAX_OF_A_FAMILY = 8;

/** Names that c-ares would ask for: letters, digits, hyphens and, against the rule but in use, underscores (RFC 1123 section 2.1). */
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;

/**
 * Answers that need no query: for an IP address (common, if wrong, as an MX exchange), `localhost`, and text that is no host name.
 * `localhost` is every machine's name for itself (RFC 6761 section 6.3), so the mail host that a domain means by it is none that we can
 * reach. An operator who allows loopback addresses means hosts of other names.
 */
export function addressesWithoutAsking(host: string, mayConnect: AddressGuard): HostAddressesFact | undefined {
  const family = isIP(host);
  if (family === 4 || family === 6) return reachable([{ address: host, family }], mayConnect);
  if (host === 'localhost' || host.endsWith('.localhost')) return { outcome: 'unroutable' };
  return HOST_NAME.test(host) ? undefined : { outcome: 'none' };
}

/**
 * Asks for IPv4 addresses and, where none can be connected to, for IPv6 addresses: nearly every mail host is reached by the first
 * query, and the second one would be a third of all queries.
 */
export async function learnAddresses(
  host: string,
  resolver: Resolver,
  mayConnect: AddressGuard,
  whose: Whose,
): Promise<Learned<HostAddressesFact>> {
  const a = await resolver.a(host, ...whose);
  const first = reachable(addressesOf(a, 4), mayConnect);
  if (first.outcome === 'addresses') return { value: first, lifeSeconds: answerLife(a) };
  const aaaa = await resolver.aaaa(host, ...whose);
  const fact = reachable([...addressesOf(a, 4), ...addressesOf(aaaa, 6)], mayConnect);
  const failure = failureOf(a) ?? failureOf(aaaa);
  // The query that failed may hide a public address, so only addresses that can be used outweigh a failure.
  const isKnown = failure === null || fact.outcome === 'addresses';
  const value = isKnown ? fact : ({ outcome: 'dns_error', detail: failure } as const);
  return { value, lifeSeconds: lifeOfBoth(a, aaaa) };
}

/** The IPv6 addresses of a host that was not reached at its IPv4 addresses; none where they cannot be asked for. */
export async function learnIpv6Addresses(
  host: string,
  resolver: Resolver,
  mayConnect: AddressGuard,
  whose: Whose,
): Promise<Learned<readonly HostAddress[]>> {
  const aaaa = await resolver.aaaa(host, ...whose);
  const fact = reachable(addressesOf(aaaa, 6), mayConnect);
  return { value: fact.outcome === 'addresses' ? fact.addresses : [], lifeSeconds: answerLife(aaaa) };
}

function reachable(all: readonly HostAddress[], mayConnect: AddressGuard): HostAddressesFact {
  const addresses = all.filter(({ address }) => mayConnect(address));
  if (addresses.length > 0) return { outcome: 'addresses', addresses };
  return { outcome: all.length > 0 ? 'unroutable' : 'none' };
}

function addressesOf(answer: DnsAnswer<string>, family: 4 | 6): HostAddress[] {
  return recordsOf(answer)
    .slice(0, MAX_OF_A_FAMILY)
    .map((address) => ({ address, family }));
}

function failureOf({ outcome }: DnsAnswer<string>): DnsFailure | null {
  return outcome === 'found' || outcome === 'nxdomain' || outcome === 'nodata' ? null : outcome;
}

/** A family of addresses that the host does not have does not shorten the life of the other family's. */
function lifeOfBoth(a: DnsAnswer<string>, aaaa: DnsAnswer<string>): number {
  if (isAbsence(aaaa)) return answerLife(a);
  if (isAbsence(a)) return answerLife(aaaa);
  return Math.min(answerLife(a), answerLife(aaaa));
}
