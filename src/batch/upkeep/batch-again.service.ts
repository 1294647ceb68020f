import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Owner } from '../../keys/access/owner.js';
import type { Payer } from '../../keys/access/principal.js';
import { AppError } from '../../platform/errors/app-error.js';
import { newTraceId } from '../../platform/logging/trace.js';
import { VerdictBlock, VerdictBlockBuilder } from '../../reuse/verdict-block.js';
import { ADDRESSES, type BatchKind } from '../model/batch-kind.js';
import { newBatchId } from '../model/batch-row.js';
import { BatchSettlementService, reservedBy } from '../model/batch-settlement.service.js';
import { type Batch, transition } from '../model/batch.js';
import { BatchStore } from '../model/batch.store.js';
import type { PassDecoder, Verdict } from '../model/chunk-result.js';
import { chunkOfRowRef, encodeRowRef, offsetOfRowRef } from '../model/row-ref.js';
import { ResultsStore } from '../results/results.store.js';
import { BatchReuseService } from './batch-reuse.service.js';
import { ERASED_ANSWER, ERASED_TEXT } from './erased-pass.js';
import { lockErasures } from './batch-erasure.service.js';

/** Chunks whose results are in memory together. */
const CHUNK_PAGE_SIZE = 16;

/** What is to be verified once more, and how. */
interface AgainOrder {
  /** A completed batch of addresses whose rows are verified. */
  readonly source: Batch;
  readonly listId: number;
  readonly name: string | null;
  readonly payer: Payer;
  /** Answers that are asked for again, besides `unknown`; the others stay as they are, for nothing. Null: all are asked for. */
  readonly verdicts: ReadonlySet<Verdict> | null;
  readonly reuseDays: number;
  /** Null: whatever it costs. */
  readonly maxCredits: number | null;
  readonly at: Date;
}

export interface Answer {
  readonly verdict: Verdict;
  readonly reason: string;
}

/** An item whose verdict differs between two batches of the same rows. */
export interface ChangedAnswer {
  /** Its place, as a row ref. */
  readonly ref: number;
  readonly before: Answer;
  readonly after: Answer;
}

/** Verifies the rows of a batch again, as a batch of their own, and tells what has changed. */
@Injectable()
export class BatchAgainService {
  constructor(
    private readonly batches: BatchStore,
    private readonly results: ResultsStore,
    private readonly settlement: BatchSettlementService,
    private readonly reuse: BatchReuseService,
  ) {}

  /** Keeps what ended lately, before the transaction of `begin`. */
  async prepare({ source, reuseDays }: Pick<AgainOrder, 'source' | 'reuseDays'>): Promise<void> {
    if (reuseDays > 0) await this.reuse.prepare(source);
  }

  /**
   * Queues a batch with the rows of another one; the caller calls `wakeWorkers` when it is committed.
   * @throws AppError `batch_not_found` for a source that is gone, `credits_insufficient`, `ceiling_reached`
   */
  async begin(tx: EntityManager, order: AgainOrder): Promise<Batch> {
    const { source, payer, at } = order;
    const { accountId, simulated, kind } = source;
    const owner = { accountId, simulated };
    if ((await this.batches.lock(tx, source.id)) === null) throw new AppError('batch_not_found');
    const id = newBatchId(at.getTime());
    const { keyId, policy } = payer;
    await this.batches.insert(tx, {
      ...owner,
      id,
      keyId,
      policy: policy.name,
      kind,
      createdAt: at,
      listId: order.listId,
      traceId: newTraceId(),
    });
    await this.copy(tx, source.id, id, at);
    await this.inheritErasures(tx, source.id, id);
    const { kept: reused, malformed } = await this.keep(tx, id, order);
    const items = source.uniqueAddresses - reused;
    const work = { id, kind, policy: policy.name, items, malformed, maxCredits: order.maxCredits };
    const reserved = reservedBy(await this.settlement.reserve(tx, payer, work));
    const isQueued = await this.batches.receive(tx, id, {
      state: transition('receiving', 'receive')!,
      name: order.name,
      webhookUrl: null,
      columns: source.columns,
      retentionDays: Math.min(source.retentionDays, policy.retentionDays),
      retryWindowSeconds: source.retryWindowSeconds,
      totalRows: source.totalRows,
      uniqueAddresses: source.uniqueAddresses,
      malformed,
      openChunks: (await this.chunkNumbers(tx, id)).length,
      ...reserved,
      reused,
      expiresAt: null,
    });
    const batch = isQueued ? await this.batches.lock(tx, id) : null;
    if (batch === null) throw new Error(`batch ${id} was not queued`);
    return batch;
  }

