import { invalidField } from '../../platform/errors/app-error.js';
import {
  CHUNK_SIZE,
  chunkOfRowRef,
  offsetOfRowRef,
  ROW_REF_BYTES,
  type RowRef,
  writeRowRef,
} from '../model/row-ref.js';
import type { PartitionedBy } from './partitions.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const FIRST_BYTES = 1_024;

/** The text of a JSON array or object, in UTF-8, that grows member by member: there are no strings to collect before it is stored. */
class JsonText {
  count = 0;
  private length: number;

  /** @param bytes memory of a text that nobody needs any more */
  constructor(
    private readonly brackets: '[]' | '{}',
    private bytes: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES),
  ) {
    this.length = this.bytes.write(brackets[0]!);
  }

  /** Of the text as it is now. */
  get byteLength(): number {
    return this.length;
  }

  /** A string, of bytes that need no escaping. */
  addPlain(source: Uint8Array, from: number, to: number): void {
    this.makeRoom(to - from + 3);
    const { bytes } = this;
    let at = this.length;
    bytes[at++] = QUOTE;
    for (let i = from; i < to; i++) bytes[at++] = source[i]!;
    bytes[at++] = QUOTE;
    bytes[at++] = COMMA;
    this.length = at;
    this.count += 1;
  }

  /** @param json a value, or a name and a value */
  add(json: string): void {
    this.makeRoom(json.length * 3 + 1);
    this.length += this.bytes.write(json, this.length);
    this.bytes[this.length++] = COMMA;
    this.count += 1;
  }

  /** The whole text. No member can be added after it. */
  end(): Buffer {
    this.makeRoom(1);
    // The closing bracket replaces the last comma.
    if (this.count > 0) this.length -= 1;
    this.length += this.bytes.write(this.brackets[1]!, this.length);
    return this.bytes.subarray(0, this.length);
  }

  private makeRoom(length: number): void {
    if (this.length + length <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.length + length));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

/** A block of rows in the order of submission. */
export interface RowBlock {
  readonly number: number;
  /** The row ref of each row (`model/row-ref.ts` describes the format). */
  readonly rowRefs: Buffer;
  /** JSON: by offset, as they were sent, the duplicates of earlier rows; all other items are stored in their chunk only. */
  readonly items: Buffer;
  /** JSON: the other columns, an array for each row. */
  readonly extraColumns: Buffer | null;
}

/** A block of items to work on. */
export interface ChunkBlock {
  readonly number: number;
  readonly partition: number;
  readonly partitionedBy: PartitionedBy;
  readonly size: number;
  /** JSON: each item once. */
  readonly items: Buffer;
  /** Verdicts that items are given again, by offset (`VerdictBlock`). */
  readonly kept?: Buffer | null;
}

/** Bytes of the extra columns of a block, as JSON: a block is read as a whole, whatever part of it somebody wants. */
const MAX_EXTRA_BYTES = 16_777_216;

const NO_DUPLICATES = Buffer.from('{}');
const TOO_LARGE =
  `has too much in its other columns: each ${CHUNK_SIZE} rows may have ${MAX_EXTRA_BYTES / 1_048_576} MiB there, ` +
  'where a control character counts as six bytes; leave out columns that you do not need back';

/** Collects the rows of a block. */
export class RowsBuilder {
  count = 0;
  private readonly rowRefs = Buffer.allocUnsafeSlow(CHUNK_SIZE * ROW_REF_BYTES);
  private items: JsonText | null = null;
  private extraColumns: JsonText | null = null;

  /** @param duplicate the item as this row has it, when an earlier row has it too; else null */
  add(ref: RowRef, duplicate: string | null): void {
    if (duplicate !== null) (this.items ??= new JsonText('{}')).add(`"${this.count}":${JSON.stringify(duplicate)}`);
    writeRowRef(this.rowRefs, this.count, ref);
    this.count += 1;
  }

  /**
   * Adds extra columns to the row that was added last.
   * @throws AppError `invalid_input` when those of the block get too large
   */
  addExtraColumns(values: readonly string[]): void {
    this.extraColumns ??= new JsonText('[]');
    this.extraColumns.add(JSON.stringify(values));
    if (this.extraColumns.byteLength > MAX_EXTRA_BYTES) throw invalidField('body', TOO_LARGE);
  }

  close(number: number): RowBlock {
    return {
      number,
      rowRefs: this.rowRefs.subarray(0, this.count * ROW_REF_BYTES),
      items: this.items?.end() ?? NO_DUPLICATES,
      extraColumns: this.extraColumns?.end() ?? null,
    };
  }
}

/** Collects the items of a chunk. */
export class ChunkBuilder {
  readonly items: JsonText;

  /** @param bytes memory of a chunk that is stored, to be used again */
  constructor(
    readonly number: number,
    readonly partition: number,
    readonly partitionedBy: PartitionedBy,
    bytes: Buffer | undefined,
  ) {
    this.items = new JsonText('[]', bytes);
  }

  close(): ChunkBlock {
    const { number, partition, partitionedBy, items } = this;
    return { number, partition, partitionedBy, size: items.count, items: items.end() };
  }
}

/** Counts how many further rows an item answers. Memory grows with the chunks that have duplicates, not with the duplicates. */
export class DuplicateCounts {
  private readonly counts = new Map<number, Uint32Array>();

  /** @param ref of the item that one more row has */
  add(ref: RowRef): void {
    const chunk = chunkOfRowRef(ref);
    let counts = this.counts.get(chunk);
    if (counts === undefined) this.counts.set(chunk, (counts = new Uint32Array(CHUNK_SIZE)));
    counts[offsetOfRowRef(ref)]! += 1;
  }

  /** The chunks that have duplicates, with pairs of an offset and the number of its further rows. */
  *byChunk(): Generator<readonly [chunk: number, pairs: readonly number[]]> {
    for (const [chunk, counts] of this.counts) {
      const pairs: number[] = [];
      for (let offset = 0; offset < CHUNK_SIZE; offset++) if (counts[offset] !== 0) pairs.push(offset, counts[offset]!);
      yield [chunk, pairs];
    }
  }
}
