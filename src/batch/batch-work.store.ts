import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { definePrepared } from '../platform/database/prepared.js';
import { IS_UNGROUPED } from './batch-chunks.store.js';
import { SUSPECT_AFTER } from './beginnings.js';

/** What a worker asks before it takes chunks. */
@Injectable()
export class BatchWorkStore {
  constructor(private readonly database: DataSource) {}

  /**
   * The batches that are next: first those of the account that has the fewest chunks in work, so that a small batch never waits for the
   * end of a huge one, whoever sent it.
   * @param exceptAccounts whose chunks are not wanted now
   * @param mayGroup chunks that are to be grouped count as well
   * @returns their ids; none when no chunk may be taken
   */
  async nextBatches(now: Date, exceptAccounts: readonly string[], mayGroup: boolean, limit: number): Promise<number[]> {
    const rows = await batchesInTurn(this.database.manager, now, exceptAccounts, mayGroup, limit);
    return rows.map(({ id }) => id);
  }

  /** Those of the batches that still run: not cancelled, failed or deleted. */
  async running(ids: readonly number[]): Promise<Set<number>> {
    const rows: { id: number }[] = await this.database.query(
      `SELECT id FROM batches WHERE id = ANY ($1) AND finished_at IS NULL`,
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }
}

const batchesInTurn = definePrepared<{ readonly id: number }>(
  'batchesInTurn',
  `WITH open AS (
     SELECT batch_id,
            count(*) FILTER (WHERE due_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)
                               AND begun < ${SUSPECT_AFTER} AND ($3 OR NOT (${IS_UNGROUPED}))) AS free,
            count(*) FILTER (WHERE leased_until > $1) AS held
       FROM batch_chunks
      WHERE NOT done AND batch_id IN (SELECT id FROM batches WHERE finished_at IS NULL AND state <> 'receiving')
      GROUP BY batch_id
   ), turns AS (
     SELECT id, account_id, created_at, free, held, sum(held) OVER (PARTITION BY account_id) AS held_of_account
       FROM open JOIN batches ON id = batch_id
   )
   SELECT id FROM turns WHERE free > 0 AND account_id <> ALL ($2::uuid[])
    ORDER BY held_of_account, held, created_at LIMIT $4`,
);
