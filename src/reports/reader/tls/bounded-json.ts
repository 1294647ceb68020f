import { READ_LIMITS } from '../read-limits.js';
import { Unreadable } from '../unreadable.js';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
/** Of `[`, `{`, `]` and `}`. */
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Reads JSON that a stranger wrote. How deep it is and how many values it has is counted before anything of it is built: a few bytes make a
 * value that takes many. Bytes that are no UTF-8 become U+FFFD.
 * @throws Unreadable
 */
export function parseBoundedJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength > READ_LIMITS.jsonBytes) throw new Unreadable('unpacked_too_large');
  checkShape(bytes);
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    throw new Unreadable('json_malformed');
  }
}

function checkShape(bytes: Uint8Array): void {
  let [depth, values, isText] = [0, 0, false];
  for (let at = 0; at < bytes.byteLength; at++) {
    const byte = bytes[at]!;
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) values++;
    else if (CLOSING.has(byte)) depth--;
    else if (OPENING.has(byte)) {
      values++;
      if (++depth > READ_LIMITS.jsonDepth) throw new Unreadable('json_too_deep');
    }
    if (values > READ_LIMITS.jsonValues) throw new Unreadable('too_many_records');
  }
}
