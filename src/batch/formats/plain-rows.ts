import type { IntakeRow } from './intake-row.js';

/** Space to tilde without the quote and the backslash: what stands in JSON as it is, one byte a character. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= 0x20 && byte <= 0x7e && byte !== 0x22 && byte !== 0x5c),
);

/** Where the plain text that begins at `from` ends: at a byte that is not plain, or at `end`. */
export function plainEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && PLAIN[bytes[at]!] === 1) at++;
  return at;
}

/** Rows whose texts are plain, without spaces around them, as bounds in the bytes that came: a million make no million strings. */
export class PlainRows implements Iterable<IntakeRow> {
  /** @param bounds start and end of each */
  constructor(
    readonly bytes: Buffer,
    readonly bounds: readonly number[],
  ) {}

  get length(): number {
    return this.bounds.length / 2;
  }

  *[Symbol.iterator](): Generator<IntakeRow> {
    for (let i = 0; i < this.bounds.length; i += 2)
      yield { item: this.bytes.toString('latin1', this.bounds[i], this.bounds[i + 1]), extraColumns: null };
  }
}
