import { ADDRESSES } from '../model/batch-kind.js';
import { CHUNK_SIZE } from '../model/row-ref.js';
import { type BlockMarks, marksOf } from './block-marks.js';
import { ResultEncoder } from '../model/result-codec.js';
import type { ResultRow } from './results.service.js';

/** The results of a block of rows as they are stored: those of a chunk whose items are its rows, and what they can be found by. */
export interface OrderedBlock {
  readonly number: number;
  /** JSON: by place in the block, what was verified; empty for a row without a result. */
  readonly items: string;
  /** Packed. */
  readonly results: string;
  readonly marks: BlockMarks;
}

/** Packs the rows of one block that have a result. Nothing is left to be known of duplicates: each row's result is its own. */
export function orderedBlock(number: number, rows: Iterable<ResultRow>): OrderedBlock {
  const encoder = new ResultEncoder();
  const items: string[] = [];
  for (const { position, result } of rows) {
    const offset = position % CHUNK_SIZE;
    while (items.length < offset) items.push('');
    items.push(result.verification.email);
    encoder.add({ ...result, offset });
  }
  const results = encoder.toString();
  return { number, items: JSON.stringify(items), results, marks: marksOf(ADDRESSES.decode(results, items)) };
}
