import type { NameInput } from '../engine/finder/names.js';
import { mailDomainOf } from './domain.js';
import type { Person } from './person.js';

/* A name may contain `"]@`, so the pattern follows the quotes of the JSON. */
const ITEM = /^(\["(?:[^"\\]|\\.)*"(?:,"(?:[^"\\]|\\.)*")?\])@(.*)$/s;

/** The longest item of a batch, as for addresses. */
const MAX_CHARACTERS = 1_000;

/**
 * Writes a person as an item of a batch, such as `["Jane","Doe"]@example.com`: the name as JSON, then an `@` and the domain, by which a
 * batch is packed. What the caller sent as a domain and is none stays as it is.
 * @returns null when the item is too long
 */
export function writePersonRow(name: NameInput, domain: string): string | null {
  const names = 'full' in name ? [name.full] : [name.first, name.last];
  const item = `${JSON.stringify(names)}@${mailDomainOf(domain) ?? domain.trim()}`;
  return item.length > MAX_CHARACTERS ? null : item;
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
