import { withoutAddresses } from './reply-words.js';

/** Bytes of a server's text that are kept as evidence. */
export const EVIDENCE_BYTES = 512;

const PLAIN = /^[\x20-\x7e]*$/;
// Controls, line separators, invisible and direction-changing characters, lone surrogates, the private planes.
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\s]+/gu;

/** A server gives most recipients the same reply. */
let last = { text: '', safe: '' };

/** A server's text made safe to store and show: printable, on one line, at most 512 bytes of UTF-8. */
export function evidenceText(text: string): string {
  if (text !== last.text) last = { text, safe: madeSafe(text) };
  return last.safe;
}

/** A refusal's text as it may be kept apart from its recipient: `evidenceText` without addresses. */
export function refusalText(text: string, recipient: string | null): string {
  // Addresses are looked for when controls have gone, which may stand within one.
  const safe = madeSafe(text);
  // Half an address at the end would not look like one.
  const whole =
    text.length > EVIDENCE_BYTES || Buffer.byteLength(text) > EVIDENCE_BYTES ? safe.replace(/\S*$/, '') : safe;
  return cutToBytes(withoutAddresses(whole, recipient), EVIDENCE_BYTES).trim();
}

function madeSafe(text: string): string {
  if (text.length <= EVIDENCE_BYTES && PLAIN.test(text)) return text.trim();
  // A character is at least a byte, so the text that is cut off here could never have fitted.
  const line = text
    .slice(0, 4 * EVIDENCE_BYTES)
    .replace(UNPRINTABLE, ' ')
    .trim();
  return cutToBytes(line, EVIDENCE_BYTES);
}

function cutToBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const bytes = Buffer.from(text);
  let end = limit;
  // Back to where a character starts: 10xxxxxx continues one.
  while ((bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end).trimEnd();
}
