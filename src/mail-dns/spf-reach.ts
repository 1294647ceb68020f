import { isIP } from 'node:net';
import { parseBits } from './public-address.js';

/** Addresses of one family: ranges in order that neither overlap nor touch, both ends among them. */
type Ranges = readonly (readonly [first: bigint, last: bigint])[];

/** A set of addresses. */
export interface AddressSet {
  readonly ipv4: Ranges;
  readonly ipv6: Ranges;
}

/** How much of the addresses that hosts on the internet may have, from 0 to 1. */
export interface SpfShare {
  readonly ipv4: number;
  readonly ipv6: number;
}

const IPV4_BITS = 32;
const IPV6_BITS = 128;
/** Of IPv6 only 2000::/3 is given to anybody (RFC 4291 section 2.4). */
const GLOBAL_IPV6: Ranges = [[0x2n << 124n, (0x4n << 124n) - 1n]];
const GLOBAL_IPV6_BITS = 125;

export const NOBODY: AddressSet = { ipv4: [], ipv6: [] };
export const EVERYBODY: AddressSet = {
  ipv4: [[0n, (1n << BigInt(IPV4_BITS)) - 1n]],
  ipv6: [[0n, (1n << BigInt(IPV6_BITS)) - 1n]],
};

/** The networks around addresses, each of its family's length; texts that are no addresses name nobody. */
export function networksOf(addresses: readonly string[], cidr4: number, cidr6: number): AddressSet {
  const rangesOf = (family: 4 | 6, width: number, length: number): Ranges =>
    addresses
      .filter((address) => isIP(address) === family && !address.includes('%'))
      .map((address) => {
        const hostBits = BigInt(width - length);
        const first = (parseBits(address, family) >> hostBits) << hostBits;
        return [first, first + (1n << hostBits) - 1n] as const;
      });
  return {
    ipv4: merged(rangesOf(4, IPV4_BITS, cidr4)),
    ipv6: merged(rangesOf(6, IPV6_BITS, cidr6)),
  };
}

export function shareOf({ ipv4, ipv6 }: AddressSet): SpfShare {
  const outside = without(GLOBAL_IPV6, ipv6);
  return {
    ipv4: Number(sizeOf(ipv4)) / 2 ** IPV4_BITS,
    ipv6: Number(sizeOf(GLOBAL_IPV6) - sizeOf(outside)) / 2 ** GLOBAL_IPV6_BITS,
  };
}

/** Whom a term of a record names, and whether they pass by it. */
export interface DecidedTerm {
  readonly matched: AddressSet;
  readonly isPass: boolean;
}

/** Who passes a record with these terms: of several that match, the first decides (RFC 7208 section 4.6.2). */
export function passedBy(terms: readonly DecidedTerm[]): AddressSet {
  return reachOf(terms).passed;
}

/** By halves: term after term takes the square of their number in time, and a stranger chooses the number. */
function reachOf(terms: readonly DecidedTerm[]): { readonly passed: AddressSet; readonly decided: AddressSet } {
  const [first, ...others] = terms.slice(0, 2);
  if (first === undefined) return { passed: NOBODY, decided: NOBODY };
  if (others.length === 0) return { passed: first.isPass ? first.matched : NOBODY, decided: first.matched };
  const half = terms.length >> 1;
  const before = reachOf(terms.slice(0, half));
  const after = reachOf(terms.slice(half));
  const fresh = {
    ipv4: without(after.passed.ipv4, before.decided.ipv4),
    ipv6: without(after.passed.ipv6, before.decided.ipv6),
  };
  return { passed: union([before.passed, fresh]), decided: union([before.decided, after.decided]) };
}

function union(sets: readonly AddressSet[]): AddressSet {
  return { ipv4: merged(sets.flatMap(({ ipv4 }) => ipv4)), ipv6: merged(sets.flatMap(({ ipv6 }) => ipv6)) };
}

function merged(ranges: Ranges): Ranges {
  const whole: [bigint, bigint][] = [];
  for (const [first, last] of ranges.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
    const before = whole.at(-1);
    if (before === undefined || first > before[1] + 1n) whole.push([first, last]);
    else if (last > before[1]) before[1] = last;
  }
  return whole;
}

function without(ranges: Ranges, taken: Ranges): Ranges {
  const left: [bigint, bigint][] = [];
  let at = 0;
  for (const [first, last] of ranges) {
    let from = first;
    while (at < taken.length && taken[at]![1] < from) at += 1;
    for (let next = at; next < taken.length && taken[next]![0] <= last; next += 1) {
      const [takenFirst, takenLast] = taken[next]!;
      if (takenFirst > from) left.push([from, takenFirst - 1n]);
      if (takenLast >= from) from = takenLast + 1n;
    }
    if (from <= last) left.push([from, last]);
  }
  return left;
}

function sizeOf(ranges: Ranges): bigint {
  return ranges.reduce((sum, [first, last]) => sum + last - first + 1n, 0n);
}
