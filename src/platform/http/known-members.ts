import type { Type } from '@nestjs/common';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';
import { namesNear } from '../../lib/edit-distance.js';
import type { KeyPolicy } from '../config/policies.js';
import { AppError, type FieldError, MAX_FIELD_ERRORS } from '../errors/app-error.js';

/** The names of the members that an input may have, each with those of the objects in it; null where anything may stand. */
export interface KnownMembers extends ReadonlyMap<string, KnownMembers | null> {}

/** In a name of fewer letters one slip leaves little of it. */
const LONG_NAME = 7;
const MAX_SHOWN = 100;

const ofClasses = new Map<Type<object>, KnownMembers>();

/** The members of a class that pass the input pipe: every one with a rule. */
export function membersOf(input: Type<object>): KnownMembers {
  const made = ofClasses.get(input);
  if (made !== undefined) return made;
  const members = new Map<string, KnownMembers | null>();
  // Before its members are looked at, since a class may stand within itself.
  ofClasses.set(input, members);
  for (const { propertyName: name } of getMetadataStorage().getTargetValidationMetadatas(input, '', false, false))
    if (!members.has(name)) members.set(name, membersWithin(input, name));
  return members;
}

function membersWithin(input: Type<object>, name: string): KnownMembers | null {
  const typed = defaultMetadataStorage.findTypeMetadata(input, name);
  return typed === undefined ? null : membersOf(typed.typeFunction());
}

/**
 * Whether every unknown member of a caller is refused. Callers of the agents' specification, and those without a key, may send what they
 * like: of theirs only slips are.
 */
export function refusesUnknown(caller: { readonly policy: Pick<KeyPolicy, 'shape'> } | null | undefined): boolean {
  return caller?.policy.shape === 'flat';
}

/**
 * Refuses members that nobody knows: one that is misspelt would be left out in silence, such as a limit.
 * @param refusesAll if not, only a name that a slip makes of a known one, which is missing, is refused
 * @throws AppError `invalid_input`
 */
export function checkMembers(given: object, known: KnownMembers, refusesAll: boolean, path = ''): void {
  const faults = checkValue(given, known, refusesAll, path, null);
  if (faults !== null) throw new AppError('invalid_input', { fields: faults });
}

/** @param found null until there is something, since most input has nothing unknown */
function checkValue(
  given: object,
  known: KnownMembers,
  refusesAll: boolean,
  path: string,
  found: FieldError[] | null,
): FieldError[] | null {
  let faults = found;
  let unknown = 0;
  for (const name in given) {
    const within = known.get(name);
    if (within === null) continue;
    if (within !== undefined)
      faults = checkEach(given[name as keyof object], within, refusesAll, below(path, name), faults);
    else if (unknown++ < MAX_FIELD_ERRORS) {
      const error = errorOf(name, given, known, refusesAll);
      if (error !== null) (faults ??= []).push({ field: shown(below(path, name)), error });
    }
    if (faults !== null && faults.length >= MAX_FIELD_ERRORS) break;
  }
  return faults;
}

function checkEach(
  value: unknown,
  known: KnownMembers,
  refusesAll: boolean,
  path: string,
  found: FieldError[] | null,
): FieldError[] | null {
  if (typeof value !== 'object' || value === null) return found;
  if (!Array.isArray(value)) return checkValue(value, known, refusesAll, path, found);
  let faults = found;
  for (const [i, one] of value.entries()) {
    faults = checkEach(one, known, refusesAll, `${path}[${i}]`, faults);
    if (faults !== null && faults.length >= MAX_FIELD_ERRORS) break;
  }
  return faults;
}

function errorOf(name: string, given: object, known: KnownMembers, refusesAll: boolean): string | null {
  const near = nearTo(name, known);
  if (!refusesAll && near.every((one) => Object.hasOwn(given, one))) return null;
  return unknownText(name, given, known, { what: 'is not known', nothing: 'nothing is taken here' });
}

/**
 * Says of a name that nobody knows which one may be meant, one that is missing before one that is there.
 * @param words what the name is, and what is said where no name is known
 */
export function unknownText(
  name: string,
  given: object,
  known: KnownMembers,
  { what, nothing }: { readonly what: string; readonly nothing: string },
): string {
  const near = nearTo(name, known);
  const nearest = near.find((one) => !Object.hasOwn(given, one)) ?? near[0];
  if (nearest !== undefined) return `${what}; did you mean ${nearest}?`;
  return known.size === 0 ? `${what}: ${nothing}` : `${what}; known are ${[...known.keys()].sort().join(', ')}`;
}

function nearTo(name: string, known: KnownMembers): readonly string[] {
  return namesNear(name.toLowerCase(), known.keys(), name.length < LONG_NAME ? 1 : 2);
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Short, and without characters that would change how the rest is read. */
export function shown(path: string): string {
  return path.slice(0, MAX_SHOWN).replace(/\p{C}/gu, '\ufffd');
}

/** The members of an input that come one by one, so that it is known in the end which of them are missing. */
export class StreamedMembers {
  private readonly given = new Set<string>();

  constructor(
    private readonly known: KnownMembers,
    private readonly refusesAll: boolean,
  ) {}

  /** @throws AppError `invalid_input` */
  take(name: string): void {
    if (this.refusesAll) checkMembers({ [name]: null }, this.known, true);
    // Somebody may send a million of them.
    if (this.known.has(name) || this.given.size < MAX_FIELD_ERRORS) this.given.add(name);
  }

  /** @throws AppError `invalid_input` */
  end(): void {
    if (!this.refusesAll)
      checkMembers(Object.fromEntries([...this.given].map((name) => [name, null])), this.known, false);
  }
}
