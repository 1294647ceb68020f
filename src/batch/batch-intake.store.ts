import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ChunkBlock, RowBlock } from './intake/packer.js';

/** Writes what was sent: a thousand addresses a row, many rows a statement. */
@Injectable()
export class BatchIntakeStore {
  async addRows(tx: EntityManager, batchId: number, blocks: readonly RowBlock[]): Promise<void> {
    if (blocks.length === 0) return;
    const values = blocks.flatMap(({ number, emails, places, cells }) => [
      number,
      JSON.stringify(emails),
      packPlaces(places),
      cells && JSON.stringify(cells),
    ]);
    await tx.query(
      `INSERT INTO batch_rows (batch_id, number, emails, places, cells) VALUES ${tuples(blocks.length, 4)}`,
      [batchId, ...values],
    );
  }

  async addChunks(tx: EntityManager, batchId: number, blocks: readonly ChunkBlock[], now: Date): Promise<void> {
    if (blocks.length === 0) return;
    const values = blocks.flatMap(({ number, bucket, emails }) => [
      number,
      bucket,
      emails.length,
      JSON.stringify(emails),
      now,
    ]);
    await tx.query(
      `INSERT INTO batch_chunks (batch_id, number, bucket, size, emails, due_at) VALUES ${tuples(blocks.length, 5)}`,
      [batchId, ...values],
    );
  }

  /** Known only when the last row has come. */
  async setRepeats(tx: EntityManager, batchId: number, repeats: ReadonlyMap<number, readonly number[]>): Promise<void> {
    if (repeats.size === 0) return;
    await tx.query(
      `UPDATE batch_chunks AS chunk SET repeats = known.repeats::integer[]
         FROM unnest($2::integer[], $3::text[]) AS known (number, repeats)
        WHERE chunk.batch_id = $1 AND chunk.number = known.number`,
      [batchId, [...repeats.keys()], [...repeats.values()].map((pairs) => `{${pairs.join(',')}}`)],
    );
  }
}

/** `($1, $2, $3), ($1, $4, $5)`: the batch's id is the first of each. */
function tuples(rows: number, columns: number): string {
  const tuple = (row: number) =>
    Array.from({ length: columns }, (_, column) => `$${row * columns + column + 2}`).join(', ');
  return Array.from({ length: rows }, (_, row) => `($1, ${tuple(row)})`).join(', ');
}

function packPlaces(places: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(places.length * 4);
  places.forEach((place, i) => bytes.writeInt32LE(place, i * 4));
  return bytes;
}