  wakeWorkers(batch: Batch): Promise<void> {
    return this.settlement.wakeWorkers(batch);
  }

  /** Verdicts that differ between two batches whose items have the same places, in the order of these. */
  async *changes(tx: EntityManager, before: number, after: number): AsyncGenerator<ChangedAnswer> {
    const numbers = await this.chunkNumbers(tx, after);
    for (let i = 0; i < numbers.length; i += CHUNK_PAGE_SIZE) {
      const page = numbers.slice(i, i + CHUNK_PAGE_SIZE);
      const old = new Map((await this.results.findPasses(tx, before, page)).map((one) => [one.chunk, one]));
      for (const { chunk, items, passes } of await this.results.findPasses(tx, after, page)) {
        const source = old.get(chunk);
        if (source === undefined) continue;
        const [answerBefore, answerAfter] = [answersOf(source.items, source.passes), answersOf(items, passes)];
        for (const [offset, item] of items.entries()) {
          if (item === ERASED_TEXT) continue;
          const [was, is] = [answerBefore(offset), answerAfter(offset)];
          if (was !== null && is !== null && was.verdict !== is.verdict)
            yield { ref: encodeRowRef(chunk, offset), before: was, after: is };
        }
      }
    }
  }

  /** The addresses at these places of a batch; one whose batch is gone is missing. */
  async addressesAt(tx: EntityManager, id: number, refs: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const numbers = [...new Set(refs.map(chunkOfRowRef))];
    const found = new Map<number, string>();
    for (let i = 0; i < numbers.length; i += CHUNK_PAGE_SIZE) {
      const chunks = await this.items(tx, id, numbers.slice(i, i + CHUNK_PAGE_SIZE));
      for (const ref of refs) {
        const address = chunks.get(chunkOfRowRef(ref))?.[offsetOfRowRef(ref)];
        if (address !== undefined) found.set(ref, address);
      }
    }
    return found;
  }

  /** Gives items the verdicts that they get again. @returns how many, and how many of the others are malformed */
  private async keep(tx: EntityManager, id: number, { source, verdicts, reuseDays }: AgainOrder) {
    const { accountId, simulated } = source;
    const reusable = await this.reuse.give(tx, { id, accountId, simulated }, null, reuseDays);
    let count = 0;
    let malformed = 0;
    const numbers = await this.chunkNumbers(tx, source.id);
    for (let i = 0; i < numbers.length; i += CHUNK_PAGE_SIZE) {
      const byChunk = new Map<number, Buffer>();
      for (const one of await this.results.findPasses(tx, source.id, numbers.slice(i, i + CHUNK_PAGE_SIZE))) {
        const decoders = one.passes.map((pass) => ADDRESSES.decode(pass, one.items));
        const { block, taken } = unchangedOf(one.items, decoders, verdicts, reusable.byChunk.get(one.chunk));
        count += block.count;
        malformed += one.items.filter((item, at) => !taken.has(at) && ADDRESSES.isMalformed(item)).length;
        if (block.count > 0) byChunk.set(one.chunk, block.toBuffer());
      }
      await this.reuse.setKept(tx, id, byChunk);
    }
    return { kept: count, malformed };
  }

  /** Copies all rows and chunks; the numbers of chunks and the places of items in them stay. */
  private async copy(tx: EntityManager, from: number, to: number, at: Date): Promise<void> {
    await tx.query(
      `INSERT INTO batch_rows (batch_id, number, items, row_refs, extra_columns)
       SELECT $2, number, items, row_refs, extra_columns FROM batch_rows WHERE batch_id = $1`,
      [from, to],
    );
    // By operator: these chunks are never repartitioned, so that items stay where they are in every version.
    await tx.query(
      `INSERT INTO batch_chunks (batch_id, number, partition, partitioned_by, size, items, duplicates, due_at)
       SELECT $2, number, partition, 'operator', size, items, duplicates, $3 FROM batch_chunks WHERE batch_id = $1`,
      [from, to, at],
    );
  }

  /**
   * Keeps the erasures of an owner from beginning and from going on until the transaction ends: what begins later finds the copy by itself
   * (`privacy`). The first step of a transaction that calls `begin`: erasures lock themselves before their batches.
   */
  async holdErasures(tx: EntityManager, owner: Owner): Promise<void> {
    await lockErasures(tx, owner);
    const open = 'SELECT FROM erasures WHERE account_id = $1 AND simulated = $2 AND finished_at IS NULL FOR KEY SHARE';
    await tx.query(open, [owner.accountId, owner.simulated]);
  }

