import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Batch } from './batch.lifecycle.js';
import type { ChunkResult, Verdict } from './batch-results.js';
import { BatchResultsStore, type SentRows } from './batch-results.store.js';
import { StoredFindings } from './found-results.js';
import { CHUNK_SIZE } from './intake/blocks.js';
import { StoredAnswers } from './stored-answers.js';

/** The answer to one row of what was sent. */
export interface ResultRow {
  /** From 0, in the order of submission. */
  readonly position: number;
  readonly result: ChunkResult;
  readonly cells: readonly string[] | null;
}

export interface ResultPage {
  readonly rows: readonly ResultRow[];
  /** Position of the next row; null on the last page. */
  readonly next: number | null;
}

/** The rounds of a chunk. They tell an address as it was verified and charged, and to a further row that repeats it in that row's words and free. */
type Answers = readonly {
  verdictAt(offset: number): Verdict | null;
  at(offset: number, repeat?: string): ChunkResult;
}[];

/** Chunks that are open at once while a batch is packed, and some more for addresses that come back. */
const CHUNKS_IN_MEMORY = 112;
/** Of other columns in one page, with their names: a page is put together in memory, and a row of a CSV may have 64 KB. */
const PAGE_CHARACTERS = 8_388_608;
/** Chunks of a statement: 1 MB at most. */
const CHUNKS_AT_ONCE = 8;
/** Blocks of a statement: a statement costs as much as fifty rows. */
const BLOCKS_AT_ONCE = 4;

/** Results in the order of submission, although they were found out in the order of mail domains. */
@Injectable()
export class BatchResultsService {
  constructor(private readonly store: BatchResultsStore) {}

  /**
   * Block by block, each row put together when it is taken, once: those of a waiting block would outlive what is thrown away cheaply.
   * Rows without an answer, as of a cancelled batch, are left out.
   * @param from position to begin at
   * @param verdicts only these; null: all
   */
  async *read(batch: Batch, from: number, verdicts: ReadonlySet<Verdict> | null): AsyncGenerator<Iterable<ResultRow>> {
    const cache = new LRUCache<number, Answers>({ max: CHUNKS_IN_MEMORY });
    const first = Math.floor(from / CHUNK_SIZE);
    for (let number = first; number * CHUNK_SIZE < batch.totalRows; number += BLOCKS_AT_ONCE) {
      const blocks = await this.store.findRows(batch.id, number, BLOCKS_AT_ONCE);
      const chunks = await this.chunksOf(batch, blocks, cache);
      for (const sent of blocks) yield rowsOf(sent, chunks, from, verdicts);
    }
  }

  async page(batch: Batch, from: number, limit: number, verdicts: ReadonlySet<Verdict> | null): Promise<ResultPage> {
    const rows: ResultRow[] = [];
    const named = (batch.columns ?? []).reduce((sum, name) => sum + name.length, 0);
    let characters = 0;
    for await (const block of this.read(batch, from, verdicts))
      for (const row of block) {
        characters += named;
        for (const cell of row.cells ?? []) characters += cell.length;
        const isFull = rows.length === limit || (rows.length > 0 && characters > PAGE_CHARACTERS);
        if (isFull) return { rows, next: row.position };
        rows.push(row);
      }
    return { rows, next: null };
  }

  private async chunksOf({ id: batchId, kind }: Batch, blocks: readonly SentRows[], cache: LRUCache<number, Answers>) {
    const wanted = new Set<number>();
    for (const { places } of blocks) for (const place of places) wanted.add(Math.floor(place / CHUNK_SIZE));
    const found = new Map<number, Answers>();
    const missing = [...wanted].filter((chunk) => {
      const known = cache.get(chunk);
      if (known !== undefined) found.set(chunk, known);
      return known === undefined;
    });
    for (let i = 0; i < missing.length; i += CHUNKS_AT_ONCE)
      for (const { chunk, emails, rounds } of await this.store.findRounds(
        batchId,
        missing.slice(i, i + CHUNKS_AT_ONCE),
      )) {
        const answers = rounds.map((text) =>
          kind === 'find' ? new StoredFindings(text) : new StoredAnswers(text, emails),
        );
        cache.set(chunk, answers);
        found.set(chunk, answers);
      }
    return found;
  }
}

function* rowsOf(
  { number, emails, places, cells }: SentRows,
  chunks: ReadonlyMap<number, Answers>,
  from: number,
  verdicts: ReadonlySet<Verdict> | null,
): Generator<ResultRow, void> {
  for (let i = Math.max(0, from - number * CHUNK_SIZE); i < places.length; i++) {
    const place = places[i]!;
    const offset = place % CHUNK_SIZE;
    for (const round of chunks.get(Math.floor(place / CHUNK_SIZE)) ?? []) {
      const verdict = round.verdictAt(offset);
      if (verdict === null) continue;
      // Before it is put together: who asks for the invalid ones leaves most of the others out.
      if (verdicts === null || verdicts.has(verdict))
        yield {
          position: number * CHUNK_SIZE + i,
          result: round.at(offset, emails[i]?.trim()),
          cells: cells?.[i] ?? null,
        };
      break;
    }
  }
}
