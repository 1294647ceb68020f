import { isAbsence, isFound, type Resolver } from './domain-dns.js';
import type { Random } from '../lib/clock.js';

/**
 * `denies`: it denies domains that everybody knows, or hosts that it has found before, as if nothing existed. `makes_up`: it has an address for a name that nobody has
 * registered, as in networks that lead everybody to a page of theirs.
 */
export type ResolverFinding = 'honest' | 'denies' | 'makes_up';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Long enough that nobody has registered it, and too long to be a slip of a known name. */
const MADE_UP_LETTERS = 24;

/**
 * Asks a resolver once about domains that it must know, and about a made-up name beside one of them that it must not, as a command does that
 * has no past; whoever goes on asking has a `ResolverJudge`. Null when the answers settle nothing.
 * @param knownDomains domains with MX records, one at least
 */
export async function checkResolver(
  resolver: Resolver,
  knownDomains: readonly string[],
  random: Random,
): Promise<ResolverFinding | null> {
  const [isMakingUp, ...known] = await Promise.all([
    makesUpAddresses(resolver, knownDomains, random),
    ...knownDomains.map((domain) => resolver.mx(domain, null)),
  ]);
  if (isMakingUp === true) return 'makes_up';
  if (known.every(isAbsence)) return 'denies';
  return isMakingUp === false && known.some(isFound) ? 'honest' : null;
}

/** Whether it has an address for a name beside one of the domains that nobody has registered; null when it does not say. */
export async function makesUpAddresses(
  resolver: Pick<Resolver, 'mx' | 'a'>,
  knownDomains: readonly string[],
  random: Random,
): Promise<boolean | null> {
  const madeUp = madeUpBeside(chosen(knownDomains, random), random);
  const [mx, address] = await Promise.all([resolver.mx(madeUp, null), resolver.a(madeUp, null)]);
  // A captive portal has one address for every name, and mail hosts for none: who has those for a made-up name is a test bed.
  if (isFound(mx)) return false;
  if (isFound(address)) return true;
  return isAbsence(mx) && isAbsence(address) ? false : null;
}

function madeUpBeside(domain: string, random: Random): string {
  const label = Array.from({ length: MADE_UP_LETTERS }, () => chosen(LETTERS, random)).join('');
  return `${label}${domain.slice(domain.indexOf('.'))}`;
}

function chosen<T>(from: ArrayLike<T>, random: Random): T {
  return from[Math.floor(random.fraction() * from.length)]!;
}
