import { isIP } from 'node:net';
import { readUrl } from '../lib/read-url.js';

export type TargetKind = 'ipv4' | 'ipv6' | 'domain';

export const TARGET_KINDS: readonly TargetKind[] = ['ipv4', 'ipv6', 'domain'];

/** How much a listing harms, from least to most. */
export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** Whose key goes into a zone's name. */
export const KEY_OWNERS = ['spamhaus', 'abusix', 'spamrats'] as const;

export type KeyOwner = (typeof KEY_OWNERS)[number];

/** What a listed target's owner does. `none`: nothing that they could. */
export const LISTED_ACTIONS = ['fix_then_delist', 'fix_then_wait', 'wait', 'none'] as const;

/** What one answer of a list means: its codes, or one bit of the last octet of 127.0.0.x. */
export interface ListedCode {
  /** Four octets, each a number or a range such as `10-11`; null: the bit decides. */
  readonly codes: string | null;
  readonly bit: number | null;
  readonly meaning: string;
  readonly severity: Severity;
  readonly explanation: string;
}

/** The entry that must be listed, and the one that must not (RFC 5782 section 5). */
export interface TestPoints {
  readonly listed: string;
  readonly clean: string;
}

/** One row of `config/blacklists.json`: a DNS block list, who may ask it, and what its answers mean. */
export interface Blacklist {
  /** The row's name in the file, such as `spamhaus-zen`. */
  readonly id: string;
  readonly name: string;
  /** `{key}` stands for the operator's key. */
  readonly zone: string;
  /** The zone for those who ask without commercial use; null: there is none. */
  readonly freeZone: string | null;
  readonly key: KeyOwner | null;
  /** `on`: asked without configuration; `key`: with the operator's key; `registered`, `optional`: when the operator names it. */
  readonly use: 'on' | 'key' | 'registered' | 'optional';
  /** The worst of its answers. */
  readonly severity: Severity;
  readonly answers: readonly ListedCode[];
  /** Codes that refuse the question, beside 127.255.255.0/24, which does so on every list. */
  readonly refusals: readonly string[];
  /** By the kinds of targets that the list knows. */
  readonly testPoints: Readonly<Partial<Record<TargetKind, TestPoints>>>;
  /** It knows domains as they were registered: `www.example.com` is asked about as `example.com`. */
  readonly registeredOnly: boolean;
  /** The ceiling of this installation. */
  readonly queriesPerDay: number;
  readonly terms: string;
  readonly termsUrl: string | null;
  /** The day on which the terms were read; null: nobody has read them yet, so the list is not asked by default. */
  readonly readAt: string | null;
  /** What of the row nobody has looked up. */
  readonly doubts: string | null;
  /** `{target}` stands for the address or domain. */
  readonly lookupUrl: string;
  readonly delistUrl: string | null;
  readonly action: (typeof LISTED_ACTIONS)[number];
  readonly advice: string;
}

type Check<T> = (value: unknown, where: string) => T;
type Checks<T> = { readonly [Field in keyof T]: Check<T[Field]> };

const ROW_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const ZONE = /^(\{key\}\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/;
const CODE_PATTERN = /^127(\.\d{1,3}(-\d{1,3})?){3}$/;
const DOMAIN_POINT = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
const BITS: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128];
const MAX_ROWS = 500;

const LISTED_CODE: Checks<ListedCode> = {
  codes: orNull(matching(CODE_PATTERN, 'a code such as 127.0.0.2 or 127.0.0.10-11')),
  bit: orNull(bit),
  meaning: matching(/^[a-z][a-z0-9_]{1,40}$/, 'a word in snake case'),
  severity: oneOf(...SEVERITIES),
  explanation: text,
};

const MEMBERS: Checks<Omit<Blacklist, 'id'>> = {
  name: text,
  zone: matching(ZONE, 'a domain in lower case, with or without {key}.'),
  freeZone: orNull(matching(ZONE, 'a domain in lower case')),
  key: orNull(oneOf(...KEY_OWNERS)),
  use: oneOf('on', 'key', 'registered', 'optional'),
  severity: oneOf(...SEVERITIES),
  answers: listOf((value, where) => checkedObject(value, where, LISTED_CODE)),
  refusals: listOf(matching(CODE_PATTERN, 'a code such as 127.0.0.1')),
  testPoints,
  registeredOnly: yesOrNo,
  queriesPerDay: count(1, 100_000_000),
  terms: text,
  termsUrl: orNull(url),
  readAt: orNull(matching(/^\d{4}-\d\d-\d\d$/, 'a day such as 2026-11-22')),
  doubts: orNull(text),
  lookupUrl: url,
  delistUrl: orNull(url),
  action: oneOf(...LISTED_ACTIONS),
  advice: text,
};

/** Checks the rows of `config/blacklists.json`. @throws Error naming row and field that are wrong */
export function parseBlacklists(rows: unknown): readonly Blacklist[] {
  if (typeof rows !== 'object' || rows === null || Array.isArray(rows))
    throw new Error('config/blacklists.json: is no object of rows by name');
  if (Object.keys(rows).length > MAX_ROWS) throw new Error(`config/blacklists.json: more than ${MAX_ROWS} rows`);
  return Object.entries(rows).map(([id, row]) => parseRow(id, row));
}

