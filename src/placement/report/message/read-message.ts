import PostalMime, { addressParser, type Email } from 'postal-mime';
import { hasTooManyLines } from '../../../inbound/mail-lines.js';
import { type HeaderBlock, MAX_HEADER_BYTES, readHeaderBlock, valuesOf } from './header-block.js';

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
