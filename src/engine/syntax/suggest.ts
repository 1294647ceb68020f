import { parse } from 'tldts';
import { Memo } from '../../lib/memo.js';
import type { Address, ParsedAddress } from '../types.js';
import { parseAddress } from './address.js';
import { bitsApart, editDistance, letterBits, typingSlips } from '../../lib/edit-distance.js';
import { LOOK_ALIKE_DOMAINS, POPULAR_DOMAINS } from './popular-domains.js';

/** Suggests the address that was probably meant. A suggestion is a hint and never changes a verdict. */
export interface Suggester {
  /**
   * The whole corrected address, or null when the domain is not a likely slip of a popular one. `takesNoMail`: the DNS says that nothing
   * takes mail for the domain, so it is no small provider or company that happens to be called so.
   */
  readonly suggestDomain: (address: Address, takesNoMail?: boolean) => string | null;
  /** Like `suggestDomain`, for any result of parsing: one that lost its dot does not parse, yet its meaning is clear. */
  readonly suggestFor: (parsed: ParsedAddress, takesNoMail?: boolean) => string | null;
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
  /** The same for a domain that takes no mail. */
  readonly budgetWithoutMail: number;
}

const TARGETS: readonly Target[] = POPULAR_DOMAINS.map((domain) => {
  const [name, suffix] = splitDomain(domain);
  const budget = slipBudget(name);
  const budgetWithoutMail = isShort(name) && name.length > 2 ? 1 : budget;
  return { domain, name, suffix, letters: letterBits(name), budget, budgetWithoutMail };
});
const POPULAR: ReadonlySet<string> = new Set(POPULAR_DOMAINS);
/** The targets by their letters alone: a dot is lost, doubled or put elsewhere as easily as a letter. */
const BY_LETTERS = new Map(TARGETS.map((target) => [withoutDots(target.domain), target]));
const POPULAR_SUFFIXES: ReadonlySet<string> = new Set(TARGETS.map((target) => target.suffix));

/** Suffixes under which people register domains, and which are nearly always a slip of `.com` after one of these names. */
const MISTYPED_COM = new Set(['co', 'cm', 'om', 'co.com', 'com.com']);
const OFTEN_MISTYPED = new Set(['gmail.com', 'yahoo.com', 'hotmail.com', 'outlook.com', 'icloud.com']);

/** The longest target has 16 characters and is at most two slips and one in its suffix away. */
const MAX_LENGTH = 19;

/** A batch repeats its domains. */
const MAX_REMEMBERED = 4_096;

/**
 * `knownDomains` recognises real mailbox providers, which are never corrected; it must not hold the typos that raw lists carry.
 * It is asked anew each time, so that lists can be replaced.
 */
export function createSuggester({ knownDomains }: { knownDomains: (domain: string) => boolean }): Suggester {
  const nearest = new Memo<string, string | null>(MAX_REMEMBERED);
  const nearestWithoutMail = new Memo<string, string | null>(MAX_REMEMBERED);

  function correct(domain: string, takesNoMail: boolean): string | null {
    if (domain.length > MAX_LENGTH) return null;
    const remembered = takesNoMail ? nearestWithoutMail : nearest;
    let found = remembered.get(domain);
    if (found === undefined) {
      const isMeant = POPULAR.has(domain) || LOOK_ALIKE_DOMAINS.has(domain);
      found = remembered.set(domain, isMeant ? null : nearestPopular(domain, takesNoMail));
    }
    return found === null || knownDomains(domain) ? null : found;
  }

  /** For a text without a dot: the known domain that it becomes with one. */
  function knownWithDot(text: string): string | null {
    if (text.length > MAX_LENGTH) return null;
    for (let at = text.length - 2; at > 0; at--) {
      const domain = `${text.slice(0, at)}.${text.slice(at)}`;
      if (knownDomains(domain)) return domain;
    }
    return null;
  }

  function suggestDomain(address: Address, takesNoMail = false): string | null {
    const domain = address.literal === null ? correct(address.domain, takesNoMail) : null;
    return domain === null ? null : `${address.localPart}@${domain}`;
  }

  function suggestFor(parsed: ParsedAddress, takesNoMail = false): string | null {
    if (parsed.ok) return suggestDomain(parsed.address, takesNoMail);
    if (parsed.problem !== 'domain_malformed') return null;
    const start = parsed.given.lastIndexOf('@') + 1;
    const text = parsed.given.slice(start).toLowerCase();
    const domain = correct(text, true) ?? (text.includes('.') ? null : knownWithDot(text));
    if (domain === null) return null;
    const corrected = parseAddress(parsed.given.slice(0, start) + domain);
    return corrected.ok ? corrected.address.normalized : null;
  }

  return { suggestDomain, suggestFor };
}