function parseRow(id: string, row: unknown): Blacklist {
  const where = `config/blacklists.json ${id}`;
  if (!ROW_NAME.test(id)) throw wrong(where, id, 'a name in kebab case');
  const list: Blacklist = { id, ...checkedObject(row, where, MEMBERS) };
  if (list.zone.startsWith('{key}.') !== (list.key !== null))
    throw wrong(`${where}.key`, list.key, 'the owner of {key}');
  if ((list.use === 'key') !== (list.key !== null)) throw wrong(`${where}.use`, list.use, '"key" where there is one');
  const unread = list.answers.find(({ codes, bit: mask }) => (codes === null) === (mask === null));
  if (unread !== undefined) throw wrong(`${where}.answers`, unread.meaning, 'codes or a bit, one of the two');
  if (list.answers.length === 0) throw wrong(`${where}.answers`, [], 'one answer at least');
  return Object.freeze(list);
}

function testPoints(value: unknown, where: string): Blacklist['testPoints'] {
  if (typeof value !== 'object' || value === null) throw wrong(where, value, 'an object by kind of target');
  const kinds = Object.entries(value);
  if (kinds.length === 0) throw wrong(where, value, 'one kind of target at least');
  return Object.fromEntries(
    kinds.map(([kind, points]) => {
      const known = oneOf(...TARGET_KINDS)(kind, where);
      const point = pointOf(known);
      return [known, checkedObject<TestPoints>(points, `${where}.${kind}`, { listed: point, clean: point })];
    }),
  );
}

function pointOf(kind: TargetKind): Check<string> {
  if (kind === 'domain') return matching(DOMAIN_POINT, 'a domain');
  return (value, where) => {
    if (typeof value === 'string' && isIP(value) === (kind === 'ipv4' ? 4 : 6)) return value;
    throw wrong(where, value, `an address of ${kind}`);
  };
}

function checkedObject<T extends object>(value: unknown, where: string, checks: Checks<T>): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(where, value, 'an object');
  const unknown = Object.keys(value).find((field) => !Object.hasOwn(checks, field));
  if (unknown) throw new Error(`${where}.${unknown}: there is no such member`);
  const fields = Object.keys(checks) as (keyof T & string)[];
  return Object.fromEntries(
    fields.map((field) => [field, checks[field]((value as Partial<T>)[field], `${where}.${field}`)]),
  ) as T;
}

function listOf<T>(check: Check<T>): Check<readonly T[]> {
  return (value, where) => {
    if (!Array.isArray(value)) throw wrong(where, value, 'a list');
    return value.map((one: unknown, index) => check(one, `${where}[${index}]`));
  };
}

function orNull<T>(check: Check<T>): Check<T | null> {
  return (value, where) => (value === null ? null : check(value, where));
}

function oneOf<T extends string>(...allowed: readonly T[]): Check<T> {
  return (value, where) => {
    const found = allowed.find((word) => word === value);
    if (found === undefined) throw wrong(where, value, allowed.join(', '));
    return found;
  };
}

function matching(pattern: RegExp, words: string): Check<string> {
  return (value, where) => {
    if (typeof value === 'string' && pattern.test(value)) return value;
    throw wrong(where, value, words);
  };
}

function bit(value: unknown, where: string): number {
  if (typeof value === 'number' && BITS.includes(value)) return value;
  throw wrong(where, value, 'a power of two up to 128');
}

function yesOrNo(value: unknown, where: string): boolean {
  if (typeof value === 'boolean') return value;
  throw wrong(where, value, 'true or false');
}

function count(min: number, max: number): Check<number> {
  return (value, where) => {
    if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return value as number;
    throw wrong(where, value, `a whole number from ${min} to ${max}`);
  };
}

function url(value: unknown, where: string): string {
  if (typeof value === 'string' && value.startsWith('https://') && readUrl(value) !== null) return value;
  throw wrong(where, value, 'an https URL');
}

function text(value: unknown, where: string): string {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= 1000) return value;
  throw wrong(where, value, 'a text of 1 to 1000 characters');
}

function wrong(where: string, value: unknown, allowed: string): Error {
  return new Error(`${where}: ${JSON.stringify(value) ?? 'missing'} is not allowed, only ${allowed}`);
}

/** What the operator of this installation has agreed with the lists. */
export interface ListAgreements {
  readonly keys: Readonly<Partial<Record<KeyOwner, string>>>;
  /** Lists by their ids: those with which the operator has registered, and those whose terms the operator has read. */
  readonly agreed: readonly string[];
  /** Nothing is charged for what lists answer, so zones for such use may be asked. */
  readonly isNonCommercial: boolean;
}

export type ListAccess = { readonly zone: string } | { readonly refusal: 'needs_key' | 'turned_off' };

/** The zone under which a list may be asked, or why it may not. */
export function accessTo(list: Blacklist, { keys, agreed, isNonCommercial }: ListAgreements): ListAccess {
  if (list.key !== null) {
    const key = keys[list.key];
    if (key !== undefined) return { zone: list.zone.replace('{key}', key) };
    return isNonCommercial && list.freeZone !== null ? { zone: list.freeZone } : { refusal: 'needs_key' };
  }
  if (list.use === 'on' || agreed.includes(list.id)) return { zone: list.zone };
  return { refusal: list.use === 'registered' ? 'needs_key' : 'turned_off' };
}
