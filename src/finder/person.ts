import type { NameInput } from '../engine/finder/names.js';
import { invalidField } from '../platform/errors/app-error.js';
import { mailDomainOf } from './domain.js';

/** Whom to find. */
export interface Person {
  readonly name: NameInput;
  /** The domain in A-labels. */
  readonly domain: string;
}

/** A person as a caller describes them. */
export interface PersonInput {
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
