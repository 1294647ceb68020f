import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { BillingAccounts } from '../keys/access/billing-accounts.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import { byCreation, Listing, type Page, type PageInput, type PageRequest } from '../platform/http/listing.js';
import { BATCH_COLUMNS, type BatchRow, toBatch } from './model/batch-row.js';
import { BatchSettlementService, reservedBy } from './model/batch-settlement.service.js';
import { type Batch, type BatchState, statesBefore, transition } from './model/batch.js';
import { BatchStore } from './model/batch.store.js';

export type { Batch };

const ALL_BATCHES = new Listing('all-batches', 'integer');

/** Administrators list and retry batches of all accounts. It needs no Redis: the sweep of a worker finds a batch that is queued again. */
@Injectable()
export class BatchAdministrationService {
  constructor(
    private readonly database: DataSource,
    private readonly batches: BatchStore,
    private readonly settlement: BatchSettlementService,
    private readonly billing: BillingAccounts,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Newest first. */
  list(accountId: string | null, state: BatchState | null, query: PageInput): Promise<Page<Batch>> {
    const find = async ({ limit, after }: PageRequest): Promise<Batch[]> => {
      const rows: BatchRow[] = await this.database.query(
        `SELECT ${BATCH_COLUMNS} FROM batches
          WHERE state <> 'receiving' AND ($1::uuid IS NULL OR account_id = $1) AND ($2::text IS NULL OR state = $2)
            AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::bigint))
          ORDER BY created_at DESC, id DESC LIMIT $5`,
        [accountId, state, after?.at, after?.id, limit + 1],
      );
      return rows.map(toBatch);
    };
    return ALL_BATCHES.page(query, find, byCreation);
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
    const open = await this.countOpen(tx, id);
    const work = { id, kind, policy, items: open, malformed: 0, maxCredits: null };
    const reservation = await this.settlement.reserve(tx, payer, work);
    const { reservationId, creditSource } = reservedBy(reservation);
    await tx.query(
      `UPDATE batches SET state = $4, finished_at = NULL, expires_at = NULL, is_ordered = false, reservation_id = $2, credit_source = $3,
              credits_reserved = credits_charged + $6
        WHERE id = $1 AND state = ANY ($5)`,
      [
        id,
        reservationId,
        creditSource,
        transition('failed', 'retry'),
        statesBefore('retry'),
        reservation.amountCredits,
      ],
    );
    // They lack what is found from now on.
    await tx.query('DELETE FROM batch_ordered_results WHERE batch_id = $1', [id]);
    await tx.query(
      `UPDATE batch_chunks SET due_at = $2, lease_owner = NULL, worker_id = NULL, lease_expires_at = NULL, attempts = 0
        WHERE batch_id = $1 AND NOT done`,
      [id, this.clock.date()],
    );
    return (await this.batches.lock(tx, id))!;
  }

  /** Counts the items without a final result. */
  private async countOpen(tx: EntityManager, id: number): Promise<number> {
    const [row]: { count: number }[] = await tx.query(
      `SELECT coalesce(sum(coalesce(cardinality(offsets), size)), 0)::integer AS count
         FROM batch_chunks WHERE batch_id = $1 AND NOT done`,
      [id],
    );
    return row!.count;
  }
}
