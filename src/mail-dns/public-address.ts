import { isIP, isIPv4 } from 'node:net';

/** True for an IP address that mail may be delivered to. */
export type AddressGuard = (address: string) => boolean;

interface Network {
  readonly family: 4 | 6;
  readonly bits: bigint;
  readonly prefix: number;
}

const WIDTH = { 4: 32, 6: 128 } as const;

/**
 * Not public, IPv4: the IANA IPv4 Special-Purpose Address Registry (RFC 6890) and the multicast and reserved blocks of the
 * IPv4 address space registry. The few globally reachable addresses inside 192.0.0.0/24 are anycast services, never mail.
 */
const REFUSED_V4 = [
  '0.0.0.0/8', // this network, RFC 791
  '10.0.0.0/8', // private, RFC 1918
  '100.64.0.0/10', // carrier-grade NAT, RFC 6598
  '127.0.0.0/8', // loopback, RFC 1122
  '169.254.0.0/16', // link-local, RFC 3927
  '172.16.0.0/12', // private, RFC 1918
  '192.0.0.0/24', // IETF protocol assignments, RFC 6890
  '192.0.2.0/24', // documentation, RFC 5737
  '192.88.99.0/24', // 6to4 relay anycast, withdrawn by RFC 7526
  '192.168.0.0/16', // private, RFC 1918
  '198.18.0.0/15', // benchmarking, RFC 2544
  '198.51.100.0/24', // documentation, RFC 5737
  '203.0.113.0/24', // documentation, RFC 5737
  '224.0.0.0/4', // multicast, RFC 5771
  '240.0.0.0/4', // reserved, RFC 1112, and broadcast, RFC 919
].map(parseNetwork);

/**
 * All global unicast IPv6 there is (RFC 4291, IANA IPv6 Address Space registry). Other addresses are unspecified,
 * loopback, IPv4-compatible and -mapped, discard-only, unique local, link-local, site-local, multicast or unassigned.
 */
const GLOBAL_V6 = parseNetwork('2000::/3');

/** Not public although inside 2000::/3: the IANA IPv6 Special-Purpose Address Registry (RFC 6890). */
const REFUSED_V6 = [
  '2001::/23', // IETF protocol assignments, RFC 2928: Teredo, benchmarking, ORCHID, anycast services
  '2001:db8::/32', // documentation, RFC 3849
  '3fff::/20', // documentation, RFC 9637
].map(parseNetwork);

/** Prefixes whose addresses lead to the IPv4 address inside them, and how far from the end that IPv4 address begins. */
const EMBEDDING_V6 = [
  { network: parseNetwork('2002::/16'), shift: 80n }, // 6to4, RFC 3056
  { network: parseNetwork('64:ff9b::/96'), shift: 0n }, // NAT64, RFC 6052
];

/** Whether an address is globally reachable unicast by the IANA registries. False for text that is no IP address. */
export function isPublicAddress(address: string): boolean {
  const family = familyOf(address);
  if (family === null) return false;
  const bits = parseBits(address, family);
  return family === 4 ? isPublicV4(bits) : isPublicV6(bits);
}

/**
 * The guard in front of every connection: public addresses, and those of the networks named in `allowPrivate`
 * (`10.1.0.0/16`, `fd00::/8`, or one address). Throws an Error that quotes the network when it is malformed.
 */
export function createAddressGuard(allowPrivate: readonly string[]): AddressGuard {
  const allowed = allowPrivate.map(parseNetwork);
  return (address) => isPublicAddress(address) || isInside(address, allowed);
}

function isPublicV4(bits: bigint): boolean {
  return !REFUSED_V4.some((network) => contains(network, bits));
}

function isPublicV6(bits: bigint): boolean {
  const embedding = EMBEDDING_V6.find(({ network }) => contains(network, bits));
  if (embedding) return isPublicV4((bits >> embedding.shift) & 0xffff_ffffn);
  return contains(GLOBAL_V6, bits) && !REFUSED_V6.some((network) => contains(network, bits));
}

function isInside(address: string, networks: readonly Network[]): boolean {
  const family = familyOf(address);
  if (family === null) return false;
  const bits = parseBits(address, family);
  return networks.some((network) => network.family === family && contains(network, bits));
}

function contains(network: Network, bits: bigint): boolean {
  const shift = BigInt(WIDTH[network.family] - network.prefix);
  return bits >> shift === network.bits >> shift;
}

/** The family of an address; null for other texts, and for an address with a zone (`fe80::1%eth0`), which is valid on one machine only. */
function familyOf(address: string): 4 | 6 | null {
  const family = address.includes('%') ? 0 : isIP(address);
  return family === 4 || family === 6 ? family : null;
}

function parseNetwork(text: string): Network {
  const [address = '', length, ...rest] = text.split('/');
  const family = familyOf(address);
  const prefix = length === undefined && family ? WIDTH[family] : /^\d{1,3}$/.test(length ?? '') ? Number(length) : NaN;
  if (family === null || rest.length > 0 || !(prefix <= WIDTH[family])) {
    throw new Error(`"${text}" is not a network: write an address and a prefix length, such as 10.0.0.0/8 or fd00::/8`);
  }
  const bits = parseBits(address, family);
  const hostBits = BigInt(WIDTH[family] - prefix);
  if ((bits >> hostBits) << hostBits !== bits) {
    throw new Error(`"${text}" is not a network: it has bits set beyond its prefix length of ${prefix}`);
  }
  return { family, bits, prefix };
}

/** The address as a number. The text must be valid (`familyOf`). */
export function parseBits(address: string, family: 4 | 6): bigint {
  if (family === 4) return BigInt(address.split('.').reduce((bits, octet) => bits * 256 + Number(octet), 0));
  return hextets(address).reduce((bits, part) => (bits << 16n) | BigInt(part), 0n);
}

function hextets(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const left = hextetsOf(head);
  if (tail === undefined) return left;
  const right = hextetsOf(tail);
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
}

function hextetsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!isIPv4(part)) return [parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
