import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { chargeFor } from '../credits/prices.js';
import { CREDIT_PRICES, type CreditPrices, KEY_POLICIES, type KeyPolicies } from '../platform/config/policies.js';
import { BatchSettlementService } from './batch-settlement.service.js';
import type { Batch } from './batch.lifecycle.js';
import { BatchChunksStore, type LaterRound, type TakenChunk } from './batch-chunks.store.js';
import type { ChunkResult } from './batch-results.js';
import { BatchStore, type VerdictCounts } from './batch.store.js';

/** What one round of a chunk came to. */
export interface ChunkRound {
  readonly chunk: TakenChunk;
  /** Final answers; the price is added when they are stored. */
  readonly answers: readonly Omit<ChunkResult, 'creditsCharged'>[];
  readonly later: LaterRound | null;
}

/** `repeated`: another delivery stored it before. `ended`: the batch no longer runs, and nothing is stored or charged. */
export type Stored = 'stored' | 'repeated' | 'ended';

class NotStored extends Error {
  constructor(readonly why: Exclude<Stored, 'stored'>) {
    super(why);
  }
}

/** Writes down what the work on chunks came to: results, credits and counters together, exactly once. */
@Injectable()
export class ChunkWorkService {
  constructor(
    private readonly database: DataSource,
    private readonly batches: BatchStore,
    private readonly chunks: BatchChunksStore,
    private readonly settlement: BatchSettlementService,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
  ) {}

  /** Whoever stores a batch's last round completes the batch in the same transaction, and what was not charged goes back. */
  async store(batch: Batch, { chunk, answers, later }: ChunkRound, at: Date): Promise<Stored> {
    const results = answers.map((answer) => ({ ...answer, creditsCharged: this.priceOf(batch, answer) }));
    const charged = results.reduce((sum, { creditsCharged }) => sum + creditsCharged, 0);
    let isEnd = false;
    try {
      await this.database.transaction(async (tx) => {
        if (!(await this.chunks.finishChunk(tx, chunk, results, later))) throw new NotStored('repeated');
        const closed = later === null ? 1 : 0;
        const left = await this.batches.moveCounters(tx, batch.id, countsOf(chunk, results), charged, closed);
        if (left === null) throw new NotStored('ended');
        await this.settlement.charge(tx, batch, charged);
        if (left === 0) await this.settlement.end(tx, batch, 'complete', at);
        isEnd = left === 0;
      });
      if (isEnd) await this.settlement.tell();
      return 'stored';
    } catch (error) {
      if (error instanceof NotStored) return error.why;
      throw error;
    }
  }

  /** Gives a batch up for a fault of ours; credits that are not charged go back. */
  async fail(batch: Batch, at: Date): Promise<void> {
    await this.database.transaction((tx) => this.settlement.end(tx, batch, 'fail', at));
    await this.settlement.tell();
  }

  private priceOf({ simulated, policy }: Batch, { verification }: Omit<ChunkResult, 'creditsCharged'>): number {
    return simulated
      ? 0
      : chargeFor(this.prices.verify, this.policies[policy as keyof KeyPolicies], verification.verdict);
  }
}

/** Rows by verdict: an address that was sent more than once answers each of them. */
function countsOf({ repeats }: TakenChunk, results: readonly ChunkResult[]): VerdictCounts {
  const counts = { valid: 0, invalid: 0, risky: 0, unknown: 0 };
  for (const { offset, verification } of results) counts[verification.verdict] += 1 + (repeats.get(offset) ?? 0);
  return counts;
}
