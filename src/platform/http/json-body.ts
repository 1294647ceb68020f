import { TextDecoder } from 'node:util';

/** Deeper than any body that is read here; what walks through a value calls itself at each level. */
const MOST_DEPTH = 64;

/** Refuses what is not UTF-8 (RFC 8259 section 8.1) instead of reading other characters than were sent. */
const decoder = new TextDecoder('utf-8', { fatal: true });

/** @throws TypeError when it is not UTF-8 */
export function jsonText(bytes: Buffer): string {
  return decoder.decode(bytes);
}

export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isObject);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MOST_DEPTH) return true;
    level = level.flatMap((one) => Object.values(one).filter(isObject));
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
