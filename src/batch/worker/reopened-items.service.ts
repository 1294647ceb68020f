import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ENV, type Env } from '../../platform/config/env.js';
import { isFinished } from '../model/batch.js';
import { ADDRESSES } from '../model/batch-kind.js';
import { BatchStore } from '../model/batch.store.js';
import { RetryWindow } from '../model/retry-window.js';
import { chunkOfRowRef, offsetOfRowRef, type RowRef } from '../model/row-ref.js';
import type { ChunkResult } from '../model/chunk-result.js';
import { ResultEncoder } from '../model/result-codec.js';
import { type PackedPass, setResults } from '../results/results.store.js';
import { LEASE_ENDS } from './chunk.store.js';
import { type ChunkRow, LEASED_COLUMNS, type LeasedChunk, toChunk } from './leased-chunk.js';

/** A chunk that the transaction has locked, with what is stored of it. */
interface LockedChunk {
  readonly chunk: LeasedChunk;
  readonly isDone: boolean;
  readonly dueAt: Date;
  /** The first one first. */
  readonly passes: readonly PackedPass[];
}

/** An answer of a batch of addresses that turned out to be false. */
interface FalseAnswer {
  readonly row: { readonly ref: RowRef };
  /** When it was found: it tells the answer from later ones to the same item. */
  readonly at: number;
  readonly credits: number;
}

interface TakenAnswers<Answer extends FalseAnswer> {
  /** Those that are to be refunded: the others had been taken back before. */
  readonly answers: readonly Answer[];
  /** How many of them workers will replace before the batch ends. */
  readonly askedAgain: number;
}

/**
 * Takes false answers out of batches. In a batch that runs, their items lose their results and their charge, and workers ask about them
 * again for nothing. In a batch that has ended they stay, and are only marked as refunded.
 *
 * A chunk may be in the hands of a worker at that time. Its pass is taken from it: an empty result is stored by the number of the pass, so what
 * the worker commits later counts for nothing, and the next pass has the items of both. Such passes are no tries of the retry window, so
 * that no item loses a retry by it.
 */
