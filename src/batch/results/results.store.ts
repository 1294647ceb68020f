import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ReadDatabase } from '../../platform/database/read-database.js';
import { passesFilter, type PassDecoder, type RowFact, type RowFilter } from '../model/chunk-result.js';
import { CHUNK_SIZE, chunkOfRowRef, readRowRefs } from '../model/row-ref.js';

/** By what a filter knows that no row of a block is wanted, without reading its results. */
export interface BlockMarks {
  /** JSON of `StoredFact`s: each combination that a row has. */
  readonly facts: string;
  /** `domainMark` of each domain, ascending. */
  readonly domains: readonly number[];
}

type StoredFact = readonly [verdict: RowFact['verdict'], reason: string, provider: string | null];

export function marksOf(pass: PassDecoder): BlockMarks {
  const facts = new Set<string>();
  const seen = new Set<RowFact>();
  const domains = new Set<number>();
  for (let offset = 0; offset < CHUNK_SIZE; offset++) {
    const fact = pass.factAt(offset);
    if (fact === null) continue;
    const domain = pass.domainAt(offset);
    if (domain !== null) domains.add(domainMark(domain));
    if (seen.has(fact)) continue;
    seen.add(fact);
    facts.add(JSON.stringify([fact.verdict, fact.reason, fact.provider] satisfies StoredFact));
  }
  return { facts: `[${[...facts].sort().join(',')}]`, domains: [...domains].sort((a, b) => a - b) };
}

/** Four bytes for a domain: another one may have the same, and then a block is read in vain. */
function domainMark(domain: string): number {
  return hash('sha256', domain, 'buffer').readInt32LE();
}

/** Whether the filter wants one of the combinations, whatever it says of domains. */
function mayPassFilter(facts: string, filter: RowFilter): boolean {
  const stored = JSON.parse(facts) as readonly StoredFact[];
  return stored.some(([verdict, reason, provider]) =>
    passesFilter({ ...filter, domains: null }, { verdict, reason, provider }, () => null),
  );
}

export interface SentRows {
  readonly number: number;
  /** By index in the block: the text of a row whose item came before in the batch, perhaps in another case. */
  readonly repeated: Readonly<Record<number, string>>;
  readonly rowRefs: Int32Array;
  readonly extraColumns: readonly (readonly string[])[] | null;
}

/** The results of one pass over a chunk, packed. */
export interface PackedPass {
  readonly pass: number;
  readonly results: string;
}

/** Which results something was made of: those of this end of the batch, after so many erasures. */
export interface EndedMoment {
  readonly finishedAt: string;
  readonly erasures: number;
}

/** Replaces stored results of passes over a chunk. */
export async function setResults(
  tx: EntityManager,
  id: number,
  number: number,
  passes: readonly PackedPass[],
): Promise<void> {
  const update = 'UPDATE batch_results SET results = $4 WHERE batch_id = $1 AND chunk = $2 AND pass = $3';
  for (const { pass, results } of passes) await tx.query(update, [id, number, pass, results]);
}

export interface StoredPasses {
  readonly chunk: number;
  readonly items: readonly string[];
  /** The packed results of each pass, the first one first. */
  readonly passes: readonly string[];
}

/** A block of rows whose results stand in their order. */
export interface OrderedRows extends Pick<SentRows, 'number' | 'extraColumns'> {
  readonly items: readonly string[];
  /** Packed. */
  readonly results: string;
}

/** Bytes that one statement reads, or one block, however large it is: intake bounds a block. */
const MAX_BYTES_READ = 16_777_216;

/** Blocks whose row refs, 4 KB each, are in one statement. */
const ROW_REFS_PAGE_SIZE = 64;

/** Reads the rows that were sent and the results of chunks, a thousand at a time. */
@Injectable()
export class ResultsStore {
  constructor(private readonly reads: ReadDatabase) {}

  /**
   * Finds blocks of rows in their order: fewer where they are large and at the end of the batch, none when it was deleted.
   * @param from number of the first
   */
  async findRows(tx: EntityManager, batchId: number, from: number, blocks: number): Promise<SentRows[]> {
    const rows: { number: number; items: string; row_refs: Buffer; extra_columns: string | null }[] = await tx.query(
      // The length of a text that PostgreSQL keeps apart is known without reading it.
      `SELECT number, items, row_refs, extra_columns
         FROM (SELECT *, sum(octet_length(items) + coalesce(octet_length(extra_columns), 0)) OVER (ORDER BY number) AS bytes
                 FROM batch_rows WHERE batch_id = $1 AND number >= $2 AND number < $2 + $3::integer) AS block
        WHERE number = $2 OR bytes <= $4 ORDER BY number`,
      [batchId, from, blocks, MAX_BYTES_READ],
    );
    return rows.map((row) => ({
      number: row.number,
      repeated: JSON.parse(row.items) as Record<number, string>,
      rowRefs: readRowRefs(row.row_refs),
      extraColumns: row.extra_columns === null ? null : (JSON.parse(row.extra_columns) as string[][]),
    }));
  }

