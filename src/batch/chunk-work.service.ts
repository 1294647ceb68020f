import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { chargeFor } from '../credits/prices.js';
import { CREDIT_PRICES, type CreditPrices, KEY_POLICIES, type KeyPolicies } from '../platform/config/policies.js';
import { type Finding, isFound } from '../finder/finder-search.service.js';
import { MOST_BEGINNINGS } from './beginnings.js';
import { BatchSettlementService } from './batch-settlement.service.js';
import type { Batch } from './batch.lifecycle.js';
import { BatchChunksStore, type LaterRound, type TakenChunk } from './batch-chunks.store.js';
import type { Verdict } from './batch-results.js';
import { BatchStore, type VerdictCounts } from './batch.store.js';

/** What one round of a chunk came to. */
export interface ChunkRound {
  readonly chunk: TakenChunk;
  /** Final answers, as `ResultsEncoder` writes them. */
  readonly results: string;
  /** Rows by verdict. */
  readonly counts: VerdictCounts;
  readonly creditsCharged: number;
  readonly later: LaterRound | null;
}

class Ended extends Error {}

/** Writes down what the work on chunks came to: results, credits and counters together, exactly once. */
@Injectable()
export class ChunkWorkService {
  private readonly logger = new Logger(ChunkWorkService.name);

  constructor(
    private readonly database: DataSource,
    private readonly batches: BatchStore,
    private readonly chunks: BatchChunksStore,
    private readonly settlement: BatchSettlementService,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
  ) {}

  /**
   * What another delivery has stored before is left out. Whoever stores a batch's last round completes the batch in the same transaction,
   * and what was not charged goes back.
   * @returns false when the batch no longer runs, and nothing is stored or charged
   */
  async store(batch: Batch, rounds: readonly ChunkRound[], at: Date): Promise<boolean> {
    let isEnd = false;
    try {
      await this.database.transaction(async (tx) => {
        const stored = await this.chunks.finishRounds(tx, batch.id, rounds);
        if (stored.length === 0) return;
        const { counts, creditsCharged, closed } = sumOf(stored);
        const left = await this.batches.moveCounters(tx, batch.id, counts, creditsCharged, closed);
        if (left === null) throw new Ended();
        await this.settlement.charge(tx, batch, creditsCharged);
        if (left === 0) await this.settlement.end(tx, batch, 'complete', at);
        isEnd = left === 0;
      });
    } catch (error) {
      if (error instanceof Ended) return false;
      throw error;
    }
    if (isEnd) await this.settlement.tell();
    return true;
  }

  /** Ends the batches that a fault of ours keeps from their end: what is answered stays, what was reserved for the rest goes back. */
  async failStuck(at: Date): Promise<void> {
    for (const id of await this.chunks.stuck(at)) {
      const failed = await this.database.transaction(async (tx) => {
        const batch = await this.batches.lock(tx, id);
        // Whoever stores a round has moved the batch's counters before, or waits for this lock and then finds it ended.
        if (batch === null || !(await this.chunks.isStuck(tx, id, at))) return null;
        return this.settlement.end(tx, batch, 'fail', at);
      });
      if (failed === null) continue;
      this.logger.error(`batch ${id} has failed: its rest was begun ${MOST_BEGINNINGS} times without a result`);
      await this.settlement.tell();
    }
  }

  /** Credits that a finding of this batch costs. */
  priceOfFinding({ simulated, policy }: Batch, finding: Finding): number {
    if (simulated) return 0;
    return chargeFor(
      this.prices.find,
      this.policies[policy as keyof KeyPolicies],
      isFound(finding) ? 'found' : 'not_found',
    );
  }

  /** Credits that an answer of this batch costs. */
  priceOf({ simulated, policy }: Batch, verdict: Verdict): number {
    return simulated ? 0 : chargeFor(this.prices.verify, this.policies[policy as keyof KeyPolicies], verdict);
  }
}

function sumOf(rounds: readonly ChunkRound[]) {
  const counts = { valid: 0, invalid: 0, risky: 0, unknown: 0 };
  let creditsCharged = 0;
  let closed = 0;
  for (const round of rounds) {
    counts.valid += round.counts.valid;
    counts.invalid += round.counts.invalid;
    counts.risky += round.counts.risky;
    counts.unknown += round.counts.unknown;
    creditsCharged += round.creditsCharged;
    if (round.later === null) closed += 1;
  }
  return { counts, creditsCharged, closed };
}
