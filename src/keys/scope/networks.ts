import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError, type FieldError } from '../../platform/errors/app-error.js';

/** More than any office has; each is compared at each request. */
export const MAX_NETWORKS = 100;
export const MAX_NETWORK_LENGTH = 64;

type Range = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, prefix: number];

/** The prefix of IPv4-mapped addresses is this long (RFC 4291 section 2.5.5.2). */
const MAPPED_PREFIX = 96;

/** Kept while the list that they were read from is. */
const rangesByList = new WeakMap<readonly string[], readonly Range[]>();

/**
 * Networks as they are stored: in CIDR notation, each once, IPv4-mapped ones as IPv4. Null: everywhere.
 * @throws AppError `invalid_input`, naming each that is none
 */
export function readNetworks(asked: readonly string[] | null | undefined): readonly string[] | null {
  if (!asked) return null;
  const fields: FieldError[] = [];
  const networks = asked.map((text, i) => {
    const found = readNetwork(text);
    if ('error' in found) fields.push({ field: `networks[${i}]`, error: found.error });
    return 'network' in found ? found.network : '';
  });
  if (fields.length > 0) throw new AppError('invalid_input', { fields });
  return [...new Set(networks)];
}

/**
 * Whether a key with these networks works from there. A caller whose address is not known is nowhere.
 * @param clientAddress as the connection or a trusted proxy tells it
 */
export function admits(networks: readonly string[] | null, clientAddress: string): boolean {
  if (networks === null) return true;
  const address = storableAddress(clientAddress);
  return address !== null && isWithin([ipaddr.parse(address), MAX_PREFIX], rangesOf(networks));
}

/** Whether every address of `given` is one of `own`. */
export function covers(own: readonly string[] | null, given: readonly string[] | null): boolean {
  if (own === null) return true;
  return given !== null && rangesOf(given).every((range) => isWithin(range, rangesOf(own)));
}

/** Longer than the prefix of any network, so that an address is within each that holds it. */
const MAX_PREFIX = 128;

function isWithin([address, length]: Range, ranges: readonly Range[]): boolean {
  return ranges.some(
    ([network, prefix]) => network.kind() === address.kind() && prefix <= length && address.match(network, prefix),
  );
}

function rangesOf(networks: readonly string[]): readonly Range[] {
  const known = rangesByList.get(networks);
  if (known !== undefined) return known;
  const ranges = networks.map((text) => ipaddr.parseCIDR(text));
  rangesByList.set(networks, ranges);
  return ranges;
}

function readNetwork(text: string): { readonly network: string } | { readonly error: string } {
  const [address = '', prefixText, ...rest] = text.split('/');
  // The library also takes shorter and octal forms of IPv4, which programs read differently.
  const isAddress = isIP(address) !== 0 && !address.includes('%');
  if (!isAddress || rest.length > 0 || (prefixText !== undefined && !/^\d{1,3}$/.test(prefixText))) return NO_NETWORK;
  const range = withoutMapping(ipaddr.parse(address), prefixText === undefined ? null : Number(prefixText));
  if (range === null) return NO_NETWORK;
  const network = firstOf(range);
  if (network !== range[0].toString())
    return { error: `has bits set beyond its prefix: ${network}/${range[1]} is the network` };
  return { network: `${network}/${range[1]}` };
}

const NO_NETWORK = { error: 'must be an IP address or a network such as 192.0.2.0/24 or 2001:db8::/32' };

/** @param prefix null: the whole address */
function withoutMapping(address: ipaddr.IPv4 | ipaddr.IPv6, prefix: number | null): Range | null {
  const bits = address.kind() === 'ipv4' ? 32 : 128;
  const length = prefix ?? bits;
  if (length > bits) return null;
  if (address.kind() === 'ipv4' || !(address as ipaddr.IPv6).isIPv4MappedAddress()) return [address, length];
  return length < MAPPED_PREFIX ? null : [(address as ipaddr.IPv6).toIPv4Address(), length - MAPPED_PREFIX];
}

function firstOf([address, prefix]: Range): string {
  const text = `${address.toString()}/${prefix}`;
  const kind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return kind.networkAddressFromCIDR(text).toString();
}

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
