import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Batch } from '../model/batch.js';
import { kindOf, type PassDecoder } from '../model/batch-kind.js';
import { distinctNames } from './column-names.js';
import type { ChunkResult, Verdict } from './result-codec.js';
import { ResultsStore, type SentRows } from './results.store.js';
import { CHUNK_SIZE, chunkOfRowRef, offsetOfRowRef } from '../model/row-ref.js';

/** The result for one row that the caller sent. */
export interface ResultRow {
  /** From 0, in the order of submission. */
  readonly position: number;
  readonly result: ChunkResult;
  /** Null when the caller sent none. */
  readonly extraColumns: readonly string[] | null;
}

export interface ResultPage {
  readonly rows: readonly ResultRow[];
  /** Distinct names of the extra columns. */
  readonly columns: readonly string[] | null;
  /** Position of the next row; null on the last page. */
  readonly next: number | null;
}

export interface ResultBlocks {
  readonly columns: readonly string[] | null;
  readonly blocks: AsyncGenerator<Iterable<ResultRow>>;
}

/** A chunk's passes, the first one first. */
type Passes = readonly PassDecoder[];

/** Chunks kept in memory: as many as the packer fills at the same time, and some more for duplicates. */
const CHUNKS_IN_MEMORY = 112;
/** Characters of extra columns and their names in one page. A page is built in memory, and one CSV row may be large. */
const PAGE_CHARACTERS = 8_388_608;
/** Chunks in one statement, few enough that its reply stays small. */
const CHUNK_PAGE_SIZE = 8;
/** Blocks in one statement, because a statement costs more than reading a few rows. */
const BLOCK_PAGE_SIZE = 4;

/** Results in the order of submission, although workers store them by mail domain. */
@Injectable()
export class ResultsService {
  constructor(private readonly store: ResultsStore) {}

  /**
   * Reads the results block by block. Each row is built when it is taken, and can be taken once: built rows that wait for a slow reader
   * would be promoted to V8's old generation. Rows without a result, as in a cancelled batch, are left out.
   * @param from position to begin at
   * @param verdicts only these; null: all
   */
  read(batch: Batch, from: number, verdicts: ReadonlySet<Verdict> | null): ResultBlocks {
    return { columns: batch.columns && distinctNames(batch.columns), blocks: this.blocks(batch, from, verdicts) };
  }

  /** Reads results until there are `limit`, or until their extra columns fill a page. */
  async page(batch: Batch, from: number, limit: number, verdicts: ReadonlySet<Verdict> | null): Promise<ResultPage> {
    const { columns, blocks } = this.read(batch, from, verdicts);
    const rows: ResultRow[] = [];
    const charactersOfNames = (columns ?? []).reduce((sum, name) => sum + name.length, 0);
    let characters = 0;
    for await (const block of blocks)
      for (const row of block) {
        characters += charactersOfNames;
        for (const value of row.extraColumns ?? []) characters += value.length;
        const isFull = rows.length === limit || (rows.length > 0 && characters > PAGE_CHARACTERS);
        if (isFull) return { rows, columns, next: row.position };
        rows.push(row);
      }
    return { rows, columns, next: null };
  }

  private async *blocks(
    batch: Batch,
    from: number,
    verdicts: ReadonlySet<Verdict> | null,
  ): AsyncGenerator<Iterable<ResultRow>> {
    const cache = new LRUCache<number, Passes>({ max: CHUNKS_IN_MEMORY });
    const first = Math.floor(from / CHUNK_SIZE);
    for (let number = first; number * CHUNK_SIZE < batch.totalRows; number += BLOCK_PAGE_SIZE) {
      const blocks = await this.store.findRows(batch.id, number, BLOCK_PAGE_SIZE);
      const chunks = await this.chunksOf(batch, blocks, cache);
      for (const sent of blocks) yield rowsOf(sent, chunks, from, verdicts);
    }
  }

  private async chunksOf(batch: Batch, blocks: readonly SentRows[], cache: LRUCache<number, Passes>) {
    const kind = kindOf(batch);
    const wanted = new Set<number>();
    for (const { rowRefs } of blocks) for (const ref of rowRefs) wanted.add(chunkOfRowRef(ref));
    const found = new Map<number, Passes>();
    const missing = [...wanted].filter((chunk) => {
      const known = cache.get(chunk);
      if (known !== undefined) found.set(chunk, known);
      return known === undefined;
    });
    for (let i = 0; i < missing.length; i += CHUNK_PAGE_SIZE)
      for (const { chunk, items, passes: packed } of await this.store.findPasses(
        batch.id,
        missing.slice(i, i + CHUNK_PAGE_SIZE),
      )) {
        const passes = packed.map((text) => kind.decode(text, items));
        cache.set(chunk, passes);
        found.set(chunk, passes);
      }
    return found;
  }
}

function* rowsOf(
  { number, repeated, rowRefs, extraColumns }: SentRows,
  chunks: ReadonlyMap<number, Passes>,
  from: number,
  verdicts: ReadonlySet<Verdict> | null,
): Generator<ResultRow, void> {
  for (let i = Math.max(0, from - number * CHUNK_SIZE); i < rowRefs.length; i++) {
    const ref = rowRefs[i]!;
    const offset = offsetOfRowRef(ref);
    for (const pass of chunks.get(chunkOfRowRef(ref)) ?? []) {
      const verdict = pass.verdictAt(offset);
      if (verdict === null) continue;
      // The filter comes before the building, because a file of invalid addresses leaves most results out.
      if (verdicts === null || verdicts.has(verdict))
        yield {
          position: number * CHUNK_SIZE + i,
          result: pass.at(offset, repeated[i]?.trim()),
          extraColumns: extraColumns?.[i] ?? null,
        };
      break;
    }
  }
}
