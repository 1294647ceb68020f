import type { Address } from 'postal-mime';
import { type HeaderField, readMessage, type ReadMessage, valuesOf } from './read-message.js';
import { type SeenSignatures, verifySignatures } from './signatures.js';
import { contentSection } from './content.js';
import { readUrl } from '../../../lib/read-url.js';
import type { AuthenticationReply, ContentReply, HeadersReply, UnsubscribeReply } from './report-sections.reply.js';

/** All that the octets of a message tell, before anybody is asked about it. */
export interface MessageFacts {
  readonly fields: readonly HeaderField[];
  readonly leftOutSignatures: number;
  readonly headers: HeadersReply;
  /** Null: its parts cannot be read. */
  readonly content: ContentReply | null;
  /** Without keys. */
  readonly signatures: SeenSignatures;
}

/** Runs in a thread. @returns null when the header is too large to be looked at */
export async function messageFacts(
  raw: Buffer,
  { sender, receivedAt }: { readonly sender: string; readonly receivedAt: Date },
): Promise<MessageFacts | null> {
  const message = await readMessage(raw);
  if (message === null) return null;
  const { fields, leftOutSignatures } = message;
  return {
    fields,
    leftOutSignatures,
    headers: headersSection(message, receivedAt),
    content: contentSection(message),
    signatures: await verifySignatures(raw, { sender, keys: new Map() }),
  };
}

/** RFC 5322 section 3.6. */
const ONCE = 'from sender reply-to to cc bcc message-id in-reply-to references subject date'.split(' ');
const MAX_NAMES = 20;
const MAX_TEXT = 200;

export function headersSection(
  { fields, email, raw, fromAddresses: froms }: ReadMessage,
  receivedAt: Date,
): HeadersReply {
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

const MAX_PARTS = 10;

/** Reads how a reader may leave the list (RFC 2369, RFC 8058). The addresses are never asked: that would unsubscribe somebody. */
export function unsubscribeSection(
  { fields }: Pick<ReadMessage, 'fields'>,
  { dkim }: Pick<AuthenticationReply, 'dkim'>,
): UnsubscribeReply {
  const [list] = valuesOf(fields, 'list-unsubscribe');
  const [post] = valuesOf(fields, 'list-unsubscribe-post');
  const parts = (list ?? '').split(',', MAX_PARTS).map((part) => part.trim());
  const addresses = parts.flatMap((part) => /^(?:\([^)]*\)\s*)?<\s*([^<>\s]+)\s*>/.exec(part)?.[1] ?? []);
  const https = addresses.flatMap((address) => hostOf(address, 'https:') ?? []);
  const isPost = post !== undefined && /^list-unsubscribe=one-click$/i.test(post.replaceAll(/\s/g, ''));
  const covering = dkim.filter(
    ({ result, signed_headers }) =>
      result === 'pass' &&
      signed_headers.includes('list-unsubscribe') &&
      (post === undefined || signed_headers.includes('list-unsubscribe-post')),
  );
  return {
    list_unsubscribe: list !== undefined,
    well_formed: list !== undefined && parts.every((part) => part === '' || part.includes('<')) && addresses.length > 0,
    https_hosts: [...new Set(https)],
    mailto: addresses.some((address) => /^mailto:/i.test(address)),
    one_click: isPost && https.length > 0,
    signed: list === undefined ? null : covering.length > 0,
  };
}

function hostOf(address: string, scheme: string): string | null {
  const url = readUrl(address);
  return url?.protocol === scheme ? url.hostname : null;
}
