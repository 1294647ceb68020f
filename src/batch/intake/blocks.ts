import { JsonText } from './json-text.js';

/** Addresses or rows that are stored as one. */
export const CHUNK_SIZE = 1_000;

/** A block of what was sent, in its order. */
export interface RowBlock {
  readonly number: number;
  /** Where each is verified: 4 bytes (little-endian), chunk * CHUNK_SIZE + offset. */
  readonly places: Buffer;
  /** JSON: by offset, those whose address had come before, as they were given; the others are told where they are verified. */
  readonly emails: Buffer;
  /** JSON: the other columns, an array for each row. */
  readonly cells: Buffer | null;
}

/** A block of work. */
export interface ChunkBlock {
  readonly number: number;
  readonly bucket: number;
  readonly size: number;
  /** JSON: each address once. */
  readonly emails: Buffer;
}

const NO_EMAILS = Buffer.from('{}');

/** A block of rows that is not full. */
export class OpenRows {
  count = 0;
  private readonly places = Buffer.allocUnsafeSlow(CHUNK_SIZE * 4);
  private emails: JsonText | null = null;
  private cells: JsonText | null = null;

  /** @param text when its address had come before */
  add(place: number, text: string | null): void {
    if (text !== null) (this.emails ??= new JsonText('{}')).add(`"${this.count}":${JSON.stringify(text)}`);
    this.places.writeInt32LE(place, this.count * 4);
    this.count += 1;
  }

  /** Of the row that was added last. */
  addCells(cells: readonly string[]): void {
    (this.cells ??= new JsonText('[]')).add(JSON.stringify(cells));
  }

  close(number: number): RowBlock {
    const places = this.places.subarray(0, this.count * 4);
    return { number, places, emails: this.emails?.end() ?? NO_EMAILS, cells: this.cells?.end() ?? null };
  }
}

/** A block of work that is not full. */
export class OpenChunk {
  readonly emails: JsonText;

  /** @param bytes to write to, of a chunk that is stored */
  constructor(
    readonly number: number,
    readonly bucket: number,
    bytes: Buffer | undefined,
  ) {
    this.emails = new JsonText('[]', bytes);
  }

  close(): ChunkBlock {
    return { number: this.number, bucket: this.bucket, size: this.emails.count, emails: this.emails.end() };
  }
}
