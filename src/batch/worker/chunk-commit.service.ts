import { type ChunkResults, MAX_ATTEMPTS } from './leased-chunk.js';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { WorkSum, type UsedWork } from '../../credits/usage/used-work.js';
import { BatchSettlementService } from '../model/batch-settlement.service.js';
import type { Batch } from '../model/batch.js';
import { encodeRowRef } from '../model/row-ref.js';
import { ToldDenials } from '../../resolver/told-denials.js';
import { ChunkStore } from './chunk.store.js';
import { LastCommits } from './last-commits.js';
import { BatchStore } from '../model/batch.store.js';

/** Rolls back the transaction of a batch that has ended. */
class BatchEnded extends Error {}

/** Commits results of chunks: results, credits and counters in one transaction, exactly once. */
@Injectable()
export class ChunkCommitService {
  private readonly logger = new Logger(ChunkCommitService.name);
  private readonly last: LastCommits;

  constructor(
    private readonly database: DataSource,
    private readonly batches: BatchStore,
    private readonly chunks: ChunkStore,
    readonly settlement: BatchSettlementService,
    private readonly denials: ToldDenials,
  ) {
    this.last = new LastCommits(database, settlement, (batch, pass) => this.tellDenials(batch, [pass]));
  }

  /**
   * Leaves out passes that another worker has committed before. The transaction that stores the last results of a batch also
   * completes it and releases the credits that were not charged.
   *
   * Locks in this order, as every transaction on batches does: results and chunks by their numbers, the row of `batches`,
   * credits.
   * @returns false when the batch no longer runs, and nothing is stored or charged
   */
  async commit(batch: Batch, passes: readonly ChunkResults[], at: Date): Promise<boolean> {
    if (await this.last.commit(batch, passes, at)) return true;
    let isTold = false;
    let done: readonly UsedWork[] = [];
    let told: readonly ChunkResults[] = [];
    try {
      await this.database.transaction(async (tx) => {
        const stored = await this.chunks.storePasses(tx, batch.id, passes);
        told = stored;
        if (stored.length === 0) return;
        const { counts, creditsCharged, works, closed } = sumOf(stored);
        done = works;
        const left = await this.batches.moveCounters(tx, batch.id, counts, creditsCharged, closed);
        if (left === null) throw new BatchEnded();
        await this.settlement.charge(tx, batch, creditsCharged, works);
        if (left === 0) isTold = (await this.settlement.end(tx, batch, 'complete', at))?.isTold ?? false;
      });
    } catch (error) {
      if (error instanceof BatchEnded) return false;
      throw error;
    }
    this.settlement.countWork(batch, done);
    this.tellDenials(batch, told);
    if (isTold) await this.settlement.tell();
    return true;
  }

  /**
   * Fails batches that a fault of ours keeps from completing: stored results stay, and the credits reserved for other items are
   * released.
   */
  async failExhausted(at: Date): Promise<void> {
    for (const id of await this.chunks.exhausted(at)) {
      const failed = await this.database.transaction(async (tx) => {
        const batch = await this.batches.lock(tx, id);
        // A commit of results either has moved the batch's counters before, or waits for this lock and then finds the batch ended.
        if (batch === null || !(await this.chunks.isExhausted(tx, id, at))) return null;
        return this.settlement.end(tx, batch, 'fail', at);
      });
      if (failed === null) continue;
      this.logger.error(`batch ${id} has failed: workers began its rest ${MAX_ATTEMPTS} times without a result`);
      if (failed.isTold) await this.settlement.tell();
    }
  }

  private tellDenials(batch: Batch, passes: readonly ChunkResults[]): void {
    const { id: batchId, accountId, creditSource, simulated, kind } = batch;
    if (simulated || kind !== 'verify') return;
    const source = creditSource ?? 'none';
    this.denials.add(
      passes.flatMap(({ chunk, denials }) =>
        denials.map(({ offset, verification: { email, normalizedEmail, checkedAt: at }, creditsCharged: credits }) => {
          const row = { batchId, ref: encodeRowRef(chunk.number, offset) };
          return { accountId, address: normalizedEmail ?? email, at, credits, source, requestId: null, row };
        }),
      ),
    );
  }
}

function sumOf(passes: readonly ChunkResults[]) {
  const counts = { valid: 0, invalid: 0, risky: 0, unknown: 0 };
  let creditsCharged = 0;
  let closed = 0;
  const works = new WorkSum();
  for (const pass of passes) {
    counts.valid += pass.counts.valid;
    counts.invalid += pass.counts.invalid;
    counts.risky += pass.counts.risky;
    counts.unknown += pass.counts.unknown;
    creditsCharged += pass.creditsCharged;
    for (const work of pass.works) works.add(work);
    if (pass.retryPass === null) closed += 1;
  }
  return { counts, creditsCharged, works: works.toArray(), closed };
}
