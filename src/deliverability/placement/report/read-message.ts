import PostalMime, { addressParser, type Email } from 'postal-mime';
import { hasTooManyLines } from '../../inbound/read-mail.js';

/** A header field as it stands, unfolded. */
export interface HeaderField {
  /** In small letters. */
  readonly name: string;
  readonly value: string;
  /** It has octets beyond ASCII. */
  readonly isAscii: boolean;
}

interface HeaderBlock {
  readonly fields: readonly HeaderField[];
  /** The message without what is not looked at: signatures beyond the first ones, fields too long, lines that are no field. */
  readonly judged: Buffer;
  readonly leftOutSignatures: number;
}

/** Larger ones are refused by receivers too: Postfix takes 100 KB of headers, Exchange 256. */
export const MAX_HEADER_BYTES = 256 * 1024;
const MAX_FIELDS = 2_000;
/** mailauth's work grows with the square of the lines of a field, and of the words, labels and letters in those that it looks into. */
const MAX_LINES = 4_000;
const MAX_READ_BYTES = 8_192;
const READ: ReadonlySet<string> = new Set(['from', 'return-path', 'received', 'content-type', 'dkim-signature']);
/** Each signature costs a look at the whole body, and a question or two: whoever sends must not choose how many. */
const MAX_SIGNATURES = 10;
const MAX_ARC_FIELDS = 60;
/** Each signature looks at each line by itself, without letting others have their turn. Ten MB of base64 have fewer. */
const MAX_SIGNED_LINES = 150_000;
/** RFC 5321 allows 1,000 octets. */
const MAX_SIGNED_LINE_BYTES = 1_048_576;

const LF = 0x0a;
const CR = 0x0d;

/** Reads the header fields of a message; null when it has too many or too large ones. */
export function readHeaderBlock(raw: Buffer): HeaderBlock | null {
  const fields: HeaderField[] = [];
  const kept: Buffer[] = [];
  const isUnseen = countLines(raw, MAX_SIGNED_LINES) > MAX_SIGNED_LINES || hasLongLine(raw);
  const left = isUnseen ? { dkim: 0, arc: 0 } : { dkim: MAX_SIGNATURES, arc: MAX_ARC_FIELDS };
  let leftOutSignatures = 0;
  let at = 0;
  while (at < raw.length) {
    const end = endOfField(raw, at);
    if (end > MAX_HEADER_BYTES || fields.length > MAX_FIELDS) return null;
    const bytes = raw.subarray(at, end);
    if (isBlank(bytes)) break;
    at = end;
    const field = fieldOf(bytes);
    // mailauth takes a line that is no field for a part of the one above it: two such lines would be a signature that nobody has counted.
    if (field === null) continue;
    fields.push(field);
    const isSeal = field.name.startsWith('arc-');
    const isTooLong = bytes.length > MAX_READ_BYTES && (isSeal || READ.has(field.name));
    const isLeftOut = (field.name === 'dkim-signature' && left.dkim-- <= 0) || (isSeal && left.arc-- <= 0) || isTooLong;
    if (!isLeftOut) kept.push(bytes);
    else if (isSeal || field.name === 'dkim-signature') leftOutSignatures += 1;
  }
  const header = raw.subarray(0, at);
  if (countLines(header, MAX_LINES) > MAX_LINES) return null;
  const isWhole = kept.reduce((sum, bytes) => sum + bytes.length, 0) === header.length;
  const judged = isWhole ? raw : Buffer.concat([...kept, raw.subarray(at)]);
  return { fields, judged, leftOutSignatures };
}

/** @param most counts no further than one beyond */
function countLines(bytes: Buffer, most: number): number {
  let lines = 0;
  for (let at = bytes.indexOf(LF); at >= 0 && lines <= most; at = bytes.indexOf(LF, at + 1)) lines += 1;
  return lines;
}

function hasLongLine(bytes: Buffer): boolean {
  for (let at = 0; at + MAX_SIGNED_LINE_BYTES < bytes.length;) {
    const last = bytes.lastIndexOf(LF, at + MAX_SIGNED_LINE_BYTES);
    if (last < at) return true;
    at = last + 1;
  }
  return false;
}

/** Behind the line feed that ends the field: the first whose next line does not go on with it. */
function endOfField(raw: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const lineEnd = raw.indexOf(LF, at);
    if (lineEnd < 0) return raw.length;
    at = lineEnd + 1;
    const next = raw[at];
    if ((next !== 0x20 && next !== 0x09) || isBlank(raw.subarray(from, at)) || at - from > MAX_HEADER_BYTES) return at;
  }
}

function isBlank(line: Buffer): boolean {
  return (line.length === 1 && line[0] === LF) || (line.length === 2 && line[0] === CR && line[1] === LF);
}

function fieldOf(bytes: Buffer): HeaderField | null {
  const colon = bytes.indexOf(0x3a);
  if (colon <= 0) return null;
  const name = bytes.subarray(0, colon).toString('latin1').trim().toLowerCase();
  const value = bytes
    .subarray(colon + 1)
    .toString('utf8')
    .replaceAll(/\r?\n(?=[ \t])/g, '')
    .trim();
  return { name, value, isAscii: bytes.every((octet) => octet < 0x80) };
}

/** All values of the fields of one name. */
export function valuesOf(fields: readonly HeaderField[], name: string): readonly string[] {
  return fields.filter((field) => field.name === name).map(({ value }) => value);
}

/** A message, read and never rendered. */
export interface ReadMessage extends HeaderBlock {
  readonly raw: Buffer;
  /** Null: its parts cannot be read, or it has too many of them, too many lines, or too many parts within each other. */
  readonly email: Email | null;
  /** The addresses of all From fields, those of groups too (RFC 6854). */
  readonly fromAddresses: readonly string[];
}

const MAX_FROM_CHARACTERS = 10_000;

/** Mail programs nest a handful; each level costs memory. */
const MAX_DEPTH = 30;

/** @returns null when its header is too large to be looked at */
export async function readMessage(raw: Buffer): Promise<ReadMessage | null> {
  const block = readHeaderBlock(raw);
  if (block === null) return null;
  const options = { maxNestingDepth: MAX_DEPTH, maxHeadersSize: 4 * MAX_HEADER_BYTES, maxRfc822NestingDepth: 0 };
  const email = hasTooManyLines(raw) ? null : await PostalMime.parse(raw, options).catch(() => null);
  const from = valuesOf(block.fields, 'from').join(', ').slice(0, MAX_FROM_CHARACTERS);
  const fromAddresses = addressParser(from, { flatten: true }).flatMap(({ address }) => address ?? []);
  return { ...block, raw, email, fromAddresses };
}