/** The target with the fewest slips, the more popular one when they tie, or null. */
export function nearestPopular(domain: string, takesNoMail = false): string | null {
  const sameLetters = BY_LETTERS.get(withoutDots(domain));
  if (sameLetters !== undefined && (takesNoMail || !isShort(sameLetters.name))) return sameLetters.domain;
  const [name, suffix] = splitDomain(domain);
  const letters = letterBits(name);
  const suffixSlips = suffixMatcher(suffix, takesNoMail);
  let nearest: string | null = null;
  let fewest = Infinity;
  for (const target of TARGETS) {
    const most = takesNoMail ? target.budgetWithoutMail : target.budget;
    if (bitsApart(letters, target.letters) > 2 * most) continue;
    const inSuffix = suffixSlips(target);
    if (inSuffix >= fewest) continue;
    const budget = inSuffix === 0 ? most : target.budget;
    const inName = name === target.name ? 0 : typingSlips(name, target.name, budget);
    if (inName > budget || inName + inSuffix >= fewest) continue;
    nearest = target.domain;
    fewest = inName + inSuffix;
  }
  return nearest;
}

/** Slips between the given suffix and a target's. A real top-level domain is taken as meant: yahoo.se is no slip of yahoo.de. */
function suffixMatcher(suffix: string, takesNoMail: boolean): (target: Target) => number {
  if (MISTYPED_COM.has(suffix)) {
    return ({ domain, suffix: meant }) =>
      OFTEN_MISTYPED.has(domain) || (takesNoMail && meant === 'com') ? 1 : Infinity;
  }
  if (POPULAR_SUFFIXES.has(suffix)) return (target) => (target.suffix === suffix ? 0 : Infinity);
  const topLevel = lastLabel(suffix);
  const meant = isTopLevelDomain(topLevel) ? topLevel : null;
  return (target) => {
    if (meant !== null && lastLabel(target.suffix) !== meant) return Infinity;
    return editDistance(suffix, target.suffix, 1) === 1 ? 1 : Infinity;
  };
}

/** A short name has too many real neighbours (`live`, `love`, `line`) to be meant by one of them that takes mail. */
function isShort(name: string): boolean {
  return name.length < 5;
}

/** By the Public Suffix List, which has rules below `za` but none for `za` itself. A hint only: no verdict depends on it. */
function isTopLevelDomain(name: string): boolean {
  return name === 'za' || parse(`x.${name}`).isIcann === true;
}

function slipBudget(name: string): number {
  if (isShort(name)) return 0;
  return name.length < 8 ? 1 : 2;
}

function withoutDots(domain: string): string {
  return domain.replaceAll('.', '');
}

function splitDomain(domain: string): [name: string, suffix: string] {
  const dot = domain.indexOf('.');
  return dot < 0 ? [domain, ''] : [domain.slice(0, dot), domain.slice(dot + 1)];
}

function lastLabel(suffix: string): string {
  return suffix.slice(suffix.lastIndexOf('.') + 1);
}