@Injectable()
export class ReopenedItemsService {
  constructor(
    private readonly batches: BatchStore,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /**
   * Locks the batch, which waits for commits of its results under way and holds up later ones, and then its chunks. A caller with several
   * batches calls it in the order of their ids, and locks credits after it.
   * @param answers of one batch
   */
  async takeBack<Answer extends FalseAnswer>(
    tx: EntityManager,
    batchId: number,
    answers: readonly Answer[],
    now: number,
  ): Promise<TakenAnswers<Answer>> {
    const batch = await this.batches.lock(tx, batchId);
    if (batch === null) return { answers, askedAgain: 0 };
    const window = new RetryWindow(batch.retryWindowSeconds ?? this.env.batchRetryWindowSeconds);
    const isRunning = !isFinished(batch.state);
    const taken: Answer[] = [];
    for (const [number, some] of byChunk(answers)) {
      const locked = await this.lock(tx, batchId, number);
      if (locked === null) continue;
      taken.push(
        ...(isRunning ? await this.reopen(tx, locked, some, window, now) : await this.markRefunded(tx, locked, some)),
      );
    }
    return { answers: taken, askedAgain: isRunning ? taken.length : 0 };
  }

  private async reopen<Answer extends FalseAnswer>(
    tx: EntityManager,
    locked: LockedChunk,
    answers: readonly Answer[],
    window: RetryWindow,
    now: number,
  ): Promise<Answer[]> {
    const { chunk, isDone, dueAt } = locked;
    const { batchId, number, windowPass, offsets, retries, duplicates } = chunk;
    const { taken, passes } = withoutAnswers(locked, answers);
    if (taken.size === 0) return [];
    const counts = { valid: 0, invalid: 0, risky: 0, unknown: 0 };
    let credits = 0;
    for (const [offset, { verification, creditsCharged }] of taken) {
      counts[verification.verdict] -= 1 + (duplicates.get(offset) ?? 0);
      credits += creditsCharged;
    }
    await setResults(tx, batchId, number, passes);
    const waiting = retries && { ...retries, pass: windowPass, dueAt, offsets };
    const next = window.reopened([...taken.keys()], isDone ? null : waiting, now);
    // Nobody works on a chunk that is done, so its next number is free. A worker that commits the pass of another one finds it stored.
    const pass = isDone ? chunk.pass : chunk.pass + 1;
    if (!isDone)
      await tx.query('INSERT INTO batch_results (batch_id, chunk, pass, results) VALUES ($1, $2, $3, $4)', [
        batchId,
        number,
        chunk.pass,
        new ResultEncoder().toString(),
      ]);
    const free = union(chunk.free, taken.keys());
    // What waits for half of the window, and for its source, goes on waiting.
    await tx.query(
      `UPDATE batch_chunks
          SET done = false, pass = $3, taken_passes = $4, due_at = $5, window_ends_at = $6, offsets = $7, waiting_counts = $8,
              free_offsets = $9, ${LEASE_ENDS}
        WHERE batch_id = $1 AND number = $2`,
      [batchId, number, pass, pass - next.pass, next.dueAt, next.windowEndsAt, next.offsets, next.waiting, free],
    );
    await this.batches.moveCounters(tx, batchId, counts, -credits, isDone ? -1 : 0);
    return answers.filter(({ row, at }) => taken.get(offsetOfRowRef(row.ref))?.verification.checkedAt === at);
  }

  /** @returns those that were not marked before; what cost nothing bears no mark */
  private async markRefunded<Answer extends FalseAnswer>(
    tx: EntityManager,
    { chunk: { batchId, number, free } }: LockedChunk,
    answers: readonly Answer[],
  ): Promise<Answer[]> {
    const taken = answers.filter(({ row, credits }) => credits === 0 || !free.has(offsetOfRowRef(row.ref)));
    const charged = taken.filter(({ credits }) => credits > 0).map(({ row }) => offsetOfRowRef(row.ref));
    const update = 'UPDATE batch_chunks SET free_offsets = $3 WHERE batch_id = $1 AND number = $2';
    if (charged.length > 0) await tx.query(update, [batchId, number, union(free, charged)]);
    return taken;
  }

  private async lock(tx: EntityManager, id: number, number: number): Promise<LockedChunk | null> {
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
}

/** The stored results of these answers, by offset, and the passes that have lost some. A pure function. */
export function withoutAnswers(
  { chunk: { items }, passes }: Pick<LockedChunk, 'passes'> & { readonly chunk: Pick<LockedChunk['chunk'], 'items'> },
  answers: readonly FalseAnswer[],
): { readonly taken: ReadonlyMap<number, ChunkResult>; readonly passes: readonly PackedPass[] } {
  const falseAt = new Map(answers.map(({ row, at }) => [offsetOfRowRef(row.ref), at]));
  const taken = new Map<number, ChunkResult>();
  const rewritten = passes.flatMap(({ pass, results }) => {
    const decoder = ADDRESSES.decode(results, items);
    const encoder = new ResultEncoder();
    const before = taken.size;
    for (const offset of items.keys()) {
      if (decoder.verdictAt(offset) === null) continue;
      const result = decoder.at(offset);
      if (falseAt.get(offset) === result.verification.checkedAt) taken.set(offset, result);
      else encoder.add(result);
    }
    return taken.size > before ? [{ pass, results: encoder.toString() }] : [];
  });
  return { taken, passes: rewritten };
}

function union(some: Iterable<number>, others: Iterable<number>): number[] {
  return [...new Set([...some, ...others])].sort((a, b) => a - b);
}

/** In the order of the numbers of chunks, as they are locked. */
function byChunk<Answer extends FalseAnswer>(answers: readonly Answer[]): [number, Answer[]][] {
  const chunks = new Map<number, Answer[]>();
  for (const answer of answers) {
    const number = chunkOfRowRef(answer.row.ref);
    const some = chunks.get(number) ?? [];
    chunks.set(number, some);
    some.push(answer);
  }
  return [...chunks].sort(([a], [b]) => a - b);
}
