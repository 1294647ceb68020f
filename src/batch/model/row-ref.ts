/** The text after the last `@` of an item, as it was sent; of an item without `@` all of it. */
export function domainPartOf(item: string): string {
  return item.slice(item.lastIndexOf('@') + 1);
}

/** What items that only repeat one another have in common: the item, trimmed by the caller, with its domain in lower case. */
export function repeatKeyOf(item: string): string {
  const domain = domainPartOf(item);
  return item.slice(0, item.length - domain.length) + domain.toLowerCase();
}

/** How a CSV of addresses was laid out, so that its results come back in the same layout. */
export interface CsvLayout {
  readonly delimiter: string;
  /** Position of the column of addresses, from 0, and its name. */
  readonly column: number;
  readonly name: string;
}

/** The columns that came with a batch beside the item of each row. Stored as JSON. */
export interface SentColumns {
  /** In their order; none when a CSV had the addresses alone. */
  readonly names: readonly string[];
  /** Null when the batch was no CSV of addresses. */
  readonly layout: CsvLayout | null;
  /** A CSV of people was sent, of which no layout is kept. */
  readonly isCsv?: true;
}

export function cameAsCsv(sent: SentColumns | null): boolean {
  return sent !== null && (sent.layout !== null || sent.isCsv === true);
}

/**
 * Rows in a block, and items in a chunk.
 *
 * This number is part of the stored format: change it, and every stored batch reads wrong. Three stored things count with it: row refs,
 * the offsets that results name, and the order of blocks (row 2,345 is row 345 of block 2). A larger one has a limit, too: `ResultDecoder`
 * keeps `7 * offset + 1` in a `Uint16Array`, which overflows above 9,362 items.
 */
export const CHUNK_SIZE = 1_000;

/**
 * Where the result of a row is found: the number of a chunk and the offset of an item in it, as the one number
 * `chunk * CHUNK_SIZE + offset`. Duplicates have the row ref of the first row with their item. A number and no object, because there is one
 * for each row of a batch.
 */
export type RowRef = number;

/** Stored as a signed integer, little-endian, in the order of the rows. */
export const ROW_REF_BYTES = 4;

export function encodeRowRef(chunk: number, offset: number): RowRef {
  return chunk * CHUNK_SIZE + offset;
}

export function chunkOfRowRef(ref: RowRef): number {
  return Math.floor(ref / CHUNK_SIZE);
}

export function offsetOfRowRef(ref: RowRef): number {
  return ref % CHUNK_SIZE;
}

/** @param row counted from 0 within its block */
export function readRowRef(bytes: Buffer, row: number): RowRef {
  return bytes.readInt32LE(row * ROW_REF_BYTES);
}

export function writeRowRef(bytes: Buffer, row: number, ref: RowRef): void {
  bytes.writeInt32LE(ref, row * ROW_REF_BYTES);
}

/** The row refs of a whole block. */
export function readRowRefs(bytes: Buffer): Int32Array {
  const refs = new Int32Array(bytes.length / ROW_REF_BYTES);
  for (let row = 0; row < refs.length; row++) refs[row] = readRowRef(bytes, row);
  return refs;
}
