import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ADDRESSES } from '../model/batch-kind.js';
import { BatchStore } from '../model/batch.store.js';
import { ALL_ROWS } from '../model/chunk-result.js';
import { ResultEncoder } from '../model/result-codec.js';
import { CHUNK_SIZE } from '../model/row-ref.js';
import { type ResultRow, ResultsService } from './results.service.js';
import { type BlockMarks, type EndedMoment, marksOf } from './results.store.js';

/** The results of a block of rows as they are stored: those of a chunk whose items are its rows, and what they can be found by. */
interface OrderedBlock {
  readonly number: number;
  /** JSON: by place in the block, what was verified; empty for a row without a result. */
  readonly items: string;
  /** Packed. */
  readonly results: string;
  readonly marks: BlockMarks;
}

/** Packs the rows of one block that have a result. Nothing is left to be known of duplicates: each row's result is its own. */
export function orderedBlock(number: number, rows: Iterable<ResultRow>): OrderedBlock {
  const encoder = new ResultEncoder();
  const items: string[] = [];
  for (const { position, result } of rows) {
    const offset = position % CHUNK_SIZE;
    while (items.length < offset) items.push('');
    items.push(result.verification.email);
    encoder.add({ ...result, offset });
  }
  const results = encoder.toString();
  return { number, items: JSON.stringify(items), results, marks: marksOf(ADDRESSES.decode(results, items)) };
}

/** Rows from which on a batch has so many chunks that its results are put in order; the index `batches_large` has the same number. */
const MIN_LARGE_ROWS = 10_000;

/** Puts the results of a large batch in the order of its rows, so that a page of them is read from one place instead of fifty. */
@Injectable()
export class OrderedResultsService {
  constructor(
    private readonly database: DataSource,
    private readonly batches: BatchStore,
    private readonly results: ResultsService,
  ) {}

  /**
   * Goes on where the last one has stopped, and begins a block again from which an address was erased meanwhile.
   * @param signal gives up: rejects with its reason, and what is kept stays
   */
  async write(id: number, signal?: AbortSignal): Promise<void> {
    for (;;) {
      const moment = await this.moment(id);
      const batch = await this.batches.find(id);
      if (moment === null || batch === null) return;
      let number = await this.firstMissing(id);
      let isAsItWas = true;
      for await (const rows of this.results.read(batch, { ...ALL_ROWS, from: number * CHUNK_SIZE, isPartial: false })
        .blocks) {
        signal?.throwIfAborted();
        isAsItWas = await this.keep(id, moment, orderedBlock(number, rows));
        if (!isAsItWas) break;
        number += 1;
      }
      if (isAsItWas) return await this.finish(id, moment);
    }
  }

  /** Large batches of addresses that have ended since then and are not in order yet. */
  unordered(since: Date, except: readonly number[], limit: number): Promise<{ id: number }[]> {
    return this.database.query(
      `SELECT id FROM batches
        WHERE finished_at >= $1 AND kind = 'verify' AND total_rows >= ${MIN_LARGE_ROWS} AND NOT is_ordered AND id <> ALL ($2::bigint[])
        ORDER BY finished_at LIMIT $3`,
      [since, except, limit],
    );
  }

  /** @returns null when the batch has not ended, is gone or is in order */
  async moment(id: number): Promise<EndedMoment | null> {
    const [row]: EndedMoment[] = await this.database.query(
      `SELECT finished_at::text AS "finishedAt", erasures FROM batches
        WHERE id = $1 AND finished_at IS NOT NULL AND NOT is_ordered`,
      [id],
    );
    return row ?? null;
  }

  /** The first block that is missing, as all behind it are: blocks are kept in their order. */
  private async firstMissing(id: number): Promise<number> {
    const [row]: { next: number }[] = await this.database.query(
      'SELECT coalesce(max(block) + 1, 0) AS next FROM batch_ordered_results WHERE batch_id = $1',
      [id],
    );
    return row!.next;
  }

  /**
   * Keeps a block until the batch is deleted or begun again. The lock waits for an erasure that has begun.
   * @returns false when the results are not those any more that it was made of
   */
  async keep(id: number, { finishedAt, erasures }: EndedMoment, block: OrderedBlock): Promise<boolean> {
    const { number, items, results, marks } = block;
    const rows: unknown[] = await this.database.query(
      `INSERT INTO batch_ordered_results (batch_id, block, items, results, facts, domains)
       SELECT id, $4::integer, $5::text, $6::text, $7::text, $8::integer[] FROM batches
        WHERE id = $1 AND finished_at = $2::timestamptz AND erasures = $3 FOR SHARE
       ON CONFLICT (batch_id, block) DO UPDATE
         SET items = excluded.items, results = excluded.results, facts = excluded.facts, domains = excluded.domains
       RETURNING block`,
      [id, finishedAt, erasures, number, items, results, marks.facts, marks.domains],
    );
    return rows.length > 0;
  }

  /** Has the results read in their order from now on, when all blocks are kept. */
  private async finish(id: number, { finishedAt }: EndedMoment): Promise<void> {
    await this.database.query(
      `UPDATE batches SET is_ordered = true
        WHERE id = $1 AND finished_at = $2::timestamptz
          AND (total_rows + ${CHUNK_SIZE - 1}) / ${CHUNK_SIZE}
              = (SELECT count(*) FROM batch_ordered_results WHERE batch_id = id)`,
      [id, finishedAt],
    );
  }
}
