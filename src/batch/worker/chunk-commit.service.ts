import { type ChunkResults, MAX_ATTEMPTS } from './leased-chunk.js';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { WorkSum, type UsedWork } from '../../credits/usage/used-work.js';
import { BatchSettlementService } from '../model/batch-settlement.service.js';
import { type Batch, transition } from '../model/batch.js';
import { encodeRowRef } from '../model/row-ref.js';
import { ReportedDenials } from '../../resolver/reported-denials.js';
import { ChunkStore, CHUNK_ENDS } from './chunk.store.js';
import { BatchStore, END } from '../model/batch.store.js';
import { setTimeout as delay } from 'node:timers/promises';
import { MicroBatcher } from '../../lib/micro-batcher.js';
import { isSubscribed } from '../../events/outbox.js';
import { definePrepared } from '../../platform/database/prepared.js';
import { isOutage } from '../../platform/errors/outage.js';
import { BATCH_COLUMNS, type BatchRow, toBatch, type VerdictCounts } from '../model/batch-row.js';

/** The last pass of the last open chunk of a batch. */
interface LastPass {
  readonly batchId: number;
  readonly number: number;
  readonly pass: number;
  readonly results: string;
  readonly counts: VerdictCounts;
  readonly creditsCharged: number;
}

interface CompletedBatch {
  readonly batch: Batch;
  /** The owner has endpoints: one of them may have to be told. */
  readonly isHeard: boolean;
}

/**
 * Stores the last passes of the last open chunks of batches, each of another one, closes the chunks, counts and completes the batches, in the
 * order of locks: each step reads what the one before has returned, and locks by ascending id.
 * @returns the completed batches. Of the others nothing is stored: the pass was stored before, the batch has ended or is just being changed, or
 * other chunks are open.
 * @throws Error when a pass was stored and its batch not completed: then the caller rolls back
 */
export async function storeLastPasses(
  tx: EntityManager,
  passes: readonly LastPass[],
  at: Date,
): Promise<CompletedBatch[]> {
  const each = <Value>(valueOf: (pass: LastPass) => Value) => passes.map(valueOf);
  const rows = await complete(
    tx,
    each(({ batchId }) => batchId),
    each(({ number }) => number),
    each(({ pass }) => pass),
    each(({ results }) => results),
    each(({ counts }) => counts.valid),
    each(({ counts }) => counts.invalid),
    each(({ counts }) => counts.risky),
    each(({ counts }) => counts.unknown),
    each(({ creditsCharged }) => creditsCharged),
    at,
  );
  const completed = rows.filter((row): row is CompletedRow => row.id !== null);
  const stored = rows[0]?.stored ?? 0;
  if (stored !== completed.length)
    throw new Error(`${stored} last passes were stored, ${completed.length} batches completed`);
  return completed.map((row) => ({ batch: toBatch(row), isHeard: row.is_heard }));
}

interface CompletedRow extends BatchRow {
  readonly is_heard: boolean;
  readonly stored: number;
}

/** Where none was completed, there is one row all the same: it tells how many passes were stored. */
type CompletedOrNone = CompletedRow | { readonly id: null; readonly stored: number };

/** A balance that is locked for longer keeps no other account waiting: the rest of the transaction fails, and batches are committed alone. */
const MAX_WAIT_MS = 1_000;

// Nobody deletes or ends a batch whose row has the key-share lock until the transaction ends; whoever does so now is not waited for.
const complete = definePrepared<CompletedOrNone>(
  'completeBatches',
  `WITH last AS (
     SELECT * FROM unnest($1::bigint[], $2::integer[], $3::smallint[], $4::text[], $5::integer[], $6::integer[], $7::integer[],
                          $8::integer[], $9::bigint[])
       AS last (last_id, chunk, pass, results, more_valid, more_invalid, more_risky, more_unknown, more_charged)
   ), running AS MATERIALIZED (
     SELECT id FROM batches WHERE id = ANY ($1) AND state IN ('queued', 'processing') AND open_chunks = 1
      ORDER BY id FOR KEY SHARE SKIP LOCKED
   ), stored AS (
     INSERT INTO batch_results (batch_id, chunk, pass, results)
     SELECT id, chunk, pass, results FROM running JOIN last ON last_id = id ORDER BY id
     ON CONFLICT DO NOTHING RETURNING batch_id, chunk
   ), closing AS MATERIALIZED (
     SELECT chunk.batch_id, chunk.number FROM batch_chunks AS chunk JOIN stored ON stored.batch_id = chunk.batch_id AND stored.chunk = chunk.number
      WHERE chunk.batch_id = ANY ($1) ORDER BY chunk.batch_id FOR UPDATE OF chunk
   ), closed AS (
     UPDATE batch_chunks AS chunk SET ${CHUNK_ENDS}
       FROM closing WHERE chunk.batch_id = ANY ($1) AND chunk.batch_id = closing.batch_id AND chunk.number = closing.number
     RETURNING chunk.batch_id
   ), completed AS (
     UPDATE batches
        SET state = '${transition('processing', 'complete')}', open_chunks = 0, valid = valid + more_valid, invalid = invalid + more_invalid,
            risky = risky + more_risky, unknown = unknown + more_unknown, credits_charged = credits_charged + more_charged, ${END('$10')}
       FROM closed JOIN last ON last_id = closed.batch_id
      WHERE batches.id = closed.batch_id AND batches.id = ANY ($1) AND state IN ('queued', 'processing') AND open_chunks = 1
     RETURNING ${BATCH_COLUMNS}, ${isSubscribed('batches')} AS is_heard
   )
   SELECT completed.*, number.stored, number.patience
     FROM (SELECT count(*)::integer AS stored, set_config('lock_timeout', '${MAX_WAIT_MS}', true) AS patience FROM stored) AS number
     LEFT JOIN completed ON true`,
);

