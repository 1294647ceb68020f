import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { ReadDatabase } from '../../platform/database/read-database.js';
import type { Batch } from '../model/batch.js';
import { type BatchKind, kindOf } from '../model/batch-kind.js';
import { type OwnNames, ownNames } from './table-columns.js';
import { type ChunkResult, passesFilter, type PassDecoder, type RowFilter, wantsAll } from '../model/chunk-result.js';
import { type OrderedRows, ResultsStore, type SentRows } from './results.store.js';
import { CHUNK_SIZE, chunkOfRowRef, offsetOfRowRef } from '../model/row-ref.js';

/** The result for one row that the caller sent. */
export interface ResultRow {
  /** From 0, in the order of submission. */
  readonly position: number;
  readonly result: ChunkResult;
  /** Null when the caller sent none. */
  readonly extraColumns: readonly string[] | null;
}

/** Which rows are read. */
export interface RowSelection extends RowFilter {
  /** Position to begin at. */
  readonly from: number;
  /** The batch still runs: rows that wait for an answer are given too, where all are wanted. */
  readonly isPartial: boolean;
}

interface ResultPage {
  readonly rows: readonly ResultRow[];
  readonly names: OwnNames;
  /** Position of the next row; null on the last page. */
  readonly next: number | null;
}

interface ResultBlocks {
  readonly names: OwnNames;
  readonly blocks: AsyncGenerator<Iterable<ResultRow>>;
}

interface ChunkPasses {
  readonly items: readonly string[];
  /** The first one first. */
  readonly passes: readonly PassDecoder[];
}

/** Chunks kept in memory: as many as the packer fills at the same time, and some more for duplicates. */
const CHUNKS_IN_MEMORY = 112;
/** Characters of extra columns and their names in one page. A page is built in memory, and one CSV row may be large. */
const PAGE_CHARACTERS = 8_388_608;
/** Chunks in one statement, few enough that its reply stays small. */
const CHUNK_PAGE_SIZE = 8;
/** The most blocks in one statement, because a statement costs more than reading a few rows. */
const BLOCK_PAGE_SIZE = 4;

/** Results in the order of submission, although workers store them by mail domain. */
@Injectable()
export class ResultsService {
  constructor(
    private readonly store: ResultsStore,
    private readonly reads: ReadDatabase,
  ) {}

  /**
   * Reads the results block by block. Each row is built when it is taken, and can be taken once: built rows that wait for a slow reader
   * would be promoted to V8's old generation. Rows without a result, as in a cancelled batch, are left out.
   */
  read(batch: Batch, wanted: RowSelection): ResultBlocks {
    return { names: ownNames(batch.columns), blocks: this.blocks(batch, wanted) };
  }

  /** Reads results until there are `limit`, or until their extra columns fill a page. */
  async page(batch: Batch, wanted: RowSelection, limit: number): Promise<ResultPage> {
    const isSmall = !batch.isOrdered && limit < CHUNK_SIZE && wantsAll(wanted) && !wanted.isPartial;
    const names = ownNames(batch.columns);
    // One row more tells where the next page begins.
    const blocks = isSmall ? this.partsOfBlocks(batch, wanted, limit + 1) : this.blocks(batch, wanted);
    const rows: ResultRow[] = [];
    const charactersOfNames = (names.columns ?? []).reduce((sum, name) => sum + name.length, 0);
    let characters = 0;
    for await (const block of blocks)
      for (const row of block) {
        characters += charactersOfNames;
        for (const value of row.extraColumns ?? []) characters += value.length;
        const isFull = rows.length === limit || (rows.length > 0 && characters > PAGE_CHARACTERS);
        if (isFull) return { rows, names, next: row.position };
        rows.push(row);
      }
    return { rows, names, next: null };
  }

