import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Answer, ChangedAnswer } from '../../batch/ended/batch-again.service.js';
import { ReadDatabase } from '../../platform/database/read-database.js';

/** Changes stored by one statement. */
const CHANGE_PAGE_SIZE = 1_000;

interface ChangeRow {
  readonly ref: number;
  readonly before_verdict: Answer['verdict'];
  readonly before_reason: string;
  readonly after_verdict: Answer['verdict'];
  readonly after_reason: string;
}

/** What runs found changed. */
@Injectable()
export class ListChangesStore {
  constructor(private readonly reads: ReadDatabase) {}

  /** @returns how many */
  async add(tx: EntityManager, batchId: number, changes: AsyncIterable<ChangedAnswer>): Promise<number> {
    let count = 0;
    let page: ChangedAnswer[] = [];
    const write = async () => {
      if (page.length === 0) return;
      await tx.query(
        `INSERT INTO list_changes (batch_id, ref, before_verdict, before_reason, after_verdict, after_reason)
         SELECT $1, * FROM unnest($2::integer[], $3::text[], $4::text[], $5::text[], $6::text[])`,
        [
          batchId,
          page.map(({ ref }) => ref),
          page.map(({ before }) => before.verdict),
          page.map(({ before }) => before.reason),
          page.map(({ after }) => after.verdict),
          page.map(({ after }) => after.reason),
        ],
      );
      count += page.length;
      page = [];
    };
    for await (const change of changes) if (page.push(change) === CHANGE_PAGE_SIZE) await write();
    await write();
    return count;
  }

  /** By their places. @param after the place behind which to begin */
  async find(batchId: number, after: number, limit: number): Promise<ChangedAnswer[]> {
    const rows: ChangeRow[] = await this.reads.query(
      `SELECT ref, before_verdict, before_reason, after_verdict, after_reason FROM list_changes
        WHERE batch_id = $1 AND ref > $2 ORDER BY ref LIMIT $3`,
      [batchId, after, limit],
    );
    return rows.map(({ ref, ...row }) => ({
      ref,
      before: { verdict: row.before_verdict, reason: row.before_reason },
      after: { verdict: row.after_verdict, reason: row.after_reason },
    }));
  }
}
