/**
 * What a mail of at most 10 MB may be made of before `postal-mime` reads it: the library holds each line by itself, so that millions of
 * empty ones exhaust the memory, and takes minutes for a million parts or for text that is nothing but short lines.
 */
export const MAIL_LINES = {
  lines: 150_000,
  /** Lines that are not base64, which it reads much more slowly. */
  textLines: 20_000,
  /** Lines that may begin a part of a mail. */
  boundaries: 1_000,
} as const;

const HYPHEN = 0x2d;
/** Shorter lines of base64 are its last ones. */
const MIN_BASE64_LINE = 60;

/** Counts what postal-mime takes long for, before it sees it. */
export function hasTooManyLines(mail: Uint8Array): boolean {
  const bytes = Buffer.from(mail.buffer, mail.byteOffset, mail.byteLength);
  let lines = 0;
  let texts = 0;
  let boundaries = 0;
  for (let at = 0; at < bytes.byteLength; lines++) {
    const end = bytes.indexOf('\n', at);
    const next = end < 0 ? bytes.byteLength : end + 1;
    if (next - at < MIN_BASE64_LINE || bytes.subarray(at, next).includes(' ')) texts++;
    // Each boundary begins so (RFC 2046 section 5.1.1).
    if (bytes[at] === HYPHEN && bytes[at + 1] === HYPHEN) boundaries++;
    if (lines > MAIL_LINES.lines || texts > MAIL_LINES.textLines || boundaries > MAIL_LINES.boundaries) return true;
    at = next;
  }
  return false;
}
