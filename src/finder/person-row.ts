import type { NameInput } from '../engine/finder/names.js';
import { mailDomainOf } from './domain.js';
import type { Person } from './person.js';

/** The longest row of a batch, as for addresses. */
const MOST_CHARACTERS = 1_000;

/**
 * A person as a text of a batch: the name as JSON, and its domain behind an `@`, by which a batch is packed. What was sent as domain and
 * is none stays as it is.
 * @returns null when it is too long
 */
export function writePersonRow(name: NameInput, domain: string): string | null {
  const names = 'full' in name ? [name.full] : [name.first, name.last];
  const text = `${JSON.stringify(names)}@${mailDomainOf(domain) ?? domain.trim()}`;
  return text.length > MOST_CHARACTERS ? null : text;
}

/** Null when what stands behind the name is no domain. */
export function readPersonRow(text: string): Person | null {
  const end = text.indexOf(']@');
  const [first = '', last] = JSON.parse(text.slice(0, end + 1)) as string[];
  const domain = mailDomainOf(text.slice(end + 2));
  if (domain === null) return null;
  return { name: last === undefined ? { full: first } : { first, last }, domain };
}
