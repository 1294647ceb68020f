import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { IS_UNGROUPED, type Lease } from './batch-chunks.store.js';

/** Chunks grouped together: their addresses are in memory, 20 MB for those of common length. */
const MOST_CHUNKS = 640;
/** Chunks read at once: a megabyte. */
const CHUNKS_AT_ONCE = 32;

/** Where a bucket's addresses go: one of them tells. */
export interface BucketSample {
  readonly bucket: number;
  readonly email: string;
}

export interface PlacesOfRows {
  readonly number: number;
  readonly places: Buffer;
}

/** Chunks of a large batch before and after their addresses are put together by mail operator. */
@Injectable()
export class BatchGroupingStore {
  constructor(private readonly database: DataSource) {}

  /** Leases what of the batch is not grouped yet. @returns how many chunks; none when others are at all of them */
  async take(batchId: number, { holder, worker, now, until }: Lease): Promise<number> {
    // Not by SKIP LOCKED, by which two that look at once would share them chunk by chunk.
    const [, taken]: [unknown, number] = await this.database.query(
      `UPDATE batch_chunks SET holder = $2, worker = $3, leased_until = $5, begun = begun + 1
        WHERE batch_id = $1 AND number IN (
          SELECT number FROM batch_chunks
           WHERE batch_id = $1 AND NOT done AND ${IS_UNGROUPED}
             AND due_at <= $4 AND (leased_until IS NULL OR leased_until <= $4)
           ORDER BY number LIMIT ${MOST_CHUNKS} FOR UPDATE)`,
      [batchId, holder, worker, now, until],
    );
    return taken;
  }

  /** The addresses of what the holder has taken, as JSON, a part of the chunks at a time. */
  async *addresses(batchId: number, holder: string): AsyncGenerator<readonly [chunk: number, emails: string]> {
    let after = -1;
    for (;;) {
      const rows: { number: number; emails: string }[] = await this.database.query(
        `SELECT number, emails FROM batch_chunks
          WHERE batch_id = $1 AND number > $3 AND NOT done AND bucket < 0 AND holder = $2
          ORDER BY number LIMIT ${CHUNKS_AT_ONCE}`,
        [batchId, holder, after],
      );
      if (rows.length === 0) return;
      for (const { number, emails } of rows) yield [number, emails];
      after = rows.at(-1)!.number;
    }
  }

  /** An address of each bucket that is grouped. */
  async samples(batchId: number): Promise<BucketSample[]> {
    const rows: { bucket: number; emails: string }[] = await this.database.query(
      `SELECT bucket, emails
         FROM batch_chunks JOIN (
           SELECT min(number) AS number FROM batch_chunks WHERE batch_id = $1 AND bucket >= 0 GROUP BY bucket
         ) AS first USING (number)
        WHERE batch_id = $1`,
      [batchId],
    );
    return rows.map(({ bucket, emails }) => ({ bucket, email: (JSON.parse(emails) as string[])[0]! }));
  }

  /** Holds off whoever would delete the batch, or group another part of it. False when it no longer runs. */
  async lock(tx: EntityManager, batchId: number): Promise<boolean> {
    // Not by the row in `batches`, which everybody needs who stores results.
    const rows: unknown[] = await tx.query(
      `SELECT FROM batches JOIN batch_rows ON batch_id = id AND number = 0
        WHERE id = $1 AND finished_at IS NULL FOR KEY SHARE OF batches FOR UPDATE OF batch_rows`,
      [batchId],
    );
    return rows.length > 0;
  }

  /** Removes what the holder has taken. @returns how many chunks that were */
  async remove(tx: EntityManager, batchId: number, holder: string): Promise<number> {
    const [, removed]: [unknown, number] = await tx.query(
      'DELETE FROM batch_chunks WHERE batch_id = $1 AND NOT done AND bucket < 0 AND holder = $2',
      [batchId, holder],
    );
    return removed;
  }

  async highestNumber(tx: EntityManager, batchId: number): Promise<number> {
    const [row]: [{ number: number }] = await tx.query(
      'SELECT max(number) AS number FROM batch_chunks WHERE batch_id = $1',
      [batchId],
    );
    return row.number;
  }

  /** Where the rows of these blocks are verified. @param from number of the first */
  places(tx: EntityManager, batchId: number, from: number, blocks: number): Promise<PlacesOfRows[]> {
    return tx.query(
      `SELECT number, places FROM batch_rows
        WHERE batch_id = $1 AND number >= $2 AND number < $2 + $3::integer ORDER BY number`,
      [batchId, from, blocks],
    );
  }

  async setPlaces(tx: EntityManager, batchId: number, blocks: readonly PlacesOfRows[]): Promise<void> {
    if (blocks.length === 0) return;
    await tx.query(
      `UPDATE batch_rows AS row SET places = moved.places
         FROM unnest($2::integer[], $3::bytea[]) AS moved (number, places)
        WHERE row.batch_id = $1 AND row.number = moved.number`,
      [batchId, blocks.map(({ number }) => number), blocks.map(({ places }) => places)],
    );
  }
}
