import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { PageRequest } from '../platform/http/page.js';
import { type Batch, type BatchState, statesBefore, transition } from './model/batch.js';
import { BATCH_COLUMNS, type BatchRow, toBatch } from './model/batch-row.js';

/** Batches of all accounts. */
@Injectable()
export class BatchOverviewStore {
  constructor(private readonly database: DataSource) {}

  /** Newest first; one more than the page holds, when there are more. */
  async list(accountId: string | null, state: BatchState | null, { limit, after }: PageRequest): Promise<Batch[]> {
    const rows: BatchRow[] = await this.database.query(
      `SELECT ${BATCH_COLUMNS} FROM batches
        WHERE state <> 'receiving' AND ($1::uuid IS NULL OR account_id = $1) AND ($2::text IS NULL OR state = $2)
          AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::bigint))
        ORDER BY created_at DESC, id DESC LIMIT $5`,
      [accountId, state, after?.at, after?.id, limit + 1],
    );
    return rows.map(toBatch);
  }

  /** Counts the items without a final result. */
  async countOpen(tx: EntityManager, id: number): Promise<number> {
    const [row]: { count: number }[] = await tx.query(
      `SELECT coalesce(sum(coalesce(cardinality(offsets), size)), 0)::integer AS count
         FROM batch_chunks WHERE batch_id = $1 AND NOT done`,
      [id],
    );
    return row!.count;
  }

  /** Queues a failed batch again, for its open chunks. */
  async requeue(
    tx: EntityManager,
    id: number,
    { reservationId, creditSource, creditsReserved }: Pick<Batch, 'reservationId' | 'creditSource' | 'creditsReserved'>,
    at: Date,
  ): Promise<void> {
    await tx.query(
      `UPDATE batches SET state = $4, finished_at = NULL, expires_at = NULL, is_ordered = false, reservation_id = $2, credit_source = $3,
              credits_reserved = credits_charged + $6
        WHERE id = $1 AND state = ANY ($5)`,
      [id, reservationId, creditSource, transition('failed', 'retry'), statesBefore('retry'), creditsReserved],
    );
    // They lack what is found from now on.
    await tx.query('DELETE FROM batch_ordered_results WHERE batch_id = $1', [id]);
    await tx.query(
      `UPDATE batch_chunks SET due_at = $2, lease_owner = NULL, worker_id = NULL, lease_expires_at = NULL, attempts = 0
        WHERE batch_id = $1 AND NOT done`,
      [id, at],
    );
  }
}
