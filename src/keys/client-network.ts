import ipaddr from 'ipaddr.js';

/** An IPv6 caller usually has a /64 to himself (RFC 6177), so its addresses count as one. */
const IPV6_PREFIX = 64;

/**
 * What the limits of a client address are counted by: the address itself, or an IPv6 address's /64. A trusted proxy may forward what is no
 * address (`unknown`, or one with a port): all that is such counts as one.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone(parsed.toString())}/${IPV6_PREFIX}`).toString()}/${IPV6_PREFIX}`;
}

/** The address as PostgreSQL's `inet` takes it: an IPv4-mapped one as IPv4, and no zone (`fe80::1%eth0`). */
export function storableAddress(address: string): string {
  return withoutZone(ipaddr.process(address).toString());
}

function withoutZone(address: string): string {
  return address.replace(/%.*$/, '');
}
