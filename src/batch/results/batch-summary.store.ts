import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ReadDatabase } from '../../platform/database/read-database.js';
import type { BatchKindName } from '../model/batch.js';
import type { EndedMoment } from './results.store.js';
import type { BatchSummary } from './summary-tally.js';

/** Rows from which on a summary takes long enough to be made before somebody asks; the index `batches_large` has the same number. */
const MIN_LARGE_ROWS = 10_000;

/** A chunk with all that its summary is made of. */
interface CountedChunk {
  readonly number: number;
  readonly items: string;
  /** Pairs: offset of an item that was sent more than once, and how many further rows it answers. */
  readonly duplicates: readonly number[];
  /** Packed results of one pass; null: the chunk has none. */
  readonly results: string | null;
}

@Injectable()
export class BatchSummaryStore {
  constructor(
    private readonly database: DataSource,
    private readonly reads: ReadDatabase,
  ) {}

  /** @returns null when the batch has not ended or is gone; its summary is null when none is kept of its results as they are */
  async find(id: number): Promise<{ moment: EndedMoment; summary: BatchSummary | null } | null> {
    const [row]: (EndedMoment & { summary: string | null })[] = await this.database.query(
      `SELECT batch.finished_at::text AS "finishedAt", batch.erasures, kept.summary
         FROM batches AS batch
         LEFT JOIN batch_summaries AS kept
           ON kept.batch_id = batch.id AND kept.finished_at = batch.finished_at AND kept.erasures = batch.erasures
        WHERE batch.id = $1 AND batch.finished_at IS NOT NULL`,
      [id],
    );
    if (row === undefined) return null;
    const { summary, ...moment } = row;
    return { moment, summary: summary === null ? null : (JSON.parse(summary) as BatchSummary) };
  }

  /** Large batches of addresses that have ended since then, no address was erased from, and nobody has counted. */
  uncounted(
    since: Date,
    except: readonly number[],
    limit: number,
  ): Promise<{ id: number; accountId: string; kind: BatchKindName }[]> {
    return this.database.query(
      `SELECT id, account_id AS "accountId", kind FROM batches AS batch
        WHERE finished_at >= $1 AND kind = 'verify' AND total_rows >= ${MIN_LARGE_ROWS} AND erasures = 0 AND id <> ALL ($2::bigint[])
          AND NOT EXISTS (SELECT FROM batch_summaries WHERE batch_id = batch.id AND finished_at = batch.finished_at)
        ORDER BY finished_at LIMIT $3`,
      [since, except, limit],
    );
  }

  /** The next chunks by number, a row for each pass over one. */
  chunks(id: number, after: number, limit: number): Promise<CountedChunk[]> {
    return this.reads.query(
      `SELECT chunk.number, chunk.items, chunk.duplicates, pass.results
         FROM (SELECT * FROM batch_chunks WHERE batch_id = $1 AND number > $2 ORDER BY number LIMIT $3) AS chunk
         LEFT JOIN batch_results AS pass ON pass.batch_id = chunk.batch_id AND pass.chunk = chunk.number
        ORDER BY chunk.number, pass.pass`,
      [id, after, limit],
    );
  }

  /**
   * Keeps a summary until the batch is deleted or an address is erased from it. The lock waits for an erasure that has begun.
   * @returns false when the results are not those any more that it was made of
   */
  async keep(id: number, { finishedAt, erasures }: EndedMoment, summary: BatchSummary): Promise<boolean> {
    const rows: unknown[] = await this.database.query(
      `INSERT INTO batch_summaries (batch_id, finished_at, erasures, summary)
       SELECT id, finished_at, erasures, $4 FROM batches
        WHERE id = $1 AND finished_at = $2::timestamptz AND erasures = $3 FOR SHARE
       ON CONFLICT (batch_id) DO UPDATE
         SET finished_at = excluded.finished_at, erasures = excluded.erasures, summary = excluded.summary
       RETURNING batch_id`,
      [id, finishedAt, erasures, JSON.stringify(summary)],
    );
    return rows.length > 0;
  }
}
