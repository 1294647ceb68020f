import type { Address } from 'postal-mime';
import { valuesOf } from '../message/header-block.js';
import type { ReadMessage } from '../message/read-message.js';

export interface HeadersSection {
  readonly from_fields: number;
  readonly from_addresses: number;
  readonly from_domain: string | null;
  readonly reply_to_domain: string | null;
  readonly date: string | null;
  /** Seconds from the Date to when it came; null: it cannot be read. */
  readonly date_age_s: number | null;
  readonly message_id_domain: string | null;
  readonly has_message_id: boolean;
  readonly has_subject: boolean;
  /** Fields that RFC 5322 allows once, and that stand there more often. */
  readonly repeated: readonly string[];
  /** Fields with octets beyond ASCII. */
  readonly not_ascii: readonly string[];
  readonly auto_submitted: string | null;
  readonly received: number;
  readonly longest_line: number;
}

/** RFC 5322 section 3.6. */
const ONCE = [
  'from',
  'sender',
  'reply-to',
  'to',
  'cc',
  'bcc',
  'message-id',
  'in-reply-to',
  'references',
  'subject',
  'date',
];
const MAX_NAMES = 20;
const MAX_TEXT = 200;

export function headersSection(
  { fields, email, raw, fromAddresses: froms }: ReadMessage,
  receivedAt: Date,
): HeadersSection {
  const one = (name: string): string | null => valuesOf(fields, name)[0]?.slice(0, MAX_TEXT) ?? null;
  const date = one('date');
  const sentAt = date === null ? Number.NaN : Date.parse(date.replace(/\([^)]*\)\s*$/, ''));
  const messageId = one('message-id');
  return {
    from_fields: valuesOf(fields, 'from').length,
    from_addresses: froms.length,
    from_domain: froms.length === 0 ? null : domainOf(froms[0]!),
    reply_to_domain: domainOf(mailboxesOf(email?.replyTo ?? [])[0] ?? ''),
    date,
    date_age_s: Number.isNaN(sentAt) ? null : Math.round((receivedAt.getTime() - sentAt) / 1000),
    message_id_domain: messageId === null ? null : domainOf(messageId.replace(/^<|>$/g, '')),
    has_message_id: messageId !== null && /^<[^<>\s]+@[^<>\s]+>$/.test(messageId),
    has_subject: (one('subject') ?? '') !== '',
    repeated: ONCE.filter((name) => valuesOf(fields, name).length > 1),
    not_ascii: [...new Set(fields.filter(({ isAscii }) => !isAscii).map(({ name }) => name.slice(0, MAX_TEXT)))].slice(
      0,
      MAX_NAMES,
    ),
    auto_submitted: one('auto-submitted'),
    received: valuesOf(fields, 'received').length,
    longest_line: longestLine(raw),
  };
}

/** The addresses of a header field, those of groups too (RFC 6854). */
function mailboxesOf(addresses: readonly Address[]): readonly string[] {
  return addresses.flatMap((address) =>
    address.group === undefined ? [address.address] : address.group.map((member) => member.address),
  );
}

function domainOf(address: string): string | null {
  const at = address.lastIndexOf('@');
  const domain = at < 0 ? '' : address.slice(at + 1).toLowerCase();
  return domain === '' ? null : domain.slice(0, MAX_TEXT);
}

/** Octets without its end. */
function longestLine(raw: Buffer): number {
  let longest = 0;
  let from = 0;
  for (let at = raw.indexOf(0x0a); at >= 0; at = raw.indexOf(0x0a, from)) {
    longest = Math.max(longest, raw[at - 1] === 0x0d ? at - 1 - from : at - from);
    from = at + 1;
  }
  return Math.max(longest, raw.length - from);
}
