import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Ids from the first one to below the end. */
export interface IdRange {
  readonly firstId: number;
  readonly endId: number;
}

/** Batches whose time is over. */
@Injectable()
export class ExpiredBatchesStore {
  constructor(private readonly database: DataSource) {}

  /**
   * Deletes batches whose retention is over, held ones whose time is over, and batches whose upload died.
   * @param leftTo only batches of these ids, whose rows, chunks and results stay for their partitions to end; null: all, with these
   * @returns how many
   */
  async delete(now: Date, uploadsBefore: Date, limit: number, leftTo: readonly IdRange[] | null): Promise<number> {
    return this.database.transaction(async (tx) => {
      if (leftTo !== null) await tx.query(`SELECT set_config('mailsonde.leave_parts', 'on', true)`);
      const [, deleted]: [unknown, number] = await tx.query(
        `DELETE FROM batches WHERE id = ANY (ARRAY(
           SELECT id FROM batches
            WHERE (expires_at <= $1 OR (state = 'receiving' AND created_at <= $2))
              AND ($4::bigint[] IS NULL OR EXISTS (
                SELECT FROM unnest($4, $5::bigint[]) AS part (first_id, end_id) WHERE id >= first_id AND id < end_id))
            ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED))`,
        [now, uploadsBefore, limit, leftTo?.map(({ firstId }) => firstId), leftTo?.map(({ endId }) => endId)],
      );
      return deleted;
    });
  }
}
