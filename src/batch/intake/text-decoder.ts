import { TextDecoder } from 'node:util';
import { type Bytes, invalid } from './intake-row.js';

/** Text of a body: its declared charset, a byte order mark, UTF-16 by its zero bytes, else UTF-8. */
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

function decoderOf(start: Buffer, charset: string | null): TextDecoder {
  const [a, b] = start;
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le', { fatal: true });
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be', { fatal: true });
  try {
    if (charset !== null) return new TextDecoder(charset, { fatal: true });
  } catch {
    throw invalid('Content-Type', 'names a charset that is not known here');
  }
  if (start.length >= 2 && b === 0 && a !== 0) return new TextDecoder('utf-16le', { fatal: true });
  if (start.length >= 2 && a === 0 && b !== 0) return new TextDecoder('utf-16be', { fatal: true });
  return new TextDecoder('utf-8', { fatal: true });
}

function decode(decoder: TextDecoder, piece?: Buffer): string {
  try {
    return decoder.decode(piece, { stream: piece !== undefined });
  } catch {
    throw invalid('body', `is not ${decoder.encoding}: name its charset in Content-Type`);
  }
}
