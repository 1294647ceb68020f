import { domainToASCII } from 'node:url';
import { parse } from 'tldts';
import type { Finding } from '../engine/finder/finding.js';
import type { NameInput } from '../engine/finder/names.js';
import { readUrl } from '../lib/read-url.js';
import { invalidField } from '../platform/errors/app-error.js';

/** More than any web address that a spreadsheet holds: the mapping of longer text to A-labels would take long. */
const MAX_DOMAIN_CHARACTERS = 2_048;
const MAX_OCTETS = 253;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Reads the mail domain that a caller means, in A-labels: the part after the `@` of an address, the registered domain of a web address,
 * else the text without `www.`. Null when it is no domain.
 */
export function mailDomainOf(text: string): string | null {
  if (text.length > MAX_DOMAIN_CHARACTERS) return null;
  const given = text.trim();
  const isWeb = given.includes('/');
  const named = isWeb ? hostOf(given) : given.slice(given.lastIndexOf('@') + 1);
  const domain = domainToASCII(named.replace(/\.$/, '').toLowerCase()).replace(/^www\.(?=[^.]+\.)/, '');
  const { domain: registered, isIp } = parse(domain, { allowPrivateDomains: false });
  if (isIp || registered === null || domain.length > MAX_OCTETS) return null;
  if (!domain.split('.').every((label) => LABEL.test(label))) return null;
  return isWeb ? registered : domain;
}

function hostOf(text: string): string {
  const url = text.includes('://') ? text : `http://${text.replace(/^\/+/, '')}`;
  return readUrl(url)?.hostname ?? '';
}

/** Whom to find. */
export interface Person {
  readonly name: NameInput;
  /** The domain in A-labels. */
  readonly domain: string;
}

/** A person as a caller describes them. */
interface PersonInput {
  readonly first_name?: string | null;
  readonly last_name?: string | null;
  readonly full_name?: string | null;
  readonly domain: string;
}

/** @throws AppError `invalid_input` naming the field */
export function readPerson({ first_name, last_name, full_name, domain }: PersonInput): Person {
  const [first, last, full] = [first_name, last_name, full_name].map((text) => text?.trim() ?? '') as [
    string,
    string,
    string,
  ];
  const known = mailDomainOf(domain);
  if (known === null) throw invalidField('domain', 'must be a domain, a web address or an email address');
  if (full === '' && first === '' && last === '')
    throw invalidField('full_name', 'or first_name and last_name must be given');
  if (full === '' && (first === '' || last === ''))
    throw invalidField(
      first === '' ? 'first_name' : 'last_name',
      'is missing; a name in one piece goes into full_name',
    );
  const name: NameInput = first !== '' && last !== '' ? { first, last } : { full };
  if (!/\p{L}/u.test(Object.values(name).join('')))
    throw invalidField('full' in name ? 'full_name' : 'first_name', 'must have letters');
  return { name, domain: known };
}

/* A name may contain `"]@`, so the pattern follows the quotes of the JSON. */
const ITEM = /^(\["(?:[^"\\]|\\.)*"(?:,"(?:[^"\\]|\\.)*")?\])@(.*)$/s;

/** The longest item of a batch, as for addresses. */
const MAX_ITEM_CHARACTERS = 1_000;

/**
 * Writes a person as an item of a batch, such as `["Jane","Doe"]@example.com`: the name as JSON, then an `@` and the domain, by which a
 * batch is packed. What the caller sent as a domain and is none stays as it is.
 * @returns null when the item is too long
 */
export function writePersonRow(name: NameInput, domain: string): string | null {
  const names = 'full' in name ? [name.full] : [name.first, name.last];
  const item = `${JSON.stringify(names)}@${mailDomainOf(domain) ?? domain.trim()}`;
  return item.length > MAX_ITEM_CHARACTERS ? null : item;
}

/** The domain of an item, or what the caller sent as one. */
export function domainTextOf(item: string): string {
  return ITEM.exec(item)?.[2] ?? '';
}

/** @returns null when no domain follows the name */
export function readPersonRow(item: string): Person | null {
  const [first = '', last] = JSON.parse(ITEM.exec(item)?.[1] ?? '[]') as string[];
  const domain = mailDomainOf(domainTextOf(item));
  if (domain === null) return null;
  return { name: last === undefined ? { full: first } : { first, last }, domain };
}

/** The finding for a person for whom no search is possible. */
export function notSearched(reason: Finding['reason']): Finding {
  return {
    email: null,
    pattern: null,
    verdict: 'invalid',
    reason,
    confidence: 1,
    verification: null,
    alternatives: [],
    tried: [],
    knownAddresses: 0,
    knownOfPattern: 0,
  };
}
