import { MAX_CHARACTERS } from './intake-row.js';
import { plainEnd } from './plain-rows.js';

const QUOTE = 0x22;
const COMMA = 0x2c;

export interface PlainRun {
  /** Start and end of each text, without its quotes and the spaces within them. */
  readonly bounds: readonly number[];
  /** Where something begins that is no whole plain text, or the end of the bytes. */
  readonly end: number;
  /** Token that must follow in the array; null when nothing was read. */
  readonly next: 'comma' | 'value' | null;
}

/**
 * Reads plain texts of a JSON array as far as they follow one another.
 * @param expectsComma whether the last thing before was a value
 */
export function scanPlain(bytes: Uint8Array, from: number, expectsComma: boolean): PlainRun {
  const bounds: number[] = [];
  let needsComma = expectsComma;
  let next: PlainRun['next'] = null;
  let at = spaceEnd(bytes, from);
  while (at < bytes.length) {
    if (needsComma) {
      if (bytes[at] !== COMMA) break;
      at = spaceEnd(bytes, at + 1);
      next = 'value';
    } else {
      if (bytes[at] !== QUOTE) break;
      const end = plainEnd(bytes, at + 1, bytes.length);
      if (bytes[end] !== QUOTE || end - at - 1 > MAX_CHARACTERS) break;
      addTrimmed(bounds, bytes, at + 1, end);
      at = spaceEnd(bytes, end + 1);
      next = 'comma';
    }
    needsComma = next === 'comma';
  }
  return { bounds, end: at, next };
}

/** Space, tab and line ends (RFC 8259, section 2). */
function spaceEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
}

function addTrimmed(bounds: number[], bytes: Uint8Array, from: number, to: number): void {
  let start = from;
  let end = to;
  while (start < end && bytes[start] === 0x20) start++;
  while (start < end && bytes[end - 1] === 0x20) end--;
  bounds.push(start, end);
}
