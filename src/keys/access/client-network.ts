import ipaddr from 'ipaddr.js';

/** `192.0.2.7:5678`, `[2001:db8::7]:5678` or `[2001:db8::7]` (RFC 7239 section 6). */
const WITH_PORT = /^(?:(\d+(?:\.\d+){3}):\d+|\[([^\]]+)\](?::\d+)?)$/;

/** An IPv6 caller usually has a /64 to himself (RFC 6177), so its addresses count as one. */
const OF_A_CALLER = { ipv4: 32, ipv6: 64 } as const;

/**
 * The network by which a client's limits are counted: the address itself, or an IPv6 address's /64, unless other prefixes are named. Clients whose trusted
 * proxy forwards no address (RFC 7239 section 6 has `unknown`) count as one.
 */
export function clientNetwork(
  forwarded: string,
  prefixes: { readonly ipv4?: number; readonly ipv6?: number } = {},
): string {
  const address = addressOrUnknown(forwarded);
  const { ipv4, ipv6 } = { ...OF_A_CALLER, ...prefixes };
  if (ipaddr.IPv6.isValid(address))
    return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${ipv6}`).toString()}/${ipv6}`;
  if (ipv4 === OF_A_CALLER.ipv4 || !ipaddr.IPv4.isValid(address)) return address;
  return `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/${ipv4}`).toString()}/${ipv4}`;
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
