import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { BatchKindName } from '../model/batch.js';
import { readRowRefs, type RowRef, type SentColumns } from '../model/row-ref.js';
import { type BlockMarks, setResults } from '../results/results.store.js';
import type { ErasedBlock, ErasedChunk, StoredBlock, StoredChunk } from './erased-pass.js';

/** Numbers of chunks and blocks that one statement looks through: some 50 MB of text. */
const NUMBER_PAGE_SIZE = 500;

/** A batch, locked. */
interface LockedBatch {
  readonly accountId: string;
  /** Neither held nor ended: workers may hold its addresses in memory. */
  readonly isRunning: boolean;
  readonly simulated: boolean;
  readonly kind: BatchKindName;
  readonly name: string | null;
  readonly columns: SentColumns | null;
}

/** Which parts of a batch may hold an address. */
interface Suspects {
  readonly chunks: readonly number[];
  readonly blocks: readonly number[];
  /** Blocks of a large batch whose results stand in order too. */
  readonly ordered: readonly number[];
}

type Part = 'chunk' | 'block' | 'ordered';

/** What may hold an address: the text matches one of the patterns $2. */
const MAY_HOLD = (text: string) => `lower(${text}) LIKE ANY ($2::text[])`;

/** Reads the parts of batches that may hold an address, and writes them without it. */
@Injectable()
export class BatchErasureStore {
  /** Which of these batches may hold an address: they are small, and one statement looks through all of them. */
  async suspects(tx: EntityManager, ids: readonly number[], patterns: readonly string[]): Promise<number[]> {
    const rows: { id: number }[] = await tx.query(
      `SELECT id FROM batches WHERE id = ANY ($1::bigint[]) AND (
         ${MAY_HOLD('name')} OR ${MAY_HOLD('columns')}
         OR EXISTS (SELECT FROM batch_chunks WHERE batch_id = id AND ${MAY_HOLD('items')})
         OR EXISTS (SELECT FROM batch_results WHERE batch_id = id AND ${MAY_HOLD('results')})
         OR EXISTS (SELECT FROM batch_rows
                     WHERE batch_id = id AND (${MAY_HOLD('items')} OR ${MAY_HOLD('extra_columns')})))`,
      [ids, patterns],
    );
    return rows.map(({ id }) => id);
  }

  /** Locks a batch as its deletion and its start do. Null when it was deleted. */
  async lock(tx: EntityManager, id: number): Promise<LockedBatch | null> {
    const rows: (Omit<LockedBatch, 'columns'> & { columns: string | null })[] = await tx.query(
      `SELECT account_id AS "accountId", finished_at IS NULL AND state <> 'held' AS "isRunning", simulated, kind, name, columns
         FROM batches WHERE id = $1 FOR UPDATE`,
      [id],
    );
    const [row] = rows;
    if (row === undefined) return null;
    return { ...row, columns: row.columns === null ? null : (JSON.parse(row.columns) as SentColumns) };
  }

  /** The parts of one batch that may hold an address, looked for by several statements where it is large. */
  async parts(tx: EntityManager, id: number, patterns: readonly string[]): Promise<Suspects> {
    const [{ last }]: [{ last: number | null }] = await tx.query(
      `SELECT greatest((SELECT max(number) FROM batch_chunks WHERE batch_id = $1),
                       (SELECT max(number) FROM batch_rows WHERE batch_id = $1)) AS last`,
      [id],
    );
    const found: { part: Part; number: number }[] = [];
    for (let from = 0; from <= (last ?? -1); from += NUMBER_PAGE_SIZE)
      found.push(...(await this.partsBetween(tx, id, patterns, from)));
    const numbersOf = (part: Part) =>
      found
        .filter((one) => one.part === part)
        .map(({ number }) => number)
        .sort((a, b) => a - b);
    return { chunks: numbersOf('chunk'), blocks: numbersOf('block'), ordered: numbersOf('ordered') };
  }

  async chunk(tx: EntityManager, id: number, number: number): Promise<StoredChunk> {
    const rows: { items: string; kept: Buffer | null; pass: number | null; results: string | null }[] = await tx.query(
      `SELECT items, kept, result.pass, results FROM batch_chunks AS chunk
         LEFT JOIN batch_results AS result ON result.batch_id = chunk.batch_id AND result.chunk = chunk.number
        WHERE chunk.batch_id = $1 AND chunk.number = $2 ORDER BY result.pass`,
      [id, number],
    );
    const passes = rows.flatMap(({ pass, results }) => (pass === null || results === null ? [] : [{ pass, results }]));
    return { items: JSON.parse(rows[0]?.items ?? '[]') as string[], kept: rows[0]?.kept ?? null, passes };
  }

  async setChunk(tx: EntityManager, id: number, number: number, { items, kept, passes }: ErasedChunk): Promise<void> {
    await setResults(tx, id, number, passes);
    if (items !== null)
      await tx.query('UPDATE batch_chunks SET items = $3, kept = $4 WHERE batch_id = $1 AND number = $2', [
        id,
        number,
        JSON.stringify(items),
        kept,
      ]);
  }

