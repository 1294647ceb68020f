import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { IS_BY_DOMAIN, type Lease } from './chunk.store.js';

/** The most chunks that a worker repartitions together: it has all their items in memory. */
const MAX_CHUNKS = 640;
/** Chunks read by one statement, few enough that its reply stays small. */
const CHUNK_PAGE_SIZE = 32;

/** One item of a partition by operator; its domain tells the partition's operator. */
interface PartitionSample {
  readonly partition: number;
  readonly item: string;
}

interface LeasedItems {
  readonly number: number;
  /** JSON. */
  readonly items: string;
  readonly kept: Buffer | null;
}

interface BlockRowRefs {
  readonly number: number;
  readonly rowRefs: Buffer;
}

/** The chunks of a large batch before and after they are repartitioned by mail operator. */
@Injectable()
export class RepartitionStore {
  constructor(private readonly database: DataSource) {}

  /** Leases the batch's chunks by domain. @returns how many; 0 when other workers have leased all of them */
  async lease(batchId: number, { owner, workerId, now, othersEndedBy = now, expiresAt }: Lease): Promise<number> {
    // SKIP LOCKED is left out on purpose: with it two workers that look at once would share the chunks one by one.
    const [, leased]: [unknown, number] = await this.database.query(
      `UPDATE batch_chunks SET lease_owner = $2, worker_id = $3, lease_expires_at = $5, attempts = attempts + 1
        WHERE batch_id = $1 AND number = ANY (ARRAY(
          SELECT number FROM batch_chunks
           WHERE batch_id = $1 AND NOT done AND ${IS_BY_DOMAIN}
             AND due_at <= $4 AND (lease_expires_at IS NULL OR lease_expires_at <= $6)
           ORDER BY number LIMIT ${MAX_CHUNKS} FOR UPDATE))`,
      [batchId, owner, workerId, now, expiresAt, othersEndedBy],
    );
    return leased;
  }

  /** The leased chunks, a page of them at a time. */
  async *leasedItems(batchId: number, leaseOwner: string): AsyncGenerator<LeasedItems> {
    let after = -1;
    for (;;) {
      const rows: LeasedItems[] = await this.database.query(
        `SELECT number, items, kept FROM batch_chunks
          WHERE batch_id = $1 AND number > $3 AND NOT done AND partitioned_by = 'domain' AND lease_owner = $2
          ORDER BY number LIMIT ${CHUNK_PAGE_SIZE}`,
        [batchId, leaseOwner, after],
      );
      if (rows.length === 0) return;
      yield* rows;
      after = rows.at(-1)!.number;
    }
  }

  /** A sample of each partition by operator, and the highest number of any partition. */
  async partitions(batchId: number): Promise<{ samples: PartitionSample[]; highest: number }> {
    const rows: { partition: number; items: string | null }[] = await this.database.query(
      `SELECT first.partition, items
         FROM (SELECT partition, min(number) FILTER (WHERE partitioned_by = 'operator') AS number
                 FROM batch_chunks WHERE batch_id = $1 GROUP BY partition) AS first
         LEFT JOIN batch_chunks AS chunk ON chunk.batch_id = $1 AND chunk.number = first.number`,
      [batchId],
    );
    const samples = rows.flatMap(({ partition, items }) =>
      items === null ? [] : [{ partition, item: (JSON.parse(items) as string[])[0]! }],
    );
    return { samples, highest: Math.max(-1, ...rows.map(({ partition }) => partition)) };
  }

  /** Locks the batch against deletion and against workers that repartition its other chunks. False when it no longer runs. */
  async lock(tx: EntityManager, batchId: number): Promise<boolean> {
    // The lock is on the first row of `batch_rows`, because every commit of results updates the row of `batches`.
    const rows: unknown[] = await tx.query(
      `SELECT FROM batches JOIN batch_rows ON batch_id = id AND number = 0
        WHERE id = $1 AND finished_at IS NULL FOR KEY SHARE OF batches FOR UPDATE OF batch_rows`,
      [batchId],
    );
    return rows.length > 0;
  }

  /** Removes the leased chunks. @returns how many: fewer than the worker has read when its lease was lost */
  async remove(tx: EntityManager, batchId: number, leaseOwner: string): Promise<number> {
    const [, removed]: [unknown, number] = await tx.query(
      `DELETE FROM batch_chunks WHERE batch_id = $1 AND NOT done AND partitioned_by = 'domain' AND lease_owner = $2`,
      [batchId, leaseOwner],
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

  /** The row refs of a page of blocks. @param from number of the first block */
  rowRefs(tx: EntityManager, batchId: number, from: number, blocks: number): Promise<BlockRowRefs[]> {
    return tx.query(
      `SELECT number, row_refs AS "rowRefs" FROM batch_rows
        WHERE batch_id = $1 AND number >= $2 AND number < $2 + $3::integer ORDER BY number`,
      [batchId, from, blocks],
    );
  }

  async setRowRefs(tx: EntityManager, batchId: number, blocks: readonly BlockRowRefs[]): Promise<void> {
    if (blocks.length === 0) return;
    await tx.query(
      `UPDATE batch_rows AS row SET row_refs = moved.row_refs
         FROM unnest($2::integer[], $3::bytea[]) AS moved (number, row_refs)
        WHERE row.batch_id = $1 AND row.number = moved.number`,
      [batchId, blocks.map(({ number }) => number), blocks.map(({ rowRefs }) => rowRefs)],
    );
  }
}
