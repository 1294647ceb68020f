import { isIP } from 'node:net';

/*
 * Records of RFC 7208. No package does this: `mailauth` evaluates but does not explain a broken record, and brings
 * ten packages; `spf-check` and `spf-parse` use a parser of 2017.
 */

export type SpfQualifier = '+' | '-' | '~' | '?';

export type SpfMechanismName = 'all' | 'include' | 'a' | 'mx' | 'ptr' | 'ip4' | 'ip6' | 'exists';

export interface SpfMechanism {
  readonly kind: 'mechanism';
  readonly qualifier: SpfQualifier;
  readonly name: SpfMechanismName;
  /** Domain or address; null for the domain itself. */
  readonly value: string | null;
  /** Prefix lengths; 32 and 128 where none is given. */
  readonly cidr4: number;
  readonly cidr6: number;
}

export interface SpfRedirect {
  readonly kind: 'redirect';
  readonly value: string;
}

export type SpfTerm = SpfMechanism | SpfRedirect;

export type ParsedSpf =
  { readonly ok: true; readonly terms: readonly SpfTerm[] } | { readonly ok: false; readonly problem: string };

const MECHANISM = /^([+\-~?])?([a-z][a-z0-9._-]*)(?::([^/]+))?(?:\/(\d{1,3}))?(?:\/\/(\d{1,3}))?$/i;
const MODIFIER = /^([a-z][a-z0-9._-]*)=(.*)$/i;
/** Visible ASCII in labels, macros as they are; the last label is one of letters and digits, or a macro (section 7.1). */
const DOMAIN_SPEC = /^(?:[\x21-\x24\x26-\x7e]|%%|%_|%-|%\{[slodiphcrtv]\d*r?[.\-+,/_=]*\})+$/i;
const DOMAIN_END = /(?:\.[a-z0-9-]*[a-z][a-z0-9-]*\.?|\})$/i;

const TAKES_DOMAIN: Readonly<Record<SpfMechanismName, 'no' | 'may' | 'must' | 'address'>> = {
  all: 'no',
  include: 'must',
  exists: 'must',
  a: 'may',
  mx: 'may',
  ptr: 'may',
  ip4: 'address',
  ip6: 'address',
};

/** The TXT records of a domain that claim to be SPF (section 4.5). */
export function spfRecordsOf(texts: readonly string[]): string[] {
  return texts.filter((text) => /^v=spf1( |$)/i.test(text));
}

/** @param record the text with its `v=spf1` */
export function parseSpf(record: string): ParsedSpf {
  const terms: SpfTerm[] = [];
  for (const word of record.split(' ').slice(1)) {
    if (word === '') continue;
    const term = parseTerm(word);
    if (term === 'unknown modifier') continue;
    if (term === null) return { ok: false, problem: `"${word}" is no term of SPF` };
    if (term.kind === 'redirect' && terms.some(({ kind }) => kind === 'redirect'))
      return { ok: false, problem: 'there are two redirects' };
    terms.push(term);
  }
  return { ok: true, terms };
}

function parseTerm(word: string): SpfTerm | 'unknown modifier' | null {
  const modifier = MODIFIER.exec(word);
  if (modifier !== null) return parseModifier(modifier[1]!.toLowerCase(), modifier[2]!);
  const [, qualifier = '+', written = '', value, cidr4, cidr6] = MECHANISM.exec(word) ?? [];
  const name = written.toLowerCase();
  if (!isMechanism(name)) return null;
  const hasPrefix = cidr4 !== undefined || cidr6 !== undefined;
  if (hasPrefix && !['a', 'mx', 'ip4', 'ip6'].includes(name)) return null;
  const mechanism = { kind: 'mechanism', qualifier: qualifier as SpfQualifier, name } as const;
  if (TAKES_DOMAIN[name] === 'address') return parseAddress(mechanism, value, cidr4, cidr6);
  if (Number(cidr4 ?? 32) > 32 || Number(cidr6 ?? 128) > 128) return null;
  const needs = TAKES_DOMAIN[name];
  if (value === undefined ? needs === 'must' : needs === 'no' || !isDomainSpec(value)) return null;
  return { ...mechanism, value: value?.toLowerCase() ?? null, cidr4: Number(cidr4 ?? 32), cidr6: Number(cidr6 ?? 128) };
}

function parseModifier(name: string, value: string): SpfRedirect | 'unknown modifier' | null {
  if (name !== 'redirect' && name !== 'exp') return 'unknown modifier';
  if (!isDomainSpec(value)) return null;
  return name === 'redirect' ? { kind: 'redirect', value: value.toLowerCase() } : 'unknown modifier';
}

function parseAddress(
  mechanism: Pick<SpfMechanism, 'kind' | 'qualifier' | 'name'>,
  value: string | undefined,
  prefix: string | undefined,
  doublePrefix: string | undefined,
): SpfMechanism | null {
  const family = mechanism.name === 'ip4' ? 4 : 6;
  if (value === undefined || isIP(value) !== family || doublePrefix !== undefined) return null;
  const length = Number(prefix ?? (family === 4 ? 32 : 128));
  if (length > (family === 4 ? 32 : 128)) return null;
  return { ...mechanism, value, cidr4: family === 4 ? length : 32, cidr6: family === 6 ? length : 128 };
}

function isDomainSpec(text: string): boolean {
  return DOMAIN_SPEC.test(text) && DOMAIN_END.test(text);
}

function isMechanism(name: string): name is SpfMechanismName {
  return Object.hasOwn(TAKES_DOMAIN, name);
}
