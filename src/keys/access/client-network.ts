import ipaddr from 'ipaddr.js';

/** `192.0.2.7:5678`, `[2001:db8::7]:5678` or `[2001:db8::7]` (RFC 7239 section 6). */
const WITH_PORT = /^(?:(\d+(?:\.\d+){3}):\d+|\[([^\]]+)\](?::\d+)?)$/;

/** An IPv6 caller usually has a /64 to himself (RFC 6177), so its addresses count as one. */
const IPV6_PREFIX = 64;

/**
 * The network by which a client's limits are counted: the address itself, or an IPv6 address's /64, unless another is named. Clients whose trusted proxy forwards
 * no address (RFC 7239 section 6 has `unknown`) count as one.
 */
export function clientNetwork(forwarded: string, ipv6Prefix = IPV6_PREFIX): string {
  const address = addressOrUnknown(forwarded);
  if (!ipaddr.IPv6.isValid(address)) return address;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${ipv6Prefix}`).toString()}/${ipv6Prefix}`;
}

/**
 * The address as PostgreSQL's `inet` takes it: an IPv4-mapped one as IPv4, no zone (`fe80::1%eth0`) and no port, which some proxies
 * forward. Null for a text that is no address.
 */
export function storableAddress(forwarded: string): string | null {
  const address = forwarded.replace(WITH_PORT, '$1$2');
  return ipaddr.isValid(address) ? ipaddr.process(address).toString().replace(/%.*$/, '') : null;
}

/** The same for people to read, as the audit log has it. */
export function addressOrUnknown(forwarded: string): string {
  return storableAddress(forwarded) ?? 'unknown';
}
