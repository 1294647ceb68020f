import type { DnsAnswer, Random, Resolver } from '../ports.js';

/**
 * `denies`: it knows no domain that everybody knows, as if nothing existed. `makes_up`: it has an address for a name that nobody has
 * registered, as in networks that lead everybody to a page of theirs.
 */
export type ResolverFinding = 'honest' | 'denies' | 'makes_up';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Long enough that nobody has registered it, and too long to be a slip of a known name. */
const MADE_UP_LETTERS = 24;

/**
 * Asks a resolver about domains that it must know, and about a made-up name beside one of them that it must not; null when the answers
 * settle nothing.
 * @param knownDomains domains with MX records, one at least
 */
export async function checkResolver(
  resolver: Resolver,
  knownDomains: readonly string[],
  random: Random,
): Promise<ResolverFinding | null> {
  const madeUp = madeUpBeside(chosen(knownDomains, random), random);
  const [mx, address, ...known] = await Promise.all([
    resolver.mx(madeUp, null),
    resolver.a(madeUp, null),
    ...knownDomains.map((domain) => resolver.mx(domain, null)),
  ]);
  // A captive portal has one address for every name, and mail hosts for none: who has those for a made-up name is a test bed.
  if (mx.outcome === 'found') return 'honest';
  if (address.outcome === 'found') return 'makes_up';
  if (known.every(isDenial)) return 'denies';
  return isDenial(mx) && isDenial(address) && known.some(({ outcome }) => outcome === 'found') ? 'honest' : null;
}

/** The answer says that there is nothing. */
export function isDenial({ outcome }: DnsAnswer<unknown>): boolean {
  return outcome === 'nxdomain' || outcome === 'nodata';
}

function madeUpBeside(domain: string, random: Random): string {
  const label = Array.from({ length: MADE_UP_LETTERS }, () => chosen(LETTERS, random)).join('');
  return `${label}${domain.slice(domain.indexOf('.'))}`;
}

function chosen<T>(from: ArrayLike<T>, random: Random): T {
  return from[Math.floor(random.fraction() * from.length)]!;
}
