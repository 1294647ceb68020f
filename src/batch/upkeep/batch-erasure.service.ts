import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ErasedAddress } from '../../platform/erased-address.js';
import type { BatchKindName } from '../model/batch.js';
import { kindOf } from '../model/batch-kind.js';
import { BatchStore } from '../model/batch.store.js';
import { encodeRowRef, type RowRef, readRowRefs, type SentColumns } from '../model/row-ref.js';
import { marksOf, setResults } from '../results/results.store.js';
import {
  eraseFromBlock,
  eraseFromColumns,
  eraseFromChunk,
  type ErasedBlock,
  type ErasedChunk,
  type StoredBlock,
  type StoredChunk,
} from './erased-pass.js';
import type { Owner } from '../../keys/access/owner.js';

/** Numbers of chunks and blocks that one statement looks through: some 50 MB of text. */
const NUMBER_PAGE_SIZE = 500;

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

/** Until the transaction ends, no erasure of this owner is ordered and no batch of this owner is copied: the two take turns. */
export async function lockErasures(tx: EntityManager, { accountId, simulated }: Owner): Promise<void> {
  const what = `erasures of ${accountId} ${simulated}`;
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [what]);
}

/** What was taken out of a batch. */
interface ErasedOfBatch {
  readonly accountId: string;
  readonly rows: number;
  /** Bodies of events with results, which are made anew. */
  readonly bodies: number;
  /** 1 where its own name was emptied, else 0. */
  readonly names: number;
}

/**
 * Takes an address out of batches that are held or have ended, and with that out of lists, of downloads and of events that are still to be
 * sent. Rows keep their numbers and their verdicts, so that counts and charges stay what they were. What a held batch has lost is an empty
 * row when it is started: it is invalid, and costs nothing.
 *
 * A batch that still runs is left to the caller, who comes again: its workers hold its addresses in memory.
 */
@Injectable()
export class BatchErasureService {
  constructor(private readonly batches: BatchStore) {}

  /** @returns null when there is nothing of it in the batch, or when the batch is gone */
  async erase(tx: EntityManager, id: number, address: ErasedAddress): Promise<ErasedOfBatch | 'running' | null> {
    const batch = await this.batches.lock(tx, id);
    if (batch === null) return null;
    // Workers may hold its addresses in memory.
    if (batch.finishedAt === null && batch.state !== 'held') return 'running';
    const suspects = await this.parts(tx, id, address.patterns);
    const refs = new Set<RowRef>();
    let isChanged = false;
    for (const number of suspects.chunks) {
      const left = eraseFromChunk(batch.kind, await this.chunk(tx, id, number), address);
      for (const offset of left.offsets) refs.add(encodeRowRef(number, offset));
      isChanged ||= left.items !== null || left.passes.length > 0;
      await this.setChunk(tx, id, number, left);
    }
    for (const number of suspects.ordered) await this.eraseOrdered(tx, id, number, batch.kind, address);
    let rows = 0;
    for (const number of new Set([...suspects.blocks, ...(await this.blocksOf(tx, id, refs))])) {
      const left = eraseFromBlock(await this.block(tx, id, number), refs, address);
      rows += left.rows;
      if (left.rows > 0) await this.setBlock(tx, id, number, left);
    }
    const columns = batch.columns && eraseFromColumns(batch.columns, address);
    const name = address.isIn(batch.name) ? null : batch.name;
    if (!isChanged && rows === 0 && columns === null && name === batch.name) return null;
    const bodies = await this.note(tx, id, name, columns ?? batch.columns);
    return { accountId: batch.accountId, rows, bodies, names: name === batch.name ? 0 : 1 };
  }

  /** What a large batch has in the order of its rows is a copy: it loses what its chunks lose, and is counted with them. */
  private async eraseOrdered(
    tx: EntityManager,
    id: number,
    number: number,
    kind: BatchKindName,
    address: ErasedAddress,
  ): Promise<void> {
    const [row]: { items: string; results: string }[] = await tx.query(
      'SELECT items, results FROM batch_ordered_results WHERE batch_id = $1 AND block = $2',
      [id, number],
    );
    // It is stored like a chunk with one pass.
    const passes = [{ pass: 0, results: row!.results }];
    const before = { items: JSON.parse(row!.items) as string[], kept: null, passes };
    const left = eraseFromChunk(kind, before, address);
    if (left.passes.length === 0) return;
    const items = left.items ?? before.items;
    const { results } = left.passes[0]!;
    const { facts, domains } = marksOf(kindOf({ kind }).decode(results, items));
    await tx.query(
      'UPDATE batch_ordered_results SET items = $3, results = $4, facts = $5, domains = $6 WHERE batch_id = $1 AND block = $2',
      [id, number, JSON.stringify(items), results, facts, domains],
    );
  }

  /** Which of these small batches may hold the address, by one statement: nothing of the others is looked at again. */
  async suspects(tx: EntityManager, ids: readonly number[], { patterns }: ErasedAddress): Promise<number[]> {
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

  /** The parts of one batch that may hold an address, looked for by several statements where it is large. */
  private async parts(tx: EntityManager, id: number, patterns: readonly string[]): Promise<Suspects> {
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

  private async chunk(tx: EntityManager, id: number, number: number): Promise<StoredChunk> {
    const rows: { items: string; kept: Buffer | null; pass: number | null; results: string | null }[] = await tx.query(
      `SELECT items, kept, result.pass, results FROM batch_chunks AS chunk
         LEFT JOIN batch_results AS result ON result.batch_id = chunk.batch_id AND result.chunk = chunk.number
        WHERE chunk.batch_id = $1 AND chunk.number = $2 ORDER BY result.pass`,
      [id, number],
    );
    const passes = rows.flatMap(({ pass, results }) => (pass === null || results === null ? [] : [{ pass, results }]));
    return { items: JSON.parse(rows[0]?.items ?? '[]') as string[], kept: rows[0]?.kept ?? null, passes };
  }

  private async setChunk(
    tx: EntityManager,
    id: number,
    number: number,
    { items, kept, passes }: ErasedChunk,
  ): Promise<void> {
    await setResults(tx, id, number, passes);
    if (items !== null)
      await tx.query('UPDATE batch_chunks SET items = $3, kept = $4 WHERE batch_id = $1 AND number = $2', [
        id,
        number,
        JSON.stringify(items),
        kept,
      ]);
  }

  /** Numbers of the blocks with a row that refers to one of these items. Compared here: in SQL each row would be compared with each item. */
  private async blocksOf(tx: EntityManager, id: number, refs: ReadonlySet<RowRef>): Promise<number[]> {
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

  private async block(tx: EntityManager, id: number, number: number): Promise<StoredBlock> {
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

  private async setBlock(
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
  private async note(tx: EntityManager, id: number, name: string | null, columns: SentColumns | null): Promise<number> {
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
