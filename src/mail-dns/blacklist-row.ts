import { isIP } from 'node:net';
import {
  type Check,
  type Checked,
  count,
  flag,
  isObject,
  listOf,
  matching,
  object,
  oneOf,
  orNull,
  passing,
  text,
  WrongValue,
} from '../lib/checked-json.js';
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

/** The entry that must be listed, and the one that must not (RFC 5782 section 5). */
export interface TestPoints {
  readonly listed: string;
  readonly clean: string;
}

const ROW_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const ZONE = /^(\{key\}\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/;
const CODE_PATTERN = /^127(\.\d{1,3}(-\d{1,3})?){3}$/;
const DOMAIN_POINT = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
const BITS: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128];
const MAX_ROWS = 500;

const BIT = passing<number>((value) => BITS.includes(value as number), 'a power of two up to 128');
const URL_OF_PAGE = passing<string>(isHttpsUrl, 'an https URL');

/** What one answer of a list means: its codes, or one bit of the last octet of 127.0.0.x. */
const LISTED_CODE = {
  /** Four octets, each a number or a range such as `10-11`; null: the bit decides. */
  codes: orNull(matching(CODE_PATTERN, 'a code such as 127.0.0.2 or 127.0.0.10-11')),
  bit: orNull(BIT),
  meaning: matching(/^[a-z][a-z0-9_]{1,40}$/, 'a word in snake case'),
  severity: oneOf(...SEVERITIES),
  explanation: text,
};

export type ListedCode = Checked<typeof LISTED_CODE>;

const MEMBERS = {
  name: text,
  /** `{key}` stands for the operator's key. */
  zone: matching(ZONE, 'a domain in lower case, with or without {key}.'),
  /** The zone for those who ask without commercial use; null: there is none. */
  freeZone: orNull(matching(ZONE, 'a domain in lower case')),
  key: orNull(oneOf(...KEY_OWNERS)),
  /** `on`: asked without configuration; `key`: with the operator's key; `registered`, `optional`: when the operator names it. */
  use: oneOf('on', 'key', 'registered', 'optional'),
  /** The worst of its answers. */
  severity: oneOf(...SEVERITIES),
  answers: listOf(object(LISTED_CODE)),
  /** Codes that refuse the question, beside 127.255.255.0/24, which does so on every list. */
  refusals: listOf(matching(CODE_PATTERN, 'a code such as 127.0.0.1')),
  /** By the kinds of targets that the list knows. */
  testPoints,
  /** It knows domains as they were registered: `www.example.com` is asked about as `example.com`. */
  registeredOnly: flag,
  /** The ceiling of this installation. */
  queriesPerDay: count(1, 100_000_000),
  terms: text,
  termsUrl: orNull(URL_OF_PAGE),
  /** The day on which the terms were read; null: nobody has read them yet, so the list is not asked by default. */
  readAt: orNull(matching(/^\d{4}-\d\d-\d\d$/, 'a day such as 2026-11-22')),
  /** What of the row nobody has looked up. */
  doubts: orNull(text),
  /** `{target}` stands for the address or domain. */
  lookupUrl: URL_OF_PAGE,
  delistUrl: orNull(URL_OF_PAGE),
  action: oneOf(...LISTED_ACTIONS),
  advice: text,
};

/** One row of `config/blacklists.json`: a DNS block list, who may ask it, and what its answers mean. */
export interface Blacklist extends Checked<typeof MEMBERS> {
  /** The row's name in the file, such as `spamhaus-zen`. */
  readonly id: string;
}

/** Checks the rows of `config/blacklists.json`. @throws Error naming row and field that are wrong */
export function parseBlacklists(rows: unknown): readonly Blacklist[] {
  if (!isObject(rows)) throw new Error('config/blacklists.json: is no object of rows by name');
  if (Object.keys(rows).length > MAX_ROWS) throw new Error(`config/blacklists.json: more than ${MAX_ROWS} rows`);
  return Object.entries(rows).map(([id, row]) => parseRow(id, row));
}

function parseRow(id: string, row: unknown): Blacklist {
  const where = `config/blacklists.json ${id}`;
  if (!ROW_NAME.test(id)) throw new WrongValue(where, id, 'a name in kebab case');
  const list: Blacklist = { id, ...object(MEMBERS)(row, where) };
  if (list.zone.startsWith('{key}.') !== (list.key !== null))
    throw new WrongValue(`${where}.key`, list.key, 'the owner of {key}');
  if ((list.use === 'key') !== (list.key !== null))
    throw new WrongValue(`${where}.use`, list.use, '"key" where there is one');
  const unread = list.answers.find(({ codes, bit: mask }) => (codes === null) === (mask === null));
  if (unread !== undefined) throw new WrongValue(`${where}.answers`, unread.meaning, 'codes or a bit, one of the two');
  if (list.answers.length === 0) throw new WrongValue(`${where}.answers`, [], 'one answer at least');
  return Object.freeze(list);
}

function testPoints(value: unknown, where: string): Readonly<Partial<Record<TargetKind, TestPoints>>> {
  if (!isObject(value)) throw new WrongValue(where, value, 'an object by kind of target');
  const kinds = Object.entries(value);
  if (kinds.length === 0) throw new WrongValue(where, value, 'one kind of target at least');
  return Object.fromEntries(
    kinds.map(([kind, points]) => {
      const known = oneOf(...TARGET_KINDS)(kind, where);
      const point = pointOf(known);
      return [known, object({ listed: point, clean: point })(points, `${where}.${kind}`)];
    }),
  );
}

function pointOf(kind: TargetKind): Check<string> {
  if (kind === 'domain') return matching(DOMAIN_POINT, 'a domain');
  const family = kind === 'ipv4' ? 4 : 6;
  return passing((value) => typeof value === 'string' && isIP(value) === family, `an address of ${kind}`);
}

function isHttpsUrl(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('https://') && readUrl(value) !== null;
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
