import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { copyIn, int2, int4, int8, timestamptz } from '../platform/database/copy-in.js';
import type { ChunkBlock, RowBlock } from './intake/blocks.js';

/** Of a statement that counts repeated addresses: a quarter of a megabyte. */
const CHUNKS_AT_ONCE = 32;

/** Writes what was sent: a thousand addresses a row, many rows a statement. */
@Injectable()
export class BatchIntakeStore {
  async addRows(tx: EntityManager, batchId: number, blocks: readonly RowBlock[]): Promise<void> {
    if (blocks.length === 0) return;
    const id = int8(batchId);
    const rows = blocks.map(({ number, emails, places, cells }) => [id, int4(number), emails, places, cells]);
    await copyIn(tx, 'batch_rows (batch_id, number, emails, places, cells)', rows);
  }

  async addChunks(tx: EntityManager, batchId: number, blocks: readonly ChunkBlock[], now: Date): Promise<void> {
    if (blocks.length === 0) return;
    const id = int8(batchId);
    const due = timestamptz(now);
    const rows = blocks.map(({ number, bucket, size, emails }) => [
      id,
      int4(number),
      int2(bucket),
      int2(size),
      emails,
      due,
    ]);
    await copyIn(tx, 'batch_chunks (batch_id, number, bucket, size, emails, due_at)', rows);
  }

  /** Known only when the last row has come. */
  async setRepeats(
    tx: EntityManager,
    batchId: number,
    repeats: Iterable<readonly [chunk: number, pairs: readonly number[]]>,
  ): Promise<void> {
    let known: [chunk: number, pairs: string][] = [];
    const write = async () => {
      await tx.query(
        `UPDATE batch_chunks AS chunk SET repeats = known.repeats::integer[]
           FROM unnest($2::integer[], $3::text[]) AS known (number, repeats)
          WHERE chunk.batch_id = $1 AND chunk.number = known.number`,
        [batchId, known.map(([chunk]) => chunk), known.map(([, pairs]) => pairs)],
      );
      known = [];
    };
    for (const [chunk, pairs] of repeats) {
      known.push([chunk, `{${pairs.join(',')}}`]);
      if (known.length === CHUNKS_AT_ONCE) await write();
    }
    if (known.length > 0) await write();
  }
}
