import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { recordAccountAction } from '../keys/account-actions.js';
import { ownerOf } from '../keys/access/owner.js';
import { OrdersService } from '../keys/orders.service.js';
import type { Principal } from '../keys/access/principal.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import type { IdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { byCreation, Listing, type Page, type PageInput } from '../platform/http/listing.js';
import { BatchSettlementService } from './model/batch-settlement.service.js';
import { IntakeService, type TakenBatch } from './intake/intake.service.js';
import { type Batch, isFinished, retrySecondsOf } from './model/batch.js';
import { ADDRESSES, type BatchKind } from './model/batch-kind.js';
import { BatchStore } from './model/batch.store.js';
import type { IntakeSettings, SentRows } from './formats/sent-body.js';

/** Cursors are bound to their listing, because each listing has its own route. */
const LISTINGS = {
  verify: new Listing('batches', 'integer'),
  find: new Listing('people-batches', 'integer'),
  lists: new Listing('lists', 'integer'),
} as const;

const HELD = 'The batch is held: nothing of it is answered before it is started.';

/** Reads, lists, cancels and deletes the batches of an owner. */
@Injectable()
export class BatchService {
  constructor(
    private readonly database: DataSource,
    private readonly batches: BatchStore,
    private readonly settlement: BatchSettlementService,
    private readonly intake: IntakeService,
    private readonly orders: OrdersService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /**
   * Stores an upload as a batch and wakes a worker for each of its chunks.
   * @throws AppError what `IntakeService.take` throws
   */
  async submit(
    principal: Principal,
    kind: BatchKind,
    rows: SentRows,
    settings: IntakeSettings,
    claim: IdempotencyClaim | null = null,
  ): Promise<TakenBatch> {
    const taken = await this.intake.take(principal, kind, rows, settings, claim);
    const wakeWorkers = async () => {
      await this.settlement.wakeWorkers(taken);
      // The confirmation of a URL that the account names for the first time is sent at once.
      if (taken.webhook?.secret) await this.settlement.tell();
    };
    if (claim === null) void wakeWorkers();
    else claim.afterCommit(wakeWorkers);
    return taken;
  }

  /** @throws AppError `batch_not_found`, also for a batch of another owner */
  async get(principal: Principal, kind: BatchKind, id: number): Promise<Batch> {
    const batch = await this.batches.findOf(ownerOf(principal), id, kind.name);
    if (batch === null) throw new AppError('batch_not_found');
    return batch;
  }

  /** @throws AppError `batch_not_found`, `batch_not_finished` */
  async getFinished(principal: Principal, kind: BatchKind, id: number): Promise<Batch> {
    const batch = await this.get(principal, kind, id);
    if (isFinished(batch.state)) return batch;
    if (batch.state === 'held') throw new AppError('batch_not_finished', { message: HELD });
    throw new AppError('batch_not_finished', { retryAfterSeconds: retrySecondsOf(batch, this.clock.now(), 1) });
  }

  /** A batch of any account, for a caller with a link to its results; null when it has not ended or was deleted. */
  async findFinished(id: number): Promise<Batch | null> {
    const batch = await this.batches.find(id);
    return batch !== null && isFinished(batch.state) ? batch : null;
  }

  /** Newest first. */
  list(principal: Principal, kind: BatchKind, query: PageInput): Promise<Page<Batch>> {
    return this.page(LISTINGS[kind.name], principal, kind, query, false);
  }

  /** Completed batches of addresses, newest first. */
  listCompleted(principal: Principal, query: PageInput): Promise<Page<Batch>> {
    return this.page(LISTINGS.lists, principal, ADDRESSES, query, true);
  }

  /** Renames a completed batch. @throws AppError `list_not_found` */
  async rename(principal: Principal, id: number, name: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (!(await this.batches.rename(tx, ownerOf(principal), id, name))) throw new AppError('list_not_found');
      await recordAccountAction(tx, principal, this.clock.date(), 'list.rename', { batch_id: id });
    });
  }

  /**
   * Cancels a running batch; deletes a held or finished one with all its addresses.
   * @param what for the audit log
   * @returns the cancelled batch, or null when it was deleted
   * @throws AppError `batch_not_found`; for a list with a schedule as `OrdersService.checkMayEnd`
   */
  async remove(
    principal: Principal,
    kind: BatchKind,
    id: number,
    what: 'batch' | 'list' = 'batch',
  ): Promise<Batch | null> {
    const details = { batch_id: id, kind: kind.name };
    const ended = await this.database.transaction(async (tx) => {
      const batch = await this.batches.lockOf(tx, ownerOf(principal), id, kind.name);
      if (batch === null) throw new AppError('batch_not_found');
      if (isFinished(batch.state) || batch.state === 'held') {
        const scheduledBy = await this.batches.scheduledBy(tx, id);
        if (scheduledBy !== null) await this.orders.checkMayEnd(tx, principal, scheduledBy);
        for (const version of await this.batches.lockVersions(tx, id)) {
          if (!isFinished(version.state)) await this.settlement.end(tx, version, 'cancel', this.clock.date());
          await this.batches.delete(tx, version.id);
        }
        await this.batches.delete(tx, id);
        await recordAccountAction(tx, principal, this.clock.date(), `${what}.delete`, details);
        return null;
      }
      const cancelled = await this.settlement.end(tx, batch, 'cancel', this.clock.date());
      if (cancelled !== null) await recordAccountAction(tx, principal, this.clock.date(), 'batch.cancel', details);
      return cancelled;
    });
    if (ended?.isTold) void this.settlement.tell();
    return ended && ended.batch;
  }

  /** The newest completed version of each of these lists that was verified again. */
  currentVersions(listIds: readonly number[]): Promise<ReadonlyMap<number, Batch>> {
    return this.batches.currentVersions(listIds);
  }

  private page(listing: Listing, principal: Principal, kind: BatchKind, query: PageInput, completedOnly: boolean) {
    const owner = ownerOf(principal);
    return listing.page(
      query,
      ({ after, limit }) => this.batches.list(owner, { after, limit: limit + 1, completedOnly, kind: kind.name }),
      byCreation,
    );
  }
}