  private async *blocks(batch: Batch, wanted: RowSelection): AsyncGenerator<Iterable<ResultRow>> {
    if (!batch.isOrdered) return yield* this.blocksOfChunks(batch, wanted);
    const first = Math.floor(wanted.from / CHUNK_SIZE);
    const end = Math.ceil(batch.totalRows / CHUNK_SIZE);
    let left = wantsAll(wanted)
      ? Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i)
      : await this.store.findLikelyBlocks(batch.id, first, wanted);
    // A page mostly needs one block only.
    for (let size = 1; left.length > 0; size = BLOCK_PAGE_SIZE) {
      const blocks = await this.store.findOrdered(batch.id, left.slice(0, size));
      // Deleted, or begun again since the batch was looked up: then its chunks say what there is.
      if (blocks.length === 0)
        return yield* this.blocksOfChunks(batch, { ...wanted, from: Math.max(wanted.from, left[0]! * CHUNK_SIZE) });
      for (const block of blocks) yield orderedRowsOf(batch, block, wanted);
      left = left.slice(blocks.length);
    }
  }

  private async *blocksOfChunks(batch: Batch, wanted: RowSelection): AsyncGenerator<Iterable<ResultRow>> {
    const cache = new LRUCache<number, ChunkPasses>({ max: CHUNKS_IN_MEMORY });
    const pending = wanted.isPartial && wantsAll(wanted) ? kindOf(batch).pending : null;
    const first = Math.floor(wanted.from / CHUNK_SIZE);
    const likely = await this.likelyChunks(batch, wanted);
    if (likely !== null) {
      for await (const number of this.store.blocksWith(batch.id, first, likely)) {
        const { blocks, chunks } = await this.reads.read((tx) => this.blockPage(tx, batch, number, cache, likely));
        for (const sent of blocks) yield rowsOf(sent, chunks, wanted, pending);
      }
      return;
    }
    for (let number = first; number * CHUNK_SIZE < batch.totalRows;) {
      // Repartitioning moves rows to other chunks, so both are read of one moment while the batch runs.
      const page = (tx: EntityManager) => this.blockPage(tx, batch, number, cache);
      const { blocks, chunks } = await this.reads.read((tx) =>
        wanted.isPartial ? tx.transaction('REPEATABLE READ', page) : page(tx),
      );
      if (blocks.length === 0) return;
      for (const sent of blocks) yield rowsOf(sent, chunks, wanted, pending);
      number += blocks.length;
    }
  }

  /** All rows, for a page: only the chunks of its own rows are read, because the thousand rows of a block may lie in a hundred chunks. */
  private async *partsOfBlocks(batch: Batch, { from, ...filter }: RowSelection, size: number) {
    const cache = new LRUCache<number, ChunkPasses>({ max: CHUNKS_IN_MEMORY });
    for (let number = Math.floor(from / CHUNK_SIZE); number * CHUNK_SIZE < batch.totalRows; number++) {
      const [sent] = await this.reads.read((tx) => this.store.findRows(tx, batch.id, number, 1));
      if (sent === undefined) return;
      const first = number * CHUNK_SIZE;
      for (let at = Math.max(0, from - first); at < sent.rowRefs.length; at += size) {
        const part = { ...sent, rowRefs: sent.rowRefs.slice(at, at + size) };
        const chunks = await this.reads.read((tx) => this.chunksOf(tx, batch, [part], cache, null));
        const upTo = { ...sent, rowRefs: sent.rowRefs.slice(0, at + size) };
        yield rowsOf(upTo, chunks, { ...filter, from: first + at }, null);
      }
    }
  }

  /** The chunks outside which no wanted row can be; null: any may have one, or they are not known to stay where they are. */
  private async likelyChunks(batch: Batch, { domains, isPartial }: RowSelection): Promise<ReadonlySet<number> | null> {
    return domains === null || isPartial ? null : this.store.findChunksNaming(batch.id, [...domains]);
  }

  /** @param only the chunks that are read, and then of one block: those that follow may have none of them */
  private async blockPage(
    tx: EntityManager,
    batch: Batch,
    from: number,
    cache: LRUCache<number, ChunkPasses>,
    only: ReadonlySet<number> | null = null,
  ) {
    const blocks = await this.store.findRows(tx, batch.id, from, only === null ? BLOCK_PAGE_SIZE : 1);
    return { blocks, chunks: await this.chunksOf(tx, batch, blocks, cache, only) };
  }

  private async chunksOf(
    tx: EntityManager,
    batch: Batch,
    blocks: readonly SentRows[],
    cache: LRUCache<number, ChunkPasses>,
    only: ReadonlySet<number> | null,
  ) {
    const kind = kindOf(batch);
    const wanted = new Set<number>();
    for (const { rowRefs } of blocks) for (const ref of rowRefs) wanted.add(chunkOfRowRef(ref));
    const found = new Map<number, ChunkPasses>();
    const missing = [...wanted].filter((chunk) => {
      if (only?.has(chunk) === false) return false;
      const known = cache.get(chunk);
      if (known !== undefined) found.set(chunk, known);
      return known === undefined;
    });
    for (let i = 0; i < missing.length; i += CHUNK_PAGE_SIZE)
      for (const { chunk, items, passes: packed } of await this.store.findPasses(
        tx,
        batch.id,
        missing.slice(i, i + CHUNK_PAGE_SIZE),
      )) {
        const known = { items, passes: packed.map((text) => kind.decode(text, items)) };
        // A chunk without results may be repartitioned before the next page is read; one with results stays.
        if (packed.length > 0) cache.set(chunk, known);
        found.set(chunk, known);
      }
    return found;
  }
}

function* rowsOf(
  { number, repeated, rowRefs, extraColumns }: SentRows,
  chunks: ReadonlyMap<number, ChunkPasses>,
  wanted: RowSelection,
  pending: BatchKind['pending'] | null,
): Generator<ResultRow, void> {
  rows: for (let i = Math.max(0, wanted.from - number * CHUNK_SIZE); i < rowRefs.length; i++) {
    const ref = rowRefs[i]!;
    const offset = offsetOfRowRef(ref);
    const chunk = chunks.get(chunkOfRowRef(ref));
    if (chunk === undefined) continue;
    for (const pass of chunk.passes) {
      const fact = pass.factAt(offset);
      if (fact === null) continue;
      // The filter comes before the building, because a file of invalid addresses leaves most results out.
      if (passesFilter(wanted, fact, () => pass.domainAt(offset)))
        yield {
          position: number * CHUNK_SIZE + i,
          result: pass.at(offset, repeated[i]?.trim()),
          extraColumns: extraColumns?.[i] ?? null,
        };
      continue rows;
    }
    if (pending !== null)
      yield {
        position: number * CHUNK_SIZE + i,
        result: pending(repeated[i]?.trim() ?? chunk.items[offset]!, offset),
        extraColumns: extraColumns?.[i] ?? null,
      };
  }
}

function* orderedRowsOf(
  batch: Batch,
  { number, items, results, extraColumns }: OrderedRows,
  wanted: RowSelection,
): Generator<ResultRow, void> {
  const pass = kindOf(batch).decode(results, items);
  for (let i = Math.max(0, wanted.from - number * CHUNK_SIZE); i < items.length; i++) {
    const fact = pass.factAt(i);
    if (fact !== null && passesFilter(wanted, fact, () => pass.domainAt(i)))
      yield { position: number * CHUNK_SIZE + i, result: pass.at(i), extraColumns: extraColumns?.[i] ?? null };
  }
}