  /** Erasures that have still to look through a batch look through its copy, too. */
  private async inheritErasures(tx: EntityManager, from: number, to: number): Promise<void> {
    await tx.query(
      `INSERT INTO erasure_batches (erasure_id, batch_id) SELECT erasure_id, $2 FROM erasure_batches WHERE batch_id = $1`,
      [from, to],
    );
  }

  private async chunkNumbers(tx: EntityManager, id: number): Promise<number[]> {
    const rows: { number: number }[] = await tx.query(
      'SELECT number FROM batch_chunks WHERE batch_id = $1 ORDER BY number',
      [id],
    );
    return rows.map(({ number }) => number);
  }

  /** The items of these chunks, by number. */
  private async items(
    tx: EntityManager,
    id: number,
    numbers: readonly number[],
  ): Promise<Map<number, readonly string[]>> {
    const rows: { number: number; items: string }[] = await tx.query(
      'SELECT number, items FROM batch_chunks WHERE batch_id = $1 AND number = ANY ($2)',
      [id, numbers],
    );
    return new Map(rows.map(({ number, items }) => [number, JSON.parse(items) as string[]]));
  }
}

function answersOf(items: readonly string[], passes: readonly string[]): (offset: number) => Answer | null {
  const decoders = passes.map((pass) => ADDRESSES.decode(pass, items));
  return (offset) => {
    for (const decoder of decoders) {
      const verdict = decoder.verdictAt(offset);
      if (verdict !== null) return { verdict, reason: decoder.at(offset).verification.reason };
    }
    return null;
  };
}

/** The verdicts of a chunk that are not asked for again, and those that may be given again anyway. */
function unchangedOf(
  items: readonly string[],
  decoders: readonly PassDecoder[],
  asked: ReadonlySet<Verdict> | null,
  reusable: Buffer | undefined,
): { readonly block: VerdictBlockBuilder; readonly taken: ReadonlySet<number> } {
  const block = new VerdictBlockBuilder();
  const taken = new Set<number>();
  for (const [offset, item] of items.entries()) {
    // An erased address is asked about no more, and costs nothing.
    const isErased = item === ERASED_TEXT;
    if (asked === null && !isErased) continue;
    const decoder = decoders.find((one) => one.verdictAt(offset) !== null);
    const verdict = decoder?.verdictAt(offset) ?? 'unknown';
    const isKept = verdict !== 'unknown' && (isErased || !asked!.has(verdict));
    if (!isKept && !isErased) continue;
    block.add(0, offset, isKept ? decoder!.at(offset).verification : ERASED_ANSWER);
    taken.add(offset);
  }
  const further = reusable === undefined ? null : new VerdictBlock(reusable);
  for (let i = 0; i < (further?.count ?? 0); i++) {
    const offset = further!.low(i);
    if (taken.has(offset)) continue;
    further!.copy(i, block, 0, offset);
    taken.add(offset);
  }
  return { block, taken };
}

/** A list and the batches that have verified it again. Whoever changes them locks the list first. */
@Injectable()
export class BatchVersionsService {
  constructor(private readonly batches: BatchStore) {}

  /** Locks a completed batch that is a list; null when there is none. */
  async lockList(tx: EntityManager, owner: Owner, id: number, kind: BatchKind): Promise<Batch | null> {
    const batch = await this.batches.lockOf(tx, owner, id, kind.name);
    return batch?.state === 'completed' && batch.listId === null ? batch : null;
  }

  /** Locks the list of any account, for workers. */
  lockAny(tx: EntityManager, id: number): Promise<Batch | null> {
    return this.batches.lock(tx, id);
  }

  find(id: number): Promise<Batch | null> {
    return this.batches.find(id);
  }

  /** The newest completed version of a list; null when it was never verified again. */
  async current(listId: number): Promise<Batch | null> {
    return (await this.batches.currentVersions([listId])).get(listId) ?? null;
  }

  /**
   * Says how long a list and its newest version are kept, and lets its older versions go after their retention.
   * @param from null: until somebody says otherwise; else for their retention from then on
   */
  async keep(tx: EntityManager, listId: number, from: Date | null): Promise<void> {
    const versions = await this.batches.lockVersions(tx, listId);
    const [newest] = versions
      .filter(({ state }) => state === 'completed')
      .sort((a, b) => b.finishedAt!.getTime() - a.finishedAt!.getTime() || b.id - a.id);
    await this.batches.keepFrom(tx, newest === undefined ? [listId] : [listId, newest.id], from);
  }

  /** Lets a version that is not the newest any more go after its retention. */
  async release(tx: EntityManager, id: number, from: Date): Promise<void> {
    await this.batches.keepFrom(tx, [id], from);
  }
}
