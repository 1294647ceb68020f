import type { NameInput } from '../engine/finder/names.js';
import { mailDomainOf } from './domain.js';
import type { Person } from './person.js';

/* A name may hold what looks like the end of the names, so their quotes are counted. */
const ROW = /^(\["(?:[^"\\]|\\.)*"(?:,"(?:[^"\\]|\\.)*")?\])@(.*)$/s;

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
  const [, names = '[]', given = ''] = ROW.exec(text) ?? [];
  const [first = '', last] = JSON.parse(names) as string[];
  const domain = mailDomainOf(given);
  if (domain === null) return null;
  return { name: last === undefined ? { full: first } : { first, last }, domain };
}
