import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { BillingAccounts } from '../keys/access/billing-accounts.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import { Listing } from '../platform/http/listing.js';
import type { Page, PageQuery, PageRequest } from '../platform/http/page.js';
import { BATCH_COLUMNS, type BatchRow, toBatch } from './model/batch-row.js';
import { BatchSettlementService } from './model/batch-settlement.service.js';
import { type Batch, type BatchState, statesBefore, transition } from './model/batch.js';
import { BatchStore } from './model/batch.store.js';

/** Batches of all accounts. */
@Injectable()
export class BatchOverviewStore {
  constructor(private readonly database: DataSource) {}

  /** Newest first; one more than the page holds, when there are more. */
  async list(accountId: string | null, state: BatchState | null, { limit, after }: PageRequest): Promise<Batch[]> {
    const rows: BatchRow[] = await this.database.query(
      `SELECT ${BATCH_COLUMNS} FROM batches
        WHERE state <> 'receiving' AND ($1::uuid IS NULL OR account_id = $1) AND ($2::text IS NULL OR state = $2)
          AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::bigint))
        ORDER BY created_at DESC, id DESC LIMIT $5`,
      [accountId, state, after?.at, after?.id, limit + 1],
    );
    return rows.map(toBatch);
  }

  /** Counts the items without a final result. */
  async countOpen(tx: EntityManager, id: number): Promise<number> {
    const [row]: { count: number }[] = await tx.query(
      `SELECT coalesce(sum(coalesce(cardinality(offsets), size)), 0)::integer AS count
         FROM batch_chunks WHERE batch_id = $1 AND NOT done`,
      [id],
    );
    return row!.count;
  }

  /** Queues a failed batch again, for its open chunks. */
  async requeue(
    tx: EntityManager,
    id: number,
    { reservationId, creditSource, creditsReserved }: Pick<Batch, 'reservationId' | 'creditSource' | 'creditsReserved'>,
    at: Date,
  ): Promise<void> {
    await tx.query(
      `UPDATE batches SET state = $4, finished_at = NULL, expires_at = NULL, is_ordered = false, reservation_id = $2, credit_source = $3,
              credits_reserved = credits_charged + $6
        WHERE id = $1 AND state = ANY ($5)`,
      [id, reservationId, creditSource, transition('failed', 'retry'), statesBefore('retry'), creditsReserved],
    );
    // They lack what is found from now on.
    await tx.query('DELETE FROM batch_ordered_results WHERE batch_id = $1', [id]);
    await tx.query(
      `UPDATE batch_chunks SET due_at = $2, lease_owner = NULL, worker_id = NULL, lease_expires_at = NULL, attempts = 0
        WHERE batch_id = $1 AND NOT done`,
      [id, at],
    );
  }
}

export type { Batch };

const ALL_BATCHES = new Listing('all-batches', 'integer');

/** Administrators list and retry batches of all accounts. It needs no Redis: the sweep of a worker finds a batch that is queued again. */
@Injectable()
export class BatchAdministrationService {
  constructor(
    private readonly store: BatchOverviewStore,
    private readonly batches: BatchStore,
    private readonly settlement: BatchSettlementService,
    private readonly billing: BillingAccounts,
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
    const payer = await this.billing.payerOf(tx, batch);
    const { kind, policy } = batch;
    const open = await this.store.countOpen(tx, id);
    const {
      id: reservationId,
      source,
      amountCredits: creditsReserved,
    } = await this.settlement.reserve(tx, payer, { id, kind, policy, items: open, malformed: 0, maxCredits: null });
    const reserved = { reservationId: source === 'none' ? null : reservationId, creditSource: source, creditsReserved };
    await this.store.requeue(tx, id, reserved, this.clock.date());
    return (await this.batches.lock(tx, id))!;
  }
}
