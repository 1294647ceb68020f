import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { copyIn, int2, int4, int8, timestamptz } from '../../platform/database/copy-in.js';
import { definePrepared } from '../../platform/database/prepared.js';
import {
  NEW_COLUMNS,
  type NewBatch,
  newValues,
  parameters,
  RECEIVED_COLUMNS,
  type ReceivedBatch,
  receivedValues,
} from '../model/batch-row.js';
import type { ChunkBlock, RowBlock } from './packing/blocks.js';

/** Chunks whose duplicates one statement stores: a quarter of a megabyte. */
const CHUNK_PAGE_SIZE = 32;

/** An upload with one block of rows and one chunk. */
export interface WholeUpload {
  readonly rows: RowBlock;
  readonly chunk: ChunkBlock;
  /** Pairs: the offset of an item that was sent more than once, and how many further rows it answers. */
  readonly duplicates: readonly number[];
}

/** A whole upload, with the verdicts that its items are given again. */
export interface WholeBatch extends WholeUpload {
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

  /** Stores a small batch as a whole and queues it. */
  async addWhole(
    tx: EntityManager,
    batch: NewBatch,
    received: ReceivedBatch,
    { rows, chunk, duplicates, kept }: WholeBatch,
  ): Promise<void> {
    await insertWhole(
      tx,
      ...newValues(batch),
      ...receivedValues(received),
      rows.items,
      rows.rowRefs,
      rows.extraColumns,
      chunk.partition,
      chunk.partitionedBy,
      chunk.size,
      chunk.items,
      duplicates,
      kept,
    );
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

const BATCH = [...NEW_COLUMNS, ...RECEIVED_COLUMNS];
const [items, rowRefs, extraColumns, ...chunk] = parameters(9, BATCH.length + 1);
const [partition, partitionedBy, size, chunkItems, duplicates, kept] = chunk;

const insertWhole = definePrepared(
  'insertWholeBatch',
  `WITH batch AS (
     INSERT INTO batches (${BATCH.join(', ')}) VALUES (${parameters(BATCH.length).join(', ')}) RETURNING id, created_at
   ), rows AS (
     INSERT INTO batch_rows (batch_id, number, items, row_refs, extra_columns)
     SELECT id, 0, ${items}, ${rowRefs}, ${extraColumns} FROM batch
   )
   INSERT INTO batch_chunks (batch_id, number, partition, partitioned_by, size, items, duplicates, due_at, kept)
   SELECT id, 0, ${partition}::smallint, ${partitionedBy}, ${size}::smallint, ${chunkItems}, ${duplicates}::integer[], created_at,
          ${kept}
     FROM batch`,
);
