import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { recordOwnAct } from '../keys/own-acts.js';
import { isOwn, ownerOf } from '../keys/owner.js';
import type { Principal } from '../keys/principal.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import type { Claim } from '../platform/http/claim.js';
import { Listing, type Page, type PageQuery } from '../platform/http/page.js';
import { BatchBell } from '../platform/queue/batch-bell.js';
import { BatchSettlementService } from './batch-settlement.service.js';
import { BatchIntakeService, type TakenBatch } from './batch-intake.service.js';
import { type Batch, type BatchKind, estimatedEnd, isFinished } from './batch.lifecycle.js';
import { BatchStore } from './batch.store.js';
import type { IntakeSettings, RowPiece } from './intake/intake-row.js';
import { CHUNK_SIZE } from './intake/blocks.js';

/** How long a caller waits before asking again for results: a thousandth of a large batch, at most this. */
const MOST_RETRY_SECONDS = 30;

/** Each is asked for by itself, so each has its cursors. */
const LISTINGS = {
  verify: new Listing('batches', 'integer'),
  find: new Listing('people-batches', 'integer'),
  lists: new Listing('lists', 'integer'),
} as const;

/** The batches of an owner: seen, listed, cancelled, deleted. */
@Injectable()
export class BatchService {
  constructor(
    private readonly database: DataSource,
    private readonly batches: BatchStore,
    private readonly settlement: BatchSettlementService,
    private readonly intake: BatchIntakeService,
    private readonly bell: BatchBell,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /**
   * Takes a list in and wakes a worker for each of its chunks.
   * @throws AppError what `BatchIntakeService.take` throws
   */
  async submit(
    principal: Principal,
    rows: AsyncIterable<RowPiece>,
    settings: IntakeSettings,
    claim: Claim | null = null,
    kind: BatchKind = 'verify',
  ): Promise<TakenBatch> {
    const taken = await this.intake.take(principal, rows, settings, claim, kind);
    const ring = async () => {
      await this.bell.ring(Math.ceil(taken.uniqueAddresses / CHUNK_SIZE));
      // A URL that is named first is asked at once.
      if (taken.webhook?.secret) await this.settlement.tell();
    };
    if (claim === null) void ring();
    else claim.afterCommit(ring);
    return taken;
  }

  /** @throws AppError `batch_not_found`, also for another owner's */
  async get(principal: Principal, id: number, kind: BatchKind = 'verify'): Promise<Batch> {
    const batch = await this.batches.findOf(ownerOf(principal), id, kind);
    if (batch === null) throw new AppError('batch_not_found');
    return batch;
  }

  /** @throws AppError `batch_not_found`, `batch_not_finished` */
  async getFinished(principal: Principal, id: number, kind: BatchKind = 'verify'): Promise<Batch> {
    const batch = await this.get(principal, id, kind);
    if (isFinished(batch.state)) return batch;
    const end = estimatedEnd(batch, this.clock.now());
    const seconds = end === null ? 1 : (end.getTime() - this.clock.now()) / 1000;
    const retryAfterSeconds = Math.min(MOST_RETRY_SECONDS, Math.max(1, seconds));
    throw new AppError('batch_not_finished', { retryAfterSeconds });
  }

  /** Of any account, for whoever holds a link to its results; null when it has not ended or was deleted. */
  async findFinished(id: number): Promise<Batch | null> {
    const batch = await this.batches.find(id);
    return batch !== null && isFinished(batch.state) ? batch : null;
  }

  /** Newest first. */
  list(
    principal: Principal,
    query: PageQuery,
    { completedOnly = false, kind = 'verify' }: { completedOnly?: boolean; kind?: BatchKind } = {},
  ): Promise<Page<Batch>> {
    const owner = ownerOf(principal);
    return LISTINGS[completedOnly ? 'lists' : kind].page(
      query,
      ({ after, limit }) => this.batches.list(owner, { after, limit: limit + 1, completedOnly, kind }),
      ({ createdAt, id }) => ({ at: createdAt, id: String(id) }),
    );
  }

  /** Renames a completed batch. @throws AppError `list_not_found` */
  async rename(principal: Principal, id: number, name: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (!(await this.batches.rename(tx, ownerOf(principal), id, name))) throw new AppError('list_not_found');
      await recordOwnAct(tx, principal, this.now(), 'list.rename', { batch_id: id });
    });
  }

  /**
   * Cancels a batch that runs; deletes a finished one with every address of it.
   * @param what as which the caller names it
   * @returns the cancelled batch, or null when it was deleted
   * @throws AppError `batch_not_found`
   */
  async remove(
    principal: Principal,
    id: number,
    kind: BatchKind = 'verify',
    what: 'batch' | 'list' = 'batch',
  ): Promise<Batch | null> {
    const ended = await this.database.transaction(async (tx) => {
      const batch = await this.batches.lock(tx, id);
      if (batch === null || !isOwn(ownerOf(principal), batch) || batch.kind !== kind || batch.state === 'receiving')
        throw new AppError('batch_not_found');
      if (isFinished(batch.state)) {
        await this.batches.delete(tx, id);
        await recordOwnAct(tx, principal, this.now(), `${what}.delete`, { batch_id: id, kind });
        return null;
      }
      const cancelled = await this.settlement.end(tx, batch, 'cancel', this.now());
      if (cancelled !== null) await recordOwnAct(tx, principal, this.now(), 'batch.cancel', { batch_id: id, kind });
      return cancelled;
    });
    if (ended !== null) void this.settlement.tell();
    return ended;
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}
