import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CreditsService } from '../credits/credits.service.js';
import { type IdempotencyClaim, runInTransaction } from '../idempotency/idempotency-claim.js';
import { isOwn, ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { recordAccountAction } from '../keys/account-actions.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import type { BatchKind } from './model/batch-kind.js';
import { BatchSettlementService, type PricedWork, reservedBy } from './model/batch-settlement.service.js';
import { type Batch, statesBefore } from './model/batch.js';
import { BatchStore } from './model/batch.store.js';

type Quoted = Pick<Batch, 'state' | 'policy' | 'totalRows' | 'uniqueAddresses' | 'malformed' | 'reused'>;

/** Batches that wait for the order of their owner: what they would cost, and the order. */
@Injectable()
export class HeldBatchesService {
  constructor(
    private readonly database: DataSource,
    private readonly batches: BatchStore,
    private readonly settlement: BatchSettlementService,
    private readonly credits: CreditsService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /**
   * The quote of each held batch (docs/batches.md#the-price-before-the-work), by the balance of now, below 0 when the credits do not suffice;
   * the others have none.
   */
  async quotesOf(principal: Principal, kind: BatchKind, batches: readonly Quoted[]): Promise<(object | null)[]> {
    if (!batches.some(({ state }) => state === 'held')) return batches.map(() => null);
    const { remaining } = await this.credits.getStatus(principal);
    return batches.map((batch) => {
      if (batch.state !== 'held') return null;
      const maxCredits = this.settlement.costOf(workOf(batch, kind));
      // Nothing is taken of the balance that a test key sees.
      const balanceAfter = remaining - (principal.simulated ? 0 : maxCredits);
      return {
        rows: batch.totalRows,
        [`unique_${kind.items}`]: batch.uniqueAddresses,
        duplicates: batch.totalRows - batch.uniqueAddresses,
        malformed: batch.malformed ?? 0,
        reusable: batch.reused,
        max_credits: maxCredits,
        balance_after: balanceAfter,
      };
    });
  }

  /**
   * Reserves the credits of a held batch and queues it. The lock on its row puts two orders, an order and a `DELETE`, an order and the
   * cleanup in turn; it is taken before the balance, as everywhere.
   * @param order for so much at most; null: whatever it costs
   * @throws AppError `batch_not_found`, also when its time is over, `batch_not_held`, `ceiling_reached`, `credits_insufficient`,
   * `daily_capacity_exhausted`
   */
  async start(
    principal: Principal,
    kind: BatchKind,
    { id, maxCredits }: { readonly id: number; readonly maxCredits: number | null },
    claim: IdempotencyClaim | null,
  ): Promise<Batch> {
    const at = this.clock.date();
    const order = async (tx: EntityManager): Promise<Batch> => {
      const batch = await this.batches.lock(tx, id);
      const isThere = batch !== null && isOwn(ownerOf(principal), batch) && batch.kind === kind.name;
      if (!isThere || batch.state === 'receiving') throw new AppError('batch_not_found');
      if (!statesBefore('order').includes(batch.state)) throw new AppError('batch_not_held');
      if (batch.expiresAt !== null && batch.expiresAt <= at) throw new AppError('batch_not_found');
      const work = { id, ...workOf(batch, kind), maxCredits };
      const reserved = reservedBy(await this.settlement.reserve(tx, principal, work));
      const ordered = await this.batches.order(tx, id, { keyId: principal.keyId, ...reserved });
      const details = { batch_id: id, kind: kind.name, credits_reserved: reserved.creditsReserved };
      await recordAccountAction(tx, principal, at, 'batch.start', details);
      if (claim !== null) claim.afterCommit(() => this.settlement.wakeWorkers(ordered));
      return ordered;
    };
    const ordered = await runInTransaction(this.database, claim, order);
    if (claim === null) void this.settlement.wakeWorkers(ordered);
    return ordered;
  }
}

function workOf({ policy, uniqueAddresses, reused, malformed }: Quoted, { name: kind }: BatchKind): PricedWork {
  return { kind, policy, items: uniqueAddresses - reused, malformed: malformed ?? 0 };
}
