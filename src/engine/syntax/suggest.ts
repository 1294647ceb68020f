import type { Address, ParsedAddress } from '../types.js';
import { parseAddress } from './address.js';
import { isDelegated } from './domain.js';
import { bitsApart, editDistance, letterBits, typingSlips } from './edit-distance.js';
import { LOOK_ALIKE_DOMAINS } from './look-alike-domains.js';
import { POPULAR_DOMAINS } from './popular-domains.js';

/** Offers the address that was probably meant. Only a hint: it never changes a verdict. */
export interface Suggester {
  /** The whole corrected address, or null when the domain is not a likely slip of a popular one. */
  readonly suggestDomain: (address: Address) => string | null;
  /** The same for any parsing result: `.con` and the like fail to parse, yet tell what was meant. */
  readonly suggestFor: (parsed: ParsedAddress) => string | null;
}

interface Target {
  readonly domain: string;
  /** The first label. */
  readonly name: string;
  /** All labels after the first. */
  readonly suffix: string;
  readonly letters: number;
  /** Slips in the name that still count as this target. */
  readonly budget: number;
}

const TARGETS: readonly Target[] = POPULAR_DOMAINS.map((domain) => {
  const [name, suffix] = splitDomain(domain);
  return { domain, name, suffix, letters: letterBits(name), budget: slipBudget(name) };
});
const POPULAR: ReadonlySet<string> = new Set(POPULAR_DOMAINS);
const POPULAR_SUFFIXES: ReadonlySet<string> = new Set(TARGETS.map((target) => target.suffix));

/** Real top-level domains that are nearly always a shortened `.com` after one of these names. */
const SHORTENED_COM = new Set(['co', 'cm', 'om']);
const OFTEN_SHORTENED = new Set(['gmail.com', 'yahoo.com', 'hotmail.com', 'outlook.com', 'icloud.com']);

/** The longest target has 16 characters and is at most two slips and one in its suffix away. */
const MAX_LENGTH = 19;

/** Domains remembered before all are forgotten: a batch repeats its domains, a hostile caller must not fill the memory. */
const MAX_REMEMBERED = 4_096;

/** `knownDomains` tells real mailbox providers, which are never corrected; it must not hold the typos that raw lists carry. */
export function createSuggester({ knownDomains }: { knownDomains: (domain: string) => boolean }): Suggester {
  const remembered = new Map<string, string | null>();

  function correct(domain: string): string | null {
    if (domain.length > MAX_LENGTH) return null;
    const before = remembered.get(domain);
    if (before !== undefined) return before;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    const isMeant = POPULAR.has(domain) || LOOK_ALIKE_DOMAINS.has(domain) || knownDomains(domain);
    const corrected = isMeant ? null : nearestPopular(domain);
    remembered.set(domain, corrected);
    return corrected;
  }

  function suggestDomain(address: Address): string | null {
    const domain = address.literal === null ? correct(address.domain) : null;
    return domain === null ? null : `${address.localPart}@${domain}`;
  }

  function suggestFor(parsed: ParsedAddress): string | null {
    if (parsed.ok) return suggestDomain(parsed.address);
    if (parsed.problem !== 'top_level_domain_unknown') return null;
    const start = parsed.given.lastIndexOf('@') + 1;
    const domain = correct(parsed.given.slice(start).toLowerCase());
    if (domain === null) return null;
    const corrected = parseAddress(parsed.given.slice(0, start) + domain);
    return corrected.ok ? corrected.address.normalized : null;
  }

  return { suggestDomain, suggestFor };
}

/** The target with the fewest slips, the more popular one when they tie, or null. */
export function nearestPopular(domain: string): string | null {
  const [name, suffix] = splitDomain(domain);
  const letters = letterBits(name);
  const suffixSlips = suffixMatcher(suffix);
  let nearest: string | null = null;
  let fewest = Infinity;
  for (const target of TARGETS) {
    if (bitsApart(letters, target.letters) > 2 * target.budget) continue;
    const inSuffix = suffixSlips(target);
    if (inSuffix >= fewest) continue;
    const inName = name === target.name ? 0 : typingSlips(name, target.name, target.budget);
    if (inName > target.budget || inName + inSuffix >= fewest) continue;
    nearest = target.domain;
    fewest = inName + inSuffix;
  }
  return nearest;
}

/** Slips between the given suffix and a target's. A real top-level domain is taken as meant: yahoo.se is no slip of yahoo.de. */
function suffixMatcher(suffix: string): (target: Target) => number {
  if (SHORTENED_COM.has(suffix)) return (target) => (OFTEN_SHORTENED.has(target.domain) ? 1 : Infinity);
  if (POPULAR_SUFFIXES.has(suffix)) return (target) => (target.suffix === suffix ? 0 : Infinity);
  const topLevel = lastLabel(suffix);
  const meant = isDelegated(topLevel) ? topLevel : null;
  return (target) => {
    if (meant !== null && lastLabel(target.suffix) !== meant) return Infinity;
    return editDistance(suffix, target.suffix, 1) === 1 ? 1 : Infinity;
  };
}

/** A short name has too many real neighbours (`live`, `love`, `line`): only its suffix is corrected. */
function slipBudget(name: string): number {
  if (name.length < 5) return 0;
  return name.length < 8 ? 1 : 2;
}

function splitDomain(domain: string): [name: string, suffix: string] {
  const dot = domain.indexOf('.');
  return dot < 0 ? [domain, ''] : [domain.slice(0, dot), domain.slice(dot + 1)];
}

function lastLabel(suffix: string): string {
  return suffix.slice(suffix.lastIndexOf('.') + 1);
}