  /**
   * Finds blocks of rows with their results in their order: fewer where they are large, none when the batch was deleted or begun again.
   * @param numbers ascending
   */
  async findOrdered(batchId: number, numbers: readonly number[]): Promise<OrderedRows[]> {
    const rows: { number: number; items: string; results: string; extra_columns: string | null }[] =
      await this.reads.query(
        `SELECT number, items, results, extra_columns
           FROM (SELECT number, extra_columns, ordered.items, ordered.results,
                        sum(octet_length(ordered.items) + coalesce(octet_length(extra_columns), 0)) OVER (ORDER BY number) AS bytes
                   FROM batch_rows JOIN batch_ordered_results AS ordered ON ordered.batch_id = $1 AND block = number
                  WHERE batch_rows.batch_id = $1 AND number = ANY ($2)) AS block
          WHERE number = $3 OR bytes <= $4 ORDER BY number`,
        [batchId, numbers, numbers[0], MAX_BYTES_READ],
      );
    return rows.map(({ number, items, results, extra_columns: extra }) => ({
      number,
      items: JSON.parse(items) as string[],
      results,
      extraColumns: extra === null ? null : (JSON.parse(extra) as string[][]),
    }));
  }

  /** The numbers of the ordered blocks that may have a wanted row, in their order, from one on. */
  async findLikelyBlocks(batchId: number, from: number, filter: RowFilter): Promise<number[]> {
    const { domains } = filter;
    const rows: { block: number; facts: string }[] = await this.reads.query(
      `SELECT block, facts FROM batch_ordered_results
        WHERE batch_id = $1 AND block >= $2 AND ($3::integer[] IS NULL OR domains && $3) ORDER BY block`,
      [batchId, from, domains && [...domains].map(domainMark)],
    );
    const known = new Map<string, boolean>();
    const isLikely = (facts: string) => {
      const is = known.get(facts) ?? mayPassFilter(facts, filter);
      known.set(facts, is);
      return is;
    };
    return rows.filter(({ facts }) => isLikely(facts)).map(({ block }) => block);
  }

  /**
   * The chunks that may hold an item of one of these domains: those whose text has its name somewhere, and those whose text may write a
   * domain otherwise, in other letters or escaped.
   * @param domains in lower case and A-labels
   */
  async findChunksNaming(batchId: number, domains: readonly string[]): Promise<ReadonlySet<number>> {
    const rows: { number: number }[] = await this.reads.query(
      `SELECT number FROM batch_chunks
        WHERE batch_id = $1
          AND (octet_length(items) <> length(items) OR strpos(items, '\\') > 0
               OR EXISTS (SELECT FROM unnest($2::text[]) AS name WHERE strpos(lower(items COLLATE "C"), name) > 0))`,
      // No text of PostgreSQL holds NUL, so neither does a domain of any row.
      [batchId, domains.filter((name) => !name.includes('\0'))],
    );
    return new Set(rows.map(({ number }) => number));
  }

  /** The numbers of the blocks that refer to one of these chunks, in their order, from one on. */
  async *blocksWith(batchId: number, from: number, chunks: ReadonlySet<number>): AsyncGenerator<number, void> {
    for (let next = from; ;) {
      const rows: { number: number; row_refs: Buffer }[] = await this.reads.query(
        'SELECT number, row_refs FROM batch_rows WHERE batch_id = $1 AND number >= $2 ORDER BY number LIMIT $3',
        [batchId, next, ROW_REFS_PAGE_SIZE],
      );
      for (const { number, row_refs: refs } of rows)
        if (readRowRefs(refs).some((ref) => chunks.has(chunkOfRowRef(ref)))) yield number;
      const last = rows.at(-1);
      if (last === undefined) return;
      next = last.number + 1;
    }
  }

  /** Finds the results that each of these chunks has so far. */
  async findPasses(tx: EntityManager, batchId: number, chunks: readonly number[]): Promise<StoredPasses[]> {
    // One row for each pass: `array_agg` would give arrays of texts, which the client parses letter by letter.
    const rows: { number: number; items: string; results: string | null }[] = await tx.query(
      `SELECT chunk.number, chunk.items, pass.results
         FROM batch_chunks AS chunk
         LEFT JOIN batch_results AS pass ON pass.batch_id = chunk.batch_id AND pass.chunk = chunk.number
        WHERE chunk.batch_id = $1 AND chunk.number = ANY ($2) ORDER BY chunk.number, pass.pass`,
      [batchId, chunks],
    );
    const found = new Map<number, { chunk: number; items: string[]; passes: string[] }>();
    for (const { number, items, results } of rows) {
      const known = found.get(number) ?? { chunk: number, items: JSON.parse(items) as string[], passes: [] };
      if (results !== null) known.passes.push(results);
      found.set(number, known);
    }
    return [...found.values()];
  }
}