  /** A block in order is stored like a chunk with one pass. */
  async ordered(tx: EntityManager, id: number, number: number): Promise<StoredChunk> {
    const [row]: { items: string; results: string }[] = await tx.query(
      'SELECT items, results FROM batch_ordered_results WHERE batch_id = $1 AND block = $2',
      [id, number],
    );
    return { items: JSON.parse(row!.items) as string[], kept: null, passes: [{ pass: 0, results: row!.results }] };
  }

  async setOrdered(
    tx: EntityManager,
    id: number,
    number: number,
    items: readonly string[],
    results: string,
    { facts, domains }: BlockMarks,
  ): Promise<void> {
    await tx.query(
      'UPDATE batch_ordered_results SET items = $3, results = $4, facts = $5, domains = $6 WHERE batch_id = $1 AND block = $2',
      [id, number, JSON.stringify(items), results, facts, domains],
    );
  }

  /** Numbers of the blocks with a row that refers to one of these items. Compared here: in SQL each row would be compared with each item. */
  async blocksOf(tx: EntityManager, id: number, refs: ReadonlySet<RowRef>): Promise<number[]> {
    const found: number[] = [];
    if (refs.size === 0) return found;
    let page: { number: number; rowRefs: Buffer }[];
    let after = -1;
    do {
      page = await tx.query(
        `SELECT number, row_refs AS "rowRefs" FROM batch_rows
          WHERE batch_id = $1 AND number > $2 ORDER BY number LIMIT ${NUMBER_PAGE_SIZE}`,
        [id, after],
      );
      for (const { number, rowRefs } of page) if (readRowRefs(rowRefs).some((ref) => refs.has(ref))) found.push(number);
      after = page.at(-1)?.number ?? after;
    } while (page.length === NUMBER_PAGE_SIZE);
    return found;
  }

  async block(tx: EntityManager, id: number, number: number): Promise<StoredBlock> {
    const [row]: { items: string; row_refs: Buffer; extra_columns: string | null }[] = await tx.query(
      'SELECT items, row_refs, extra_columns FROM batch_rows WHERE batch_id = $1 AND number = $2',
      [id, number],
    );
    return {
      repeated: JSON.parse(row!.items) as Record<number, string>,
      rowRefs: row!.row_refs,
      extraColumns: row!.extra_columns === null ? null : (JSON.parse(row!.extra_columns) as string[][]),
    };
  }

  async setBlock(
    tx: EntityManager,
    id: number,
    number: number,
    { repeated, extraColumns }: ErasedBlock,
  ): Promise<void> {
    await tx.query(
      `UPDATE batch_rows SET items = coalesce($3, items), extra_columns = coalesce($4, extra_columns)
        WHERE batch_id = $1 AND number = $2`,
      [id, number, repeated && JSON.stringify(repeated), extraColumns && JSON.stringify(extraColumns)],
    );
  }

  /** Notes that something was erased. The bodies of its events are made anew by the next attempt. @returns how many bodies are gone */
  async note(tx: EntityManager, id: number, name: string | null, columns: SentColumns | null): Promise<number> {
    await tx.query('UPDATE batches SET erasures = erasures + 1, name = $2, columns = $3 WHERE id = $1', [
      id,
      name,
      columns && JSON.stringify(columns),
    ]);
    // Made anew when somebody asks: it may name the domain of the address.
    await tx.query('DELETE FROM batch_summaries WHERE batch_id = $1', [id]);
    const [, bodies]: [unknown, number] = await tx.query('DELETE FROM webhook_bodies WHERE batch_id = $1', [id]);
    return bodies;
  }

  private partsBetween(tx: EntityManager, id: number, patterns: readonly string[], from: number) {
    return tx.query<{ part: Part; number: number }[]>(
      `SELECT 'chunk' AS part, number FROM batch_chunks
        WHERE batch_id = $1 AND number >= $3 AND number < $3 + ${NUMBER_PAGE_SIZE} AND ${MAY_HOLD('items')}
       UNION
       SELECT 'chunk', chunk FROM batch_results
        WHERE batch_id = $1 AND chunk >= $3 AND chunk < $3 + ${NUMBER_PAGE_SIZE} AND ${MAY_HOLD('results')}
       UNION
       SELECT 'block', number FROM batch_rows
        WHERE batch_id = $1 AND number >= $3 AND number < $3 + ${NUMBER_PAGE_SIZE}
          AND (${MAY_HOLD('items')} OR ${MAY_HOLD('extra_columns')})
       UNION
       SELECT 'ordered', block FROM batch_ordered_results
        WHERE batch_id = $1 AND block >= $3 AND block < $3 + ${NUMBER_PAGE_SIZE} AND (${MAY_HOLD('items')} OR ${MAY_HOLD('results')})`,
      [id, patterns, from],
    );
  }
}