/** Batches that are completed by one transaction: as many small ones as are leased together. */
const MAX_TOGETHER = 32;
/** The pause in which batches that end often gather; one that ends alone never waits for it. */
const GATHER_MS = 25;

interface EndingPass {
  readonly batch: Batch;
  readonly pass: ChunkResults;
  readonly at: Date;
}

/**
 * Commits the last open chunks of batches, all that small batches have, by few statements for many of them: results, counters, state, credits
 * and events in one transaction. What it does not complete stays as it was, and is committed batch by batch (`ChunkCommitService`).
 */
class LastCommits {
  private readonly logger = new Logger(LastCommits.name);
  private readonly together = new MicroBatcher<EndingPass, boolean>((some) => this.commitAll(some), MAX_TOGETHER, {
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
  private async commitAll(some: readonly EndingPass[]): Promise<boolean[]> {
    try {
      return await this.complete(some);
    } catch (error) {
      if (isOutage(error)) throw error;
      // One of them is at fault, or was in the way of others: each is committed by itself.
      this.logger.warn(`${some.length} batches are completed one by one: ${(error as Error).message}`);
      return some.map(() => false);
    }
  }

  private async complete(some: readonly EndingPass[]): Promise<boolean[]> {
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

/** Rolls back the transaction of a batch that has ended. */
class BatchEnded extends Error {}

/** Commits results of chunks: results, credits and counters in one transaction, exactly once. */
@Injectable()
export class ChunkCommitService {
  private readonly logger = new Logger(ChunkCommitService.name);
  private readonly last: LastCommits;

  constructor(
    private readonly database: DataSource,
    private readonly batches: BatchStore,
    private readonly chunks: ChunkStore,
    readonly settlement: BatchSettlementService,
    private readonly denials: ReportedDenials,
  ) {
    this.last = new LastCommits(database, settlement, (batch, pass) => this.tellDenials(batch, [pass], null));
  }

  /**
   * Leaves out passes that another worker has committed before. The transaction that stores the last results of a batch also
   * completes it and releases the credits that were not charged.
   *
   * Locks in this order, as every transaction on batches does: results and chunks by their numbers, the row of `batches`,
   * credits.
   * @returns false when the batch no longer runs, and nothing is stored or charged
   */
  async commit(batch: Batch, passes: readonly ChunkResults[], at: Date): Promise<boolean> {
    if (await this.last.commit(batch, passes, at)) return true;
    let isTold = false;
    let done: readonly UsedWork[] = [];
    let told: readonly ChunkResults[] = [];
    let utcDate: string | null = null;
    try {
      await this.database.transaction(async (tx) => {
        const stored = await this.chunks.storePasses(tx, batch.id, passes);
        told = stored;
        if (stored.length === 0) return;
        const { counts, creditsCharged, works, closed } = sumOf(stored);
        done = works;
        const left = await this.batches.moveCounters(tx, batch.id, counts, creditsCharged, closed);
        if (left === null) throw new BatchEnded();
        if (stored.some(({ denials }) => denials.length > 0)) utcDate = await this.settlement.dayOf(tx, batch);
        await this.settlement.charge(tx, batch, creditsCharged, works);
        if (left === 0) isTold = (await this.settlement.end(tx, batch, 'complete', at))?.isTold ?? false;
      });
    } catch (error) {
      if (error instanceof BatchEnded) return false;
      throw error;
    }
    this.settlement.countWork(batch, done);
    this.tellDenials(batch, told, utcDate);
    if (isTold) await this.settlement.tell();
    return true;
  }

  /**
   * Fails batches that a fault of ours keeps from completing: stored results stay, and the credits reserved for other items are
   * released.
   */
  async failExhausted(at: Date): Promise<void> {
    for (const id of await this.chunks.exhausted(at)) {
      const failed = await this.database.transaction(async (tx) => {
        const batch = await this.batches.lock(tx, id);
        // A commit of results either has moved the batch's counters before, or waits for this lock and then finds the batch ended.
        if (batch === null || !(await this.chunks.isExhausted(tx, id, at))) return null;
        return this.settlement.end(tx, batch, 'fail', at);
      });
      if (failed === null) continue;
      this.logger.error(`batch ${id} has failed: workers began its rest ${MAX_ATTEMPTS} times without a result`);
      if (failed.isTold) await this.settlement.tell();
    }
  }

  /** @param utcDate of the free credits that have paid; null: a balance has */
  private tellDenials(batch: Batch, passes: readonly ChunkResults[], utcDate: string | null): void {
    const { id: batchId, accountId, simulated, kind } = batch;
    if (simulated || kind !== 'verify') return;
    this.denials.add(
      passes.flatMap(({ chunk, denials }) =>
        denials.map(({ offset, verification: { email, normalizedEmail, checkedAt: at }, creditsCharged: credits }) => {
          const row = { batchId, ref: encodeRowRef(chunk.number, offset) };
          return { accountId, address: normalizedEmail ?? email, at, credits, utcDate, requestId: null, row };
        }),
      ),
    );
  }
}

function sumOf(passes: readonly ChunkResults[]) {
  const counts = { valid: 0, invalid: 0, risky: 0, unknown: 0 };
  let creditsCharged = 0;
  let closed = 0;
  const works = new WorkSum();
  for (const pass of passes) {
    counts.valid += pass.counts.valid;
    counts.invalid += pass.counts.invalid;
    counts.risky += pass.counts.risky;
    counts.unknown += pass.counts.unknown;
    creditsCharged += pass.creditsCharged;
    for (const work of pass.works) works.add(work);
    if (pass.retryPass === null) closed += 1;
  }
  return { counts, creditsCharged, works: works.toArray(), closed };
}
