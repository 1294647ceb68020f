import { TextDecoder } from 'node:util';
import type { AppError } from '../errors/app-error.js';

/**
 * The deepest nesting, far more than any route needs. It is bounded because functions that walk through a value recurse at each
 * level.
 */
const MAX_DEPTH = 64;

/**
 * Objects and lists of a body, and members of one object: far more than any route needs, too. Checking takes the time of their square in
 * class-transformer (members), and a second for each hundred thousand elsewhere.
 */
const MAX_OBJECTS = 1_000;
const MAX_MEMBERS = 1_000;

/** Refuses what is not UTF-8 (RFC 8259 section 8.1) instead of silently replacing characters. */
const decoder = new TextDecoder('utf-8', { fatal: true });

/** @throws TypeError when the bytes are not UTF-8 */
export function jsonText(bytes: Buffer): string {
  return decoder.decode(bytes);
}

/** Whether a value of JSON is nested deeper than any route needs, or has more objects, or one with more members. */
export function isBeyondBounds(value: unknown): boolean {
  if (isFlat(value)) return false;
  let level = [value].filter(isObject);
  let objects = 0;
  for (let depth = 0; level.length > 0; depth++) {
    objects += level.length;
    if (depth === MAX_DEPTH || objects > MAX_OBJECTS || level.some(hasTooManyMembers)) return true;
    level = level.flatMap((one) => Object.values(one).filter(isObject));
  }
  return false;
}

/** Whether a value has more than so many values in its lists and objects. It must be within the bounds above. */
export function hasMoreValues(value: unknown, most: number): boolean {
  let values = 0;
  for (let level = [value].filter(isObject); level.length > 0;) {
    const inner = level.flatMap((one): unknown[] => Object.values(one));
    values += inner.length;
    if (values > most) return true;
    level = inner.filter(isObject);
  }
  return false;
}

/** Whether a value has few members, none of which has any: most bodies are so. */
function isFlat(value: unknown): boolean {
  if (!isObject(value) || Array.isArray(value)) return !isObject(value);
  let members = 0;
  for (const name in value) if (++members > MAX_MEMBERS || isObject(value[name as keyof object])) return false;
  return true;
}

function hasTooManyMembers(value: object): boolean {
  return !Array.isArray(value) && Object.keys(value).length > MAX_MEMBERS;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * Stands for a body that could not be read. The check of input raises the error, not the parser, because a missing key is
 * reported first (docs/errors.md#what-is-checked-first).
 */
export class UnreadableBody {
  constructor(readonly error: AppError) {}
}
