type MailRead =
  { readonly outcome: 'whole'; readonly raw: Buffer } | { readonly outcome: 'too_large' | 'bare_newline' };

/**
 * Reads what comes after DATA to its end, and keeps no more than `maxBytes` of it.
 * @param onEndless called once when more than twice as much has come: somebody who goes on sending is not waited for
 */
export async function readMail(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  onEndless: () => void,
): Promise<MailRead> {
  const kept: Buffer[] = [];
  const newlines = new BareNewlines();
  let size = 0;
  let isEndless = false;
  for await (const chunk of chunks) {
    size += chunk.length;
    newlines.add(chunk);
    if (size <= maxBytes) kept.push(chunk);
    else kept.length = 0;
    if (size > 2 * maxBytes && !isEndless) {
      isEndless = true;
      onEndless();
    }
  }
  if (size > maxBytes) return { outcome: 'too_large' };
  return newlines.hasAny ? { outcome: 'bare_newline' } : { outcome: 'whole', raw: Buffer.concat(kept, size) };
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * Looks for a line feed without a carriage return before it, in a mail that comes in pieces. Servers that take one for the end of a line
 * read two mails where others read one: "SMTP smuggling" (RFC 5321 section 2.3.8 forbids it).
 */
export class BareNewlines {
  #last = LF;
  #hasAny = false;

  get hasAny(): boolean {
    return this.#hasAny;
  }

  add(chunk: Uint8Array): void {
    if (chunk.length === 0 || this.#hasAny) return;
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, at + 1)) {
      const before = at === 0 ? this.#last : chunk[at - 1];
      if (before !== CR) {
        this.#hasAny = true;
        return;
      }
    }
    this.#last = chunk[chunk.length - 1]!;
  }
}

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
