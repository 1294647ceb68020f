import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { MicroBatcher } from '../../lib/micro-batcher.js';
import { isOutage } from '../../platform/errors/outage.js';
import type { BatchSettlementService } from '../model/batch-settlement.service.js';
import type { Batch } from '../model/batch.js';
import type { ChunkResults } from '../chunks/chunk-results.js';
import { storeLastPasses } from './last-pass.js';

/** Batches that are completed by one transaction: as many small ones as are leased together. */
const MAX_TOGETHER = 32;
/** The pause in which batches that end often gather; one that ends alone never waits for it. */
const GATHER_MS = 25;

interface LastPass {
  readonly batch: Batch;
  readonly pass: ChunkResults;
  readonly at: Date;
}

/**
 * Commits the last open chunks of batches, all that small batches have, by few statements for many of them: results, counters, state, credits
 * and events in one transaction. What it does not complete stays as it was, and is committed batch by batch (`ChunkCommitService`).
 */
export class LastCommits {
  private readonly logger = new Logger(LastCommits.name);
  private readonly together = new MicroBatcher<LastPass, boolean>((some) => this.commitAll(some), MAX_TOGETHER, {
    gather: () => delay(GATHER_MS),
  });

  constructor(
    private readonly database: DataSource,
    private readonly settlement: BatchSettlementService,
    /** Called with each batch that was completed, and with its last pass. */
    private readonly onCompleted: (batch: Batch, pass: ChunkResults) => void,
  ) {}

  /** @returns false when the passes do not complete the batch, and nothing is stored or charged */
  async commit(batch: Batch, [pass, ...others]: readonly ChunkResults[], at: Date): Promise<boolean> {
    if (batch.openChunks !== 1 || pass === undefined || others.length > 0 || pass.retryPass !== null) return false;
    // Other credits have locks of their own, in an order that holds for one batch at a time.
    if (batch.creditSource !== null && batch.creditSource !== 'balance' && batch.creditSource !== 'none') return false;
    return this.together.add({ batch, pass, at });
  }

  /** @returns whether each batch was completed */
  private async commitAll(some: readonly LastPass[]): Promise<boolean[]> {
    try {
      return await this.complete(some);
    } catch (error) {
      if (isOutage(error)) throw error;
      // One of them is at fault, or was in the way of others: each is committed by itself.
      this.logger.warn(`${some.length} batches are completed one by one: ${(error as Error).message}`);
      return some.map(() => false);
    }
  }

  private async complete(some: readonly LastPass[]): Promise<boolean[]> {
    // A batch is here twice when this process has lost its lease and taken it again: its second pass finds the first one stored.
    const passOf = new Map(some.toReversed().map(({ batch, pass }) => [batch.id, pass]));
    const passes = [...passOf].map(([batchId, { chunk, results, counts, creditsCharged }]) => {
      return { batchId, number: chunk.number, pass: chunk.pass, results, counts, creditsCharged };
    });
    const at = some.at(-1)!.at;
    const { completed, isTold } = await this.database.transaction(async (tx) => {
      const completed = (await storeLastPasses(tx, passes, at)).map((one) => {
        const { creditsCharged: charged, works } = passOf.get(one.batch.id)!;
        return { ...one, charged, works };
      });
      return { completed, isTold: await this.settlement.settleCompleted(tx, completed, at) };
    });
    for (const { batch, works } of completed) {
      this.settlement.countWork(batch, works);
      this.onCompleted(batch, passOf.get(batch.id)!);
    }
    // The next batches do not wait for it.
    if (isTold) void this.settlement.tell();
    const ids = new Set(completed.map(({ batch }) => batch.id));
    return some.map(({ batch }) => ids.has(batch.id));
  }
}
