import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PackedPass } from '../results/results.store.js';
import type { RetryPass } from '../model/retry-window.js';
import { LEASE_ENDS } from './chunk.store.js';
import { type ChunkRow, LEASED_COLUMNS, type LeasedChunk, toChunk } from './leased-chunk.js';

/** A chunk that the transaction has locked, with what is stored of it. */
export interface LockedChunk {
  readonly chunk: LeasedChunk;
  readonly isDone: boolean;
  readonly dueAt: Date;
  /** The first one first. */
  readonly passes: readonly PackedPass[];
}

/** The next pass of a chunk that is reopened. */
interface ReopenedChunk {
  /** The number by which its results will be stored. */
  readonly pass: number;
  readonly next: RetryPass;
  /** Offsets of all its items that were refunded. */
  readonly free: readonly number[];
}

/** Reads chunks of one batch, which the transaction has locked, and opens them again. */
@Injectable()
export class ReopenedItemsStore {
  async lock(tx: EntityManager, id: number, number: number): Promise<LockedChunk | null> {
    const rows: (ChunkRow & { done: boolean; due_at: Date })[] = await tx.query(
      `SELECT ${LEASED_COLUMNS}, done, due_at FROM batch_chunks WHERE batch_id = $1 AND number = $2 FOR UPDATE`,
      [id, number],
    );
    const [row] = rows;
    if (row === undefined) return null;
    const passes: PackedPass[] = await tx.query(
      'SELECT pass, results FROM batch_results WHERE batch_id = $1 AND chunk = $2 ORDER BY pass',
      [id, number],
    );
    return { chunk: toChunk(row), isDone: row.done, dueAt: row.due_at, passes };
  }

  /** Stores the results of a pass that is not worked to its end: a worker that commits it later finds it stored. */
  async take(tx: EntityManager, id: number, number: number, { pass, results }: PackedPass): Promise<void> {
    await tx.query('INSERT INTO batch_results (batch_id, chunk, pass, results) VALUES ($1, $2, $3, $4)', [
      id,
      number,
      pass,
      results,
    ]);
  }

  /** What waits for half of the window, and for its source, goes on waiting. */
  async reopen(tx: EntityManager, id: number, number: number, { pass, next, free }: ReopenedChunk): Promise<void> {
    await tx.query(
      `UPDATE batch_chunks
          SET done = false, pass = $3, taken_passes = $4, due_at = $5, window_ends_at = $6, offsets = $7, waiting_counts = $8,
              free_offsets = $9, ${LEASE_ENDS}
        WHERE batch_id = $1 AND number = $2`,
      [id, number, pass, pass - next.pass, next.dueAt, next.windowEndsAt, next.offsets, next.waiting, free],
    );
  }

  async setFree(tx: EntityManager, id: number, number: number, free: readonly number[]): Promise<void> {
    await tx.query('UPDATE batch_chunks SET free_offsets = $3 WHERE batch_id = $1 AND number = $2', [id, number, free]);
  }
}
