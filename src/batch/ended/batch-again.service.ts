import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Owner } from '../../keys/access/owner.js';
import type { Payer } from '../../keys/access/principal.js';
import { AppError } from '../../platform/errors/app-error.js';
import { newTraceId } from '../../platform/logging/trace.js';
import { KeptBlock, KeptBlockBuilder } from '../../reuse/kept-block.js';
import { ADDRESSES, type BatchKind, type PassDecoder } from '../model/batch-kind.js';
import { newBatchId } from '../model/batch-row.js';
import { BatchSettlementService, reservedBy } from '../model/batch-settlement.service.js';
import { type Batch, transition } from '../model/batch.js';
import { BatchStore } from '../model/batch.store.js';
import type { Verdict } from '../model/chunk-result.js';
import { chunkOfRowRef, encodeRowRef, offsetOfRowRef } from '../model/row-ref.js';
import { ResultsStore } from '../results/results.store.js';
import { BatchAgainStore } from './batch-again.store.js';
import { BatchReuseService } from './batch-reuse.service.js';
import { ERASED_ANSWER, ERASED_TEXT } from './erased-pass.js';

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
    private readonly store: BatchAgainStore,
    private readonly results: ResultsStore,
    private readonly settlement: BatchSettlementService,
    private readonly reuse: BatchReuseService,
  ) {}

  /** Keeps what ended lately, before the transaction of `begin`. */
  async prepare({ source, reuseDays }: Pick<AgainOrder, 'source' | 'reuseDays'>): Promise<void> {
    if (reuseDays > 0) await this.reuse.prepare(source);
  }

  /** The first step of a transaction that calls `begin`, before it locks anything else. */
  async holdErasures(tx: EntityManager, { accountId, simulated }: Batch): Promise<void> {
    await this.store.holdErasures(tx, { accountId, simulated });
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
    await this.store.copy(tx, source.id, id, at);
    await this.store.inheritErasures(tx, source.id, id);
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
      chunks: (await this.store.chunkNumbers(tx, id)).length,
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
    for await (const { number, size, isErased, answerOf: answerBefore, next: answerAfter } of this.pairs(
      tx,
      before,
      after,
    ))
      for (let offset = 0; offset < size; offset++) {
        if (isErased(offset)) continue;
        const [was, is] = [answerBefore(offset), answerAfter(offset)];
        if (was !== null && is !== null && was.verdict !== is.verdict)
          yield { ref: encodeRowRef(number, offset), before: was, after: is };
      }
  }

  /** The addresses at these places of a batch; one whose batch is gone is missing. */
  async addressesAt(tx: EntityManager, id: number, refs: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const numbers = [...new Set(refs.map(chunkOfRowRef))];
    const found = new Map<number, string>();
    for (let i = 0; i < numbers.length; i += CHUNK_PAGE_SIZE) {
      const chunks = await this.store.items(tx, id, numbers.slice(i, i + CHUNK_PAGE_SIZE));
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
    const numbers = await this.store.chunkNumbers(tx, source.id);
    for (let i = 0; i < numbers.length; i += CHUNK_PAGE_SIZE) {
      const byChunk = new Map<number, Buffer>();
      for (const one of await this.results.findPasses(tx, source.id, numbers.slice(i, i + CHUNK_PAGE_SIZE))) {
        const decoders = one.passes.map((pass) => ADDRESSES.decode(pass, one.items));
        const { block, taken } = keptOf(one.items, decoders, verdicts, reusable.byChunk.get(one.chunk));
        count += block.count;
        malformed += one.items.filter((item, at) => !taken.has(at) && ADDRESSES.isMalformed(item)).length;
        if (block.count > 0) byChunk.set(one.chunk, block.toBuffer());
      }
      await this.reuse.setKept(tx, id, byChunk);
    }
    return { kept: count, malformed };
  }

  private async *pairs(tx: EntityManager, before: number, after: number) {
    const numbers = await this.store.chunkNumbers(tx, after);
    for (let i = 0; i < numbers.length; i += CHUNK_PAGE_SIZE) {
      const page = numbers.slice(i, i + CHUNK_PAGE_SIZE);
      const old = new Map((await this.results.findPasses(tx, before, page)).map((one) => [one.chunk, one]));
      for (const { chunk, items, passes } of await this.results.findPasses(tx, after, page)) {
        const was = old.get(chunk);
        if (was === undefined) continue;
        const next = answersOf(items, passes);
        const isErased = (offset: number): boolean => items[offset] === ERASED_TEXT;
        yield { number: chunk, size: items.length, isErased, answerOf: answersOf(was.items, was.passes), next };
      }
    }
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
function keptOf(
  items: readonly string[],
  decoders: readonly PassDecoder[],
  asked: ReadonlySet<Verdict> | null,
  reusable: Buffer | undefined,
): { readonly block: KeptBlockBuilder; readonly taken: ReadonlySet<number> } {
  const block = new KeptBlockBuilder();
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
  const further = reusable === undefined ? null : new KeptBlock(reusable);
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
