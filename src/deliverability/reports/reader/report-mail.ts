import PostalMime, { type Email } from 'postal-mime';
import { hasTooManyLines } from '../../inbound/read-mail.js';
import { orRefusal, READ_LIMITS, type Refusal, Unreadable } from './read-limits.js';
import { contentOf } from './unpack.js';

/** What of a mail can be read: reports, packed as they came, and those of a failure (RFC 5965), which are parts of a form of their own. */
interface ReportParts {
  readonly packed: readonly Uint8Array[];
  readonly failures: readonly FailureParts[];
  /** Why mails in it that were forwarded whole cannot be looked into. */
  readonly refusals: readonly Refusal[];
}

/** The parts of a report of a failure: its fields, and behind them the mail that failed or its head. */
export interface FailureParts {
  readonly fields: Uint8Array;
  original: Uint8Array | null;
}

const FAILURE_FIELDS = 'message/feedback-report';
const FORWARDED = 'message/rfc822';
const ORIGINALS: readonly string[] = [FORWARDED, 'text/rfc822-headers', 'message/rfc822-headers'];

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
  const failures: FailureParts[] = [];
  const others: typeof attached = [];
  for (const part of attached) {
    const last = failures.at(-1);
    if (part.type === FAILURE_FIELDS) failures.push({ fields: part.bytes, original: null });
    else if (last?.original === null && ORIGINALS.includes(part.type)) last.original = part.bytes;
    else others.push(part);
  }
  const bodies = [email.text, email.html].flatMap((text) => (text === undefined ? [] : [Buffer.from(text)]));
  const packed = [...others.map(({ bytes }) => bytes), ...bodies].filter((part) => contentOf(part) !== null);
  const refusals: Refusal[] = [];
  const forwarded = forwards > 0 ? others.filter(({ type }) => type === FORWARDED) : [];
  for (const { bytes } of forwarded.slice(0, READ_LIMITS.reports)) {
    const inner = await orRefusal(() => reportPartsOf(bytes, forwards - 1));
    if ('refusal' in inner) {
      refusals.push(inner.refusal);
      continue;
    }
    packed.push(...inner.packed);
    failures.push(...inner.failures);
    refusals.push(...inner.refusals);
  }
  if (packed.length + failures.length > READ_LIMITS.reports) throw new Unreadable('too_many_reports');
  return { packed, failures, refusals };
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
