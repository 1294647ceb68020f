import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ChunkBlock, RowBlock } from './intake/blocks.js';

/** Of a statement: about a megabyte. */
const BLOCKS_AT_ONCE = 32;

/** Writes what was sent: a thousand addresses a row, many rows a statement. */
@Injectable()
export class BatchIntakeStore {
  async addRows(tx: EntityManager, batchId: number, blocks: readonly RowBlock[]): Promise<void> {
    for (const some of statements(blocks)) {
      const values = some.flatMap(({ number, emails, places, cells }) => [number, emails, places, cells]);
      const text = `INSERT INTO batch_rows (batch_id, number, emails, places, cells) VALUES ${tuples(some.length, 4)}`;
      await tx.query(text, [batchId, ...values]);
    }
  }

  async addChunks(tx: EntityManager, batchId: number, blocks: readonly ChunkBlock[], now: Date): Promise<void> {
    for (const some of statements(blocks)) {
      const values = some.flatMap(({ number, bucket, size, emails }) => [number, bucket, size, emails, now]);
      const text = `INSERT INTO batch_chunks (batch_id, number, bucket, size, emails, due_at) VALUES ${tuples(some.length, 5)}`;
      await tx.query(text, [batchId, ...values]);
    }
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
      if (known.length === BLOCKS_AT_ONCE) await write();
    }
    if (known.length > 0) await write();
  }
}

function* statements<Block>(blocks: readonly Block[]): Generator<readonly Block[]> {
  for (let i = 0; i < blocks.length; i += BLOCKS_AT_ONCE) yield blocks.slice(i, i + BLOCKS_AT_ONCE);
}

/** `($1, $2, $3), ($1, $4, $5)`: the batch's id is the first of each. */
function tuples(rows: number, columns: number): string {
  const tuple = (row: number) =>
    Array.from({ length: columns }, (_, column) => `$${row * columns + column + 2}`).join(', ');
  return Array.from({ length: rows }, (_, row) => `($1, ${tuple(row)})`).join(', ');
}
