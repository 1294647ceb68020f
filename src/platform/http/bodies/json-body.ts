import { TextDecoder } from 'node:util';

/**
 * The deepest nesting, far more than any route needs. It is bounded because functions that walk through a value recurse at each
 * level.
 */
const MAX_DEPTH = 64;

/** Refuses what is not UTF-8 (RFC 8259 section 8.1) instead of silently replacing characters. */
const decoder = new TextDecoder('utf-8', { fatal: true });

/** @throws TypeError when the bytes are not UTF-8 */
export function jsonText(bytes: Buffer): string {
  return decoder.decode(bytes);
}

export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isObject);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_DEPTH) return true;
    level = level.flatMap((one) => Object.values(one).filter(isObject));
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
