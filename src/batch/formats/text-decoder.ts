import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { SEND_TEXT } from './binary.js';
import { type Bytes } from './sent-body.js';

/**
 * Text of a body: its declared charset, a byte order mark, UTF-16 by its zero bytes, else UTF-8.
 * @throws AppError `invalid_input` for what is not in that charset, and for a NUL, which no text has
 */
export async function* decodeText(body: Bytes, charset: string | null): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  let start = Buffer.alloc(0);
  for await (const piece of body) {
    if (decoder !== null) {
      yield decode(decoder, piece);
      continue;
    }
    start = Buffer.concat([start, piece]);
    if (start.length < 4) continue;
    decoder = decoderOf(start, charset);
    yield decode(decoder, start);
  }
  decoder ??= decoderOf(start, charset);
  yield start.length < 4 ? decode(decoder, start) + decode(decoder) : decode(decoder);
}

/** @param fatal whether what is not in the charset is refused while it is decoded */
export function decoderOf(start: Buffer, charset: string | null, fatal = true): TextDecoder {
  const [a, b] = start;
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le', { fatal });
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be', { fatal });
  try {
    if (charset !== null) return new TextDecoder(charset, { fatal });
  } catch {
    throw invalidField('Content-Type', 'names a charset that is not known here');
  }
  if (start.length >= 2 && b === 0 && a !== 0) return new TextDecoder('utf-16le', { fatal });
  if (start.length >= 2 && a === 0 && b !== 0) return new TextDecoder('utf-16be', { fatal });
  return new TextDecoder('utf-8', { fatal });
}

const decode = (decoder: TextDecoder, piece?: Buffer): string => checkText(decoded(decoder, piece));

/** @throws AppError `invalid_input` for a NUL */
export function checkText(text: string): string {
  if (text.includes('\0'))
    throw invalidField('body', `contains NUL characters, so it looks like a binary file, not text. ${SEND_TEXT}`);
  return text;
}

function decoded(decoder: TextDecoder, piece?: Buffer): string {
  try {
    return decoder.decode(piece, { stream: piece !== undefined });
  } catch {
    throw invalidField('body', `is not ${decoder.encoding}: name its charset in Content-Type`);
  }
}

/**
 * JSON as it came, in pieces of whole characters, without a byte order mark.
 * @throws AppError `malformed_json` for what is not UTF-8 (RFC 8259 section 8.1)
 */
export async function* utf8Pieces(body: Bytes): AsyncGenerator<Buffer> {
  let rest: Buffer = NOTHING;
  let isFirst = true;
  for await (const piece of body) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const end = endOfWholeCharacters(bytes);
    rest = bytes.subarray(end);
    if (end === 0) continue;
    if (!isUtf8(bytes.subarray(0, end))) throw new AppError('malformed_json');
    const isMarked = isFirst && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    yield bytes.subarray(isMarked ? 3 : 0, end);
    isFirst = false;
  }
  if (rest.length > 0) throw new AppError('malformed_json');
}

const NOTHING = Buffer.alloc(0);

/** Before the first byte of a character of which others are to come (RFC 3629 section 3). */
function endOfWholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) break;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    if (length > back) return bytes.length - back;
    if (length > 1) break;
  }
  return bytes.length;
}
