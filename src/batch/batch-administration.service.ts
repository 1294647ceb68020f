import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PayersService } from '../keys/ceilings/payers.service.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import { Listing } from '../platform/http/listing.js';
import type { Page, PageQuery } from '../platform/http/page.js';
import { BatchOverviewStore } from './batch-administration.store.js';
import { type Batch, type BatchState, statesBefore } from './model/batch.js';
import { BatchSettlementService } from './model/batch-settlement.service.js';
import { BatchStore } from './model/batch.store.js';

export type { Batch };

const ALL_BATCHES = new Listing('all-batches', 'integer');

/** Administrators list and retry batches of all accounts. It needs no Redis: the sweep of a worker finds a batch that is queued again. */
@Injectable()
export class BatchAdministrationService {
  constructor(
    private readonly store: BatchOverviewStore,
    private readonly batches: BatchStore,
    private readonly settlement: BatchSettlementService,
    private readonly payers: PayersService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Newest first. */
  list(accountId: string | null, state: BatchState | null, query: PageQuery): Promise<Page<Batch>> {
    return ALL_BATCHES.page(
      query,
      (request) => this.store.list(accountId, state, request),
      ({ createdAt, id }) => ({ at: createdAt, id: String(id) }),
    );
  }

  /** Null for one that is still received, as for an unknown one. */
  async find(id: number): Promise<Batch | null> {
    const batch = await this.batches.find(id);
    return batch?.state === 'receiving' ? null : batch;
  }

  /**
   * Queues a batch again that a fault of ours has ended: stored results stay, and credits for the other items are reserved again.
   * @throws AppError `batch_not_found`, `batch_not_failed`, `credits_insufficient`, `key_ceiling_reached`
   */
  async retry(tx: EntityManager, id: number): Promise<Batch> {
    const batch = await this.batches.lock(tx, id);
    if (batch === null || batch.state === 'receiving') throw new AppError('batch_not_found');
    if (!statesBefore('retry').includes(batch.state))
      throw new AppError('batch_not_failed', {
        message: `The batch is ${batch.state}: only a failed one is begun again.`,
      });
    const payer = await this.payers.payerOf(tx, batch);
    const { kind, policy } = batch;
    const open = await this.store.countOpen(tx, id);
    const {
      id: reservationId,
      source,
      amountCredits: creditsReserved,
    } = await this.settlement.reserve(tx, payer, { id, kind, policy, items: open, malformed: 0, maxCredits: null });
    const reserved = { reservationId: source === 'none' ? null : reservationId, creditSource: source, creditsReserved };
    await this.store.requeue(tx, id, reserved, new Date(this.clock.now()));
    return (await this.batches.lock(tx, id))!;
  }
}
