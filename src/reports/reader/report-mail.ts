import PostalMime, { type Email } from 'postal-mime';
import { READ_LIMITS } from './read-limits.js';
import { contentOf } from './report-content.js';
import { Unreadable } from './unreadable.js';

const HYPHEN = 0x2d;
/** Shorter lines of base64 are its last ones. */
const MIN_BASE64_LINE = 60;

/**
 * The one part of a mail that can be a report: an attachment, or the body itself, told by its first bytes and never by its
 * name or type. Mimecast sends the gzip as the body of the mail, gateways add texts of their own, and what is called `.gz` may
 * be bare XML (samples of parsedmarc: `mimecast-weird-gzip.eml`, `twilight.eml`; its issue 607).
 * @throws Unreadable
 */
export async function reportPartOf(mail: Uint8Array): Promise<Uint8Array> {
  if (mail.byteLength > READ_LIMITS.mailBytes) throw new Unreadable('mail_too_large');
  if (hasTooManyLines(mail)) throw new Unreadable('mail_malformed');
  const email = await parse(mail);
  const bodies = [email.text, email.html].flatMap((text) => (text === undefined ? [] : [Buffer.from(text)]));
  const attached = email.attachments.map(({ content }) => bytesOf(content));
  const parts = [...attached, ...bodies].filter((part) => contentOf(part) !== null);
  const [part] = parts;
  if (part === undefined) throw new Unreadable('no_report');
  if (parts.length > 1) throw new Unreadable('several_reports');
  return part;
}

/** Counts what postal-mime takes long for, before it sees it. */
function hasTooManyLines(mail: Uint8Array): boolean {
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
    if (lines > READ_LIMITS.mailLines || texts > READ_LIMITS.textLines) return true;
    if (boundaries > READ_LIMITS.mimeBoundaries) return true;
    at = next;
  }
  return false;
}

async function parse(mail: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(mail, {
      maxNestingDepth: READ_LIMITS.mimeDepth,
      maxHeadersSize: READ_LIMITS.headerBytes,
      // A mail that is forwarded whole is no report.
      forceRfc822Attachments: true,
    });
  } catch {
    throw new Unreadable('mail_malformed');
  }
}

function bytesOf(content: ArrayBuffer | Uint8Array | string): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
}
