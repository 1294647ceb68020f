import PostalMime, { type Email } from 'postal-mime';
import { hasTooManyLines } from '../../inbound/mail-lines.js';
import { READ_LIMITS } from './read-limits.js';
import { contentOf } from './report-content.js';
import { Unreadable } from './unreadable.js';

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
