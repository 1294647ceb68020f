import PostalMime, { type Email } from 'postal-mime';
import { hasTooManyLines } from '../../inbound/mail-lines.js';
import { READ_LIMITS } from './read-limits.js';
import { contentOf } from './report-content.js';
import { Unreadable } from './unreadable.js';

/** What of a mail can be read: reports, packed as they came, and a report of a failure (RFC 5965), which is a part of a form of its own. */
export interface ReportParts {
  readonly packed: readonly Uint8Array[];
  readonly failures: readonly FailureParts[];
}

/** The parts of a report of a failure: its fields, and the mail that failed or its head. */
export interface FailureParts {
  readonly fields: Uint8Array;
  readonly original: Uint8Array | null;
}

const FAILURE_FIELDS = 'message/feedback-report';
const ORIGINALS: readonly string[] = ['message/rfc822', 'text/rfc822-headers', 'message/rfc822-headers'];

/**
 * The parts of a mail that can be reports: attachments, or the body itself, told by their first bytes and never by their name or type.
 * Mimecast sends the gzip as the body of the mail, gateways add texts of their own, and what is called `.gz` may be bare XML (samples of
 * parsedmarc: `mimecast-weird-gzip.eml`, `twilight.eml`; its issue 607). A mail that was forwarded whole is looked into.
 * @throws Unreadable
 */
export async function reportPartsOf(mail: Uint8Array, forwards: number = READ_LIMITS.forwards): Promise<ReportParts> {
  if (mail.byteLength > READ_LIMITS.mailBytes) throw new Unreadable('mail_too_large');
  if (hasTooManyLines(mail)) throw new Unreadable('mail_malformed');
  const email = await parse(mail);
  const attached = email.attachments.map(({ content, mimeType }) => ({ bytes: bytesOf(content), type: mimeType }));
  const fields = attached.find(({ type }) => type === FAILURE_FIELDS);
  const original = attached.find(({ type }) => ORIGINALS.includes(type));
  if (fields !== undefined)
    return { packed: [], failures: [{ fields: fields.bytes, original: original?.bytes ?? null }] };
  const bodies = [email.text, email.html].flatMap((text) => (text === undefined ? [] : [Buffer.from(text)]));
  const packed = [...attached.map(({ bytes }) => bytes), ...bodies].filter((part) => contentOf(part) !== null);
  const forwarded = attached.filter(({ type }) => type === 'message/rfc822');
  const failures: FailureParts[] = [];
  if (forwards > 0)
    for (const { bytes } of forwarded.slice(0, READ_LIMITS.reports)) {
      const inner = await reportPartsOf(bytes, forwards - 1);
      packed.push(...inner.packed);
      failures.push(...inner.failures);
    }
  if (packed.length + failures.length > READ_LIMITS.reports) throw new Unreadable('too_many_reports');
  return { packed, failures };
}

async function parse(mail: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(mail, {
      maxNestingDepth: READ_LIMITS.mimeDepth,
      maxHeadersSize: READ_LIMITS.headerBytes,
      // A mail that was forwarded whole is looked into as one, with all bounds of one.
      forceRfc822Attachments: true,
    });
  } catch {
    throw new Unreadable('mail_malformed');
  }
}

function bytesOf(content: ArrayBuffer | Uint8Array | string): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
}
