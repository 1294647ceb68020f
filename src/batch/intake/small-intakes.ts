import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { MicroBatcher } from '../../lib/micro-batcher.js';
import type { Principal } from '../../keys/access/principal.js';
import { AppError } from '../../platform/errors/app-error.js';
import { isOutage } from '../../platform/errors/outage.js';
import { type BatchSettlementService, reservedBy, type WantedBatch } from '../model/batch-settlement.service.js';
import type { NewBatch, ReceivedBatch } from '../model/batch-row.js';
import { IntakeStore, type WholeUpload } from './intake.store.js';

/** Batches that are taken in by one transaction, which locks their balances. */
const MAX_TOGETHER = 32;
/** The pause in which batches that come often gather; one that comes alone never waits for it. */
const GATHER_MS = 25;

/** A balance that is locked for longer keeps no other account waiting. */
const MAX_WAIT_MS = 1_000;

/** Why a batch was not taken in; null: it was. */
type Refusal = AppError | null;

/** A small batch, read to its end, that is neither held nor given verdicts again, and names no URL. */
interface SmallIntake {
  readonly payer: Principal;
  readonly work: WantedBatch;
  readonly batch: NewBatch;
  readonly whole: WholeUpload;
  /** The rest of its row, without its credits. */
  readonly received: ReceivedBatch;
}

/** Takes small batches in, many by one transaction: one statement reserves their credits, and one stores them all. */
export class SmallIntakes {
  private readonly together = new MicroBatcher<SmallIntake, Refusal>((some) => this.takeAll(some), MAX_TOGETHER, {
    gather: () => delay(GATHER_MS),
  });

  private readonly blocks = new IntakeStore();

  constructor(
    private readonly database: DataSource,
    private readonly settlement: BatchSettlementService,
  ) {}

  /** @throws AppError `credits_insufficient`; then nothing is stored */
  async take(small: SmallIntake): Promise<void> {
    const refusal = await this.together.add(small);
    if (refusal !== null) throw refusal;
  }

  private async takeAll(some: readonly SmallIntake[]): Promise<(Refusal | Promise<Refusal>)[]> {
    try {
      return await this.store(some, MAX_WAIT_MS);
    } catch (error) {
      if (isOutage(error)) throw error;
      // One of them is at fault, or its balance is locked for long: the others neither fail nor wait with it, nor do those that come next.
      return some.map(async (one) => (await this.store([one]))[0]!);
    }
  }

  /** @param maxWaitMs for a locked balance; left out: as long as any statement */
  private store(some: readonly SmallIntake[], maxWaitMs?: number): Promise<Refusal[]> {
    return this.database.transaction(async (tx) => {
      if (maxWaitMs !== undefined) await tx.query(`SET LOCAL lock_timeout = ${maxWaitMs}`);
      const reservations = await this.settlement.reserveShared(tx, some);
      const admitted = some.flatMap(({ batch, whole, received }, i) => {
        const reservation = reservations[i]!;
        if (reservation instanceof AppError) return [];
        return [{ ...whole, batch, received: { ...received, ...reservedBy(reservation) }, kept: null }];
      });
      if (admitted.length > 0) await this.blocks.addWholes(tx, admitted);
      return reservations.map((reservation) => (reservation instanceof AppError ? reservation : null));
    });
  }
}
