import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { copyIn, int2, int4, int8, timestamptz } from '../../platform/database/copy-in.js';
import { definePrepared } from '../../platform/database/prepared.js';
import { type NewBatch, type ReceivedBatch, WHOLE_COLUMNS, wholeRow } from '../model/batch-row.js';
import type { ChunkBlock, RowBlock } from './blocks.js';

/** Chunks whose duplicates one statement stores: a quarter of a megabyte. */
const CHUNK_PAGE_SIZE = 32;

/** An upload with one block of rows and one chunk. */
export interface WholeUpload {
  readonly rows: RowBlock;
  readonly chunk: ChunkBlock;
  /** Pairs: the offset of an item that was sent more than once, and how many further rows it answers. */
  readonly duplicates: readonly number[];
}

/** A whole upload as it is stored. */
interface WholeBatch extends WholeUpload {
  readonly batch: NewBatch;
  readonly received: ReceivedBatch;
  /** The verdicts that its items are given again. */
  readonly kept: Buffer | null;
}

/** Writes blocks of rows and chunks: each is one row of a table, and one statement writes many of them. */
@Injectable()
export class IntakeStore {
  async addRows(tx: EntityManager, batchId: number, blocks: readonly RowBlock[]): Promise<void> {
    if (blocks.length === 0) return;
    const id = int8(batchId);
    const rows = blocks.map(({ number, items, rowRefs, extraColumns }) => [
      id,
      int4(number),
      items,
      rowRefs,
      extraColumns,
    ]);
    await copyIn(tx, 'batch_rows (batch_id, number, items, row_refs, extra_columns)', rows);
  }

  async addChunks(tx: EntityManager, batchId: number, blocks: readonly ChunkBlock[], now: Date): Promise<void> {
    if (blocks.length === 0) return;
    const id = int8(batchId);
    const due = timestamptz(now);
    const rows = blocks.map(({ number, partition, partitionedBy, size, items, kept }) => [
      id,
      int4(number),
      int2(partition),
      Buffer.from(partitionedBy),
      int2(size),
      items,
      due,
      kept ?? null,
    ]);
    await copyIn(tx, 'batch_chunks (batch_id, number, partition, partitioned_by, size, items, due_at, kept)', rows);
  }

  /** Stores small batches as a whole and queues them. */
  async addWholes(tx: EntityManager, wholes: readonly WholeBatch[]): Promise<void> {
    const batches = wholes.map(({ batch, received }) => wholeRow(batch, received));
    const rows = wholes.map(({ batch, rows: { items, rowRefs, extraColumns } }) => ({
      batch_id: batch.id,
      items: items.toString(),
      row_refs: hex(rowRefs),
      extra_columns: extraColumns && extraColumns.toString(),
    }));
    const chunks = wholes.map(({ batch, chunk: { partition, partitionedBy, size, items }, duplicates, kept }) => ({
      batch_id: batch.id,
      partition,
      partitioned_by: partitionedBy,
      size,
      items: items.toString(),
      duplicates,
      due_at: batch.createdAt,
      kept: kept && hex(kept),
    }));
    await insertWholes(tx, JSON.stringify(batches), JSON.stringify(rows), JSON.stringify(chunks));
  }

  /** The caller waits for the last row, because any row may be a duplicate. */
  async setDuplicates(
    tx: EntityManager,
    batchId: number,
    duplicates: Iterable<readonly [chunk: number, pairs: readonly number[]]>,
  ): Promise<void> {
    let known: [chunk: number, pairs: string][] = [];
    const write = async () => {
      await tx.query(
        `UPDATE batch_chunks AS chunk SET duplicates = known.duplicates::integer[]
           FROM unnest($2::integer[], $3::text[]) AS known (number, duplicates)
          WHERE chunk.batch_id = $1 AND chunk.number = known.number`,
        [batchId, known.map(([chunk]) => chunk), known.map(([, pairs]) => pairs)],
      );
      known = [];
    };
    for (const [chunk, pairs] of duplicates) {
      known.push([chunk, `{${pairs.join(',')}}`]);
      if (known.length === CHUNK_PAGE_SIZE) await write();
    }
    if (known.length > 0) await write();
  }
}

/** `bytea` as JSON has it. */
function hex(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}

// The types of the columns are those of the tables.
const insertWholes = definePrepared(
  'insertWholeBatches',
  `WITH batch AS (
     INSERT INTO batches (${WHOLE_COLUMNS.join(', ')})
     SELECT ${WHOLE_COLUMNS.join(', ')} FROM json_populate_recordset(NULL::batches, $1::json)
   ), rows AS (
     INSERT INTO batch_rows (batch_id, number, items, row_refs, extra_columns)
     SELECT batch_id, 0, items, row_refs, extra_columns FROM json_populate_recordset(NULL::batch_rows, $2::json)
   )
   INSERT INTO batch_chunks (batch_id, number, partition, partitioned_by, size, items, duplicates, due_at, kept)
   SELECT batch_id, 0, partition, partitioned_by, size, items, duplicates, due_at, kept
     FROM json_populate_recordset(NULL::batch_chunks, $3::json)`,
);
