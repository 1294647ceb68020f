import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Owner } from '../../keys/access/owner.js';
import { lockErasures } from './batch-erasure.service.js';

/** Copies what was sent in a batch. */
@Injectable()
export class BatchAgainStore {
  /** Copies all rows and chunks; the numbers of chunks and the places of items in them stay. */
  async copy(tx: EntityManager, from: number, to: number, at: Date): Promise<void> {
    await tx.query(
      `INSERT INTO batch_rows (batch_id, number, items, row_refs, extra_columns)
       SELECT $2, number, items, row_refs, extra_columns FROM batch_rows WHERE batch_id = $1`,
      [from, to],
    );
    // By operator: these chunks are never repartitioned, so that items stay where they are in every version.
    await tx.query(
      `INSERT INTO batch_chunks (batch_id, number, partition, partitioned_by, size, items, duplicates, due_at)
       SELECT $2, number, partition, 'operator', size, items, duplicates, $3 FROM batch_chunks WHERE batch_id = $1`,
      [from, to, at],
    );
  }

  /**
   * Keeps the erasures of an owner from beginning and from going on until the transaction ends: what begins later finds the copy by itself
   * (`privacy`). Taken before any batch is locked, because erasures lock themselves before their batches.
   */
  async holdErasures(tx: EntityManager, owner: Owner): Promise<void> {
    await lockErasures(tx, owner);
    const open = 'SELECT FROM erasures WHERE account_id = $1 AND simulated = $2 AND finished_at IS NULL FOR KEY SHARE';
    await tx.query(open, [owner.accountId, owner.simulated]);
  }

  /** Erasures that have still to look through a batch look through its copy, too. */
  async inheritErasures(tx: EntityManager, from: number, to: number): Promise<void> {
    await tx.query(
      `INSERT INTO erasure_batches (erasure_id, batch_id) SELECT erasure_id, $2 FROM erasure_batches WHERE batch_id = $1`,
      [from, to],
    );
  }

  async chunkNumbers(tx: EntityManager, id: number): Promise<number[]> {
    const rows: { number: number }[] = await tx.query(
      'SELECT number FROM batch_chunks WHERE batch_id = $1 ORDER BY number',
      [id],
    );
    return rows.map(({ number }) => number);
  }

  /** The items of these chunks, by number. */
  async items(tx: EntityManager, id: number, numbers: readonly number[]): Promise<Map<number, readonly string[]>> {
    const rows: { number: number; items: string }[] = await tx.query(
      'SELECT number, items FROM batch_chunks WHERE batch_id = $1 AND number = ANY ($2)',
      [id, numbers],
    );
    return new Map(rows.map(({ number, items }) => [number, JSON.parse(items) as string[]]));
  }
}
