import type { EntityManager } from 'typeorm';
import { definePrepared } from '../../platform/database/prepared.js';
import { CHUNK_ENDS } from '../chunks/chunk.store.js';
import { type Batch, transition } from '../model/batch.js';
import { BATCH_COLUMNS, type BatchRow, toBatch, type VerdictCounts } from '../model/batch-row.js';
import { END } from '../model/batch.store.js';

/** The last pass of the last open chunk of a batch. */
interface LastPass {
  readonly number: number;
  readonly pass: number;
  readonly results: string;
  readonly counts: VerdictCounts;
  readonly creditsCharged: number;
}

/**
 * Stores the last pass of the last open chunk, closes the chunk, counts and completes the batch, in the order of locks: each step
 * reads what the one before has returned.
 * @returns null when the pass was stored before, the batch has ended, or other chunks are open: then the caller rolls back
 */
export async function storeLastPass(
  tx: EntityManager,
  id: number,
  { number, pass, results, counts, creditsCharged }: LastPass,
  at: Date,
): Promise<Batch | null> {
  const { valid, invalid, risky, unknown } = counts;
  const sums = [valid, invalid, risky, unknown, creditsCharged];
  const rows = await complete(tx, id, number, pass, results, ...sums, at);
  return rows.length > 0 ? toBatch(rows[0]!) : null;
}

const complete = definePrepared<BatchRow>(
  'completeBatch',
  `WITH running AS MATERIALIZED (
     SELECT id FROM batches WHERE id = $1 AND state IN ('queued', 'processing') AND open_chunks = 1 FOR KEY SHARE
   ), stored AS (
     INSERT INTO batch_results (batch_id, chunk, pass, results) SELECT id, $2::integer, $3::smallint, $4::text FROM running
     ON CONFLICT DO NOTHING RETURNING batch_id, chunk
   ), closed AS (
     UPDATE batch_chunks AS chunk
        SET ${CHUNK_ENDS}
       FROM stored WHERE chunk.batch_id = $1 AND chunk.number = stored.chunk
     RETURNING chunk.number
   )
   UPDATE batches
      SET state = '${transition('processing', 'complete')}', open_chunks = 0, valid = valid + $5, invalid = invalid + $6, risky = risky + $7,
          unknown = unknown + $8, credits_charged = credits_charged + $9, ${END('$10')}
     FROM closed WHERE id = $1 AND state IN ('queued', 'processing') AND open_chunks = 1
   RETURNING ${BATCH_COLUMNS}`,
);
