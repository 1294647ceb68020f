import { isIP, isIPv4 } from 'node:net';
import { domainToASCII } from 'node:url';
import { parse } from 'tldts';
import { isPublicAddress, parseBits } from './public-address.js';
import { registrable } from './registrable.js';
import type { Blacklist, TargetKind } from './blacklist-row.js';

/** An address or a domain that lists can be asked about. */
export interface Target {
  readonly kind: TargetKind;
  /** An address in its short form, or a domain in A-labels. */
  readonly value: string;
}

/** Why a text is no target. `private`: nobody outside knows the address, so no list can. */
export type TargetProblem = 'malformed' | 'private' | 'public_suffix';

const MAX_CHARACTERS = 1_000;
const MAX_OCTETS = 253;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/** @param isSimulated addresses for documentation and loopback are targets too: test mode answers for them */
export function readTarget(given: string, isSimulated = false): Target | TargetProblem {
  const text = given.trim();
  if (text.length > MAX_CHARACTERS) return 'malformed';
  if (isIP(text) !== 0) return addressTarget(text, isSimulated);
  const domain = domainToASCII(text.replace(/\.$/, '').toLowerCase());
  const { domain: registered, isIp } = parse(domain, { allowPrivateDomains: false });
  if (isIp || domain === '' || domain.length > MAX_OCTETS) return 'malformed';
  if (!domain.includes('.') || !domain.split('.').every((label) => LABEL.test(label))) return 'malformed';
  // A list of domains has no entries for what nobody can register, and a question about it would be one about everybody.
  return registered === null ? 'public_suffix' : { kind: 'domain', value: domain };
}

function addressTarget(text: string, isSimulated: boolean): Target | TargetProblem {
  if (text.includes('%')) return 'malformed';
  const short = isIPv4(text) ? text : shortIpv6(text);
  const value = MAPPED.exec(short)?.[1] ?? short;
  if (!isSimulated && !isPublicAddress(value)) return 'private';
  return { kind: isIPv4(value) ? 'ipv4' : 'ipv6', value };
}

/** The short form of RFC 5952, as the URL parser writes it; a mapped IPv4 address with its octets. */
function shortIpv6(address: string): string {
  const short = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short);
  if (mapped === null) return short;
  const [high, low] = [parseInt(mapped[1]!, 16), parseInt(mapped[2]!, 16)];
  return `::ffff:${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

/**
 * What a list is asked about: the registered domain of a name, below a public suffix or that of a hoster, where the list knows no others
 * (SURBL's and URIBL's guidelines for implementers, Spamhaus's for the DBL).
 */
export function queriedTarget({ registeredOnly }: Pick<Blacklist, 'registeredOnly'>, target: Target): Target {
  if (target.kind !== 'domain' || !registeredOnly) return target;
  return { kind: 'domain', value: registrable(target.value) };
}

/**
 * The name under which a list is asked about a target (RFC 5782 sections 2.1, 2.4 and 2.6); null when it would be longer than names
 * may be.
 */
export function questionName({ kind, value }: Target, zone: string): string | null {
  const name = `${kind === 'domain' ? value : reversed(value)}.${zone}`;
  return name.length > MAX_OCTETS ? null : name;
}

/** IPv4 by octets, IPv6 by nibbles, the last one first. */
export function reversed(address: string): string {
  if (isIPv4(address)) return address.split('.').toReversed().join('.');
  const nibbles = parseBits(address, 6).toString(16).padStart(32, '0');
  return nibbles.split('').toReversed().join('.');
}
