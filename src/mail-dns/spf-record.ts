import { isIP } from 'node:net';
import { parseBits } from './public-address.js';
import { isDomainSpec, isMacroString } from './spf-macros.js';

/*
 * Records of RFC 7208. No package does this: `mailauth` evaluates but does not explain a broken record, and `spf-check` and `spf-parse`
 * use a parser of 2017.
 */

export type SpfQualifier = '+' | '-' | '~' | '?';

export type SpfMechanismName = 'all' | 'include' | 'a' | 'mx' | 'ptr' | 'ip4' | 'ip6' | 'exists';

export interface SpfMechanism {
  readonly kind: 'mechanism';
  readonly qualifier: SpfQualifier;
  readonly name: SpfMechanismName;
  /** Domain or address as it is written, macros too; null for the domain itself. */
  readonly value: string | null;
  /** The address of an `ip4` or `ip6` as a number; null for the others. */
  readonly bits: bigint | null;
  /** Prefix lengths; 32 and 128 where none is given. */
  readonly cidr4: number;
  readonly cidr6: number;
  /** As it stands in the record. */
  readonly text: string;
}

export interface SpfRedirect {
  readonly kind: 'redirect';
  readonly value: string;
  readonly text: string;
}

export type SpfTerm = SpfMechanism | SpfRedirect;

export type ParsedSpf =
  | { readonly ok: true; readonly terms: readonly SpfTerm[] }
  /** `term` is null when the whole record is wrong. */
  | { readonly ok: false; readonly term: string | null; readonly problem: string };

const MECHANISM = /^([+\-~?])?([a-z][a-z0-9._-]*)(?::(.*?))?(?:\/(\d*))?(?:\/\/(\d*))?$/is;
const MODIFIER = /^([a-z][a-z0-9._-]*)=(.*)$/is;
/** No zero in front (section 12, `ip4-cidr-length`). */
const LENGTH = /^(0|[1-9]\d{0,2})$/;
const VISIBLE = /^[\x20-\x7e]*$/;

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
  if (!VISIBLE.test(record)) return { ok: false, term: null, problem: 'it has characters that are not ASCII' };
  const terms: SpfTerm[] = [];
  const modifiers = new Set<string>();
  for (const word of record.split(' ').slice(1)) {
    if (word === '') continue;
    const modifier = MODIFIER.exec(word)?.[1]?.toLowerCase();
    if (modifier === 'redirect' || modifier === 'exp') {
      if (modifiers.has(modifier)) return { ok: false, term: word, problem: `there are two ${modifier}s` };
      modifiers.add(modifier);
    }
    const term = parseTerm(word);
    if (term === 'unknown modifier') continue;
    if (term === null) return { ok: false, term: word, problem: `"${word}" is no term of SPF` };
    terms.push(term);
  }
  return { ok: true, terms };
}

/** Reads each record once, for a check that looks at the same one for every sender. */
export function parseSpfOnce(): typeof parseSpf {
  const read = new Map<string, ParsedSpf>();
  return (record) => {
    const parsed = read.get(record) ?? parseSpf(record);
    read.set(record, parsed);
    return parsed;
  };
}

function parseTerm(word: string): SpfTerm | 'unknown modifier' | null {
  const modifier = MODIFIER.exec(word);
  if (modifier !== null) return parseModifier(modifier[1]!.toLowerCase(), modifier[2]!, word);
  const [, qualifier = '+', written = '', value, cidr4, cidr6] = MECHANISM.exec(word) ?? [];
  const name = written.toLowerCase();
  if (!isMechanism(name)) return null;
  const hasPrefix = cidr4 !== undefined || cidr6 !== undefined;
  if (hasPrefix && !['a', 'mx', 'ip4', 'ip6'].includes(name)) return null;
  const mechanism = { kind: 'mechanism', qualifier: qualifier as SpfQualifier, name, text: word } as const;
  if (TAKES_DOMAIN[name] === 'address') return parseAddress(mechanism, value, cidr4, cidr6);
  const lengths = { cidr4: lengthOf(cidr4, 32), cidr6: lengthOf(cidr6, 128) };
  if (lengths.cidr4 === null || lengths.cidr6 === null) return null;
  const needs = TAKES_DOMAIN[name];
  if (value === undefined ? needs === 'must' : needs === 'no' || !isDomainSpec(value)) return null;
  return { ...mechanism, value: value ?? null, bits: null, cidr4: lengths.cidr4, cidr6: lengths.cidr6 };
}

function parseModifier(name: string, value: string, text: string): SpfRedirect | 'unknown modifier' | null {
  if (name !== 'redirect' && name !== 'exp') return isMacroString(value) ? 'unknown modifier' : null;
  if (!isDomainSpec(value)) return null;
  return name === 'redirect' ? { kind: 'redirect', value, text } : 'unknown modifier';
}

function parseAddress(
  mechanism: Pick<SpfMechanism, 'kind' | 'qualifier' | 'name' | 'text'>,
  value: string | undefined,
  prefix: string | undefined,
  doublePrefix: string | undefined,
): SpfMechanism | null {
  const family = mechanism.name === 'ip4' ? 4 : 6;
  const max = family === 4 ? 32 : 128;
  if (value === undefined || value.includes('%') || isIP(value) !== family || doublePrefix !== undefined) return null;
  const length = lengthOf(prefix, max);
  if (length === null) return null;
  const bits = parseBits(value, family);
  return { ...mechanism, value, bits, cidr4: family === 4 ? length : 32, cidr6: family === 6 ? length : 128 };
}

/** Null: it is no length. */
function lengthOf(text: string | undefined, max: number): number | null {
  if (text === undefined) return max;
  return LENGTH.test(text) && Number(text) <= max ? Number(text) : null;
}

function isMechanism(name: string): name is SpfMechanismName {
  return Object.hasOwn(TAKES_DOMAIN, name);
}
