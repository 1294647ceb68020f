import { Injectable } from '@nestjs/common';
import { Semaphore } from '../../lib/semaphore.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { Batch } from '../model/batch.js';
import { type BatchKind, kindOf } from '../model/batch-kind.js';
import { BatchSummaryStore } from './batch-summary.store.js';
import { type BatchSummary, SummaryTally } from './summary-tally.js';

/** Chunks in one statement: between two, others have their turn. */
const CHUNK_PAGE_SIZE = 8;
/** Summaries that a process makes at once: the domains of a large list are in memory meanwhile. */
const SUMMARY_CONCURRENCY = 2;
/** An erasure while a summary is made has it made again; so many in a row are let be. */
const MAX_TRIES = 3;

/** A batch that has ended. */
export type SummedBatch = Pick<Batch, 'id' | 'accountId' | 'kind'>;

/**
 * Tells what the results of an ended batch came to, and keeps it from then on: a large one is counted soon after its end
 * (`BatchSummarySweep`), any other when somebody asks first.
 */
@Injectable()
export class BatchSummaries {
  private readonly making = new Semaphore(SUMMARY_CONCURRENCY);

  constructor(private readonly store: BatchSummaryStore) {}

  /**
   * @param signal gives up, and keeps nothing: rejects with its reason
   * @throws AppError `batch_not_found` when it was deleted meanwhile
   */
  async of(batch: SummedBatch, signal?: AbortSignal): Promise<BatchSummary> {
    // Accounts take turns, so that one with many large lists keeps the others waiting for one of them at most.
    return (await this.kept(batch)) ?? (await this.making.run(() => this.make(batch, signal), batch.accountId));
  }

  private async kept({ id }: SummedBatch): Promise<BatchSummary | null> {
    return (await this.store.find(id))?.summary ?? null;
  }

  private async make({ id, kind }: SummedBatch, signal: AbortSignal | undefined): Promise<BatchSummary> {
    let made: BatchSummary | null = null;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const found = await this.store.find(id);
      if (found === null) throw new AppError('batch_not_found');
      // Whoever waited for the same batch finds it made.
      if (found.summary !== null) return found.summary;
      made = await this.count(id, kindOf({ kind }), signal);
      if (await this.store.keep(id, found.moment, made)) return made;
    }
    return made!;
  }

  private async count(id: number, kind: BatchKind, signal: AbortSignal | undefined): Promise<BatchSummary> {
    const tally = new SummaryTally();
    for (let after = -1; ;) {
      signal?.throwIfAborted();
      const chunks = await this.store.chunks(id, after, CHUNK_PAGE_SIZE);
      if (chunks.length === 0) return tally.summary();
      for (const { items: text, duplicates, results } of chunks) {
        if (results === null) continue;
        const items = JSON.parse(text) as string[];
        const rows = new Uint32Array(items.length).fill(1);
        for (let i = 0; i < duplicates.length; i += 2) rows[duplicates[i]!]! += duplicates[i + 1]!;
        // No whole result is built: there may be a million.
        const pass = kind.decode(results, items);
        for (let offset = 0; offset < items.length; offset++) {
          const fact = pass.factAt(offset);
          if (fact !== null) tally.add(fact, pass.domainAt(offset), rows[offset]!);
        }
      }
      after = chunks.at(-1)!.number;
    }
  }
}
