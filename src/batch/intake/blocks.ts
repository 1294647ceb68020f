import { invalidField } from '../../platform/errors/app-error.js';
import { CHUNK_SIZE, ROW_REF_BYTES, type RowRef, writeRowRef } from '../model/row-ref.js';
import { JsonText } from './json-text.js';
import type { PartitionedBy } from './partitions.js';

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
  /** Verdicts that items are given again, by offset (`KeptBlock`). */
  readonly kept?: Buffer | null;
}

/** Bytes of the extra columns of a block, as JSON: a block is read as a whole, whatever part of it somebody wants. */
export const MAX_EXTRA_BYTES = 16_777_216;

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
