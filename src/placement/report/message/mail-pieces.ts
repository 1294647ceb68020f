import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

const LF = 0x0a;
/** After so many octets a piece ends with its line. */
const PIECE = 65_536;

/**
 * A message in pieces that end with a line, each line in CRLF, as mail travels.
 *
 * mailauth reads what it is given in equal pieces: it takes up the line that a piece has cut off again with the next one, from its beginning,
 * so that one line of 10 MB costs the square of its length; and it takes up each line that ends in LF alone by itself. Between pieces others
 * have their turn.
 */
export function mailPieces(raw: Buffer): Readable {
  return Readable.from(piecesOf(raw));
}

async function* piecesOf(raw: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < raw.length;) {
    const end = raw.indexOf(LF, at + PIECE - 1);
    const next = end < 0 ? raw.length : end + 1;
    yield Buffer.from(raw.toString('latin1', at, next).replaceAll(/\r?\n/g, '\r\n'), 'latin1');
    at = next;
    await setImmediate();
  }
}
