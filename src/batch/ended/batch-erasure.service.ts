import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ErasedAddress } from '../../platform/erased-address.js';
import type { BatchKindName } from '../model/batch.js';
import { kindOf } from '../model/batch-kind.js';
import { encodeRowRef, type RowRef } from '../model/row-ref.js';
import { marksOf } from '../results/results.store.js';
import { BatchErasureStore } from './batch-erasure.store.js';
import { eraseFromBlock, eraseFromColumns, eraseFromChunk } from './erased-pass.js';
import type { Owner } from '../../keys/access/owner.js';

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
  constructor(private readonly store: BatchErasureStore) {}

  /** Which of these small batches may hold the address: nothing of the others is looked at again. */
  suspects(tx: EntityManager, ids: readonly number[], { patterns }: ErasedAddress): Promise<number[]> {
    return this.store.suspects(tx, ids, patterns);
  }

  /** @returns null when there is nothing of it in the batch, or when the batch is gone */
  async erase(tx: EntityManager, id: number, address: ErasedAddress): Promise<ErasedOfBatch | 'running' | null> {
    const batch = await this.store.lock(tx, id);
    if (batch === null) return null;
    if (batch.isRunning) return 'running';
    const suspects = await this.store.parts(tx, id, address.patterns);
    const refs = new Set<RowRef>();
    let isChanged = false;
    for (const number of suspects.chunks) {
      const left = eraseFromChunk(batch.kind, await this.store.chunk(tx, id, number), address);
      for (const offset of left.offsets) refs.add(encodeRowRef(number, offset));
      isChanged ||= left.items !== null || left.passes.length > 0;
      await this.store.setChunk(tx, id, number, left);
    }
    for (const number of suspects.ordered) await this.eraseOrdered(tx, id, number, batch.kind, address);
    let rows = 0;
    for (const number of new Set([...suspects.blocks, ...(await this.store.blocksOf(tx, id, refs))])) {
      const left = eraseFromBlock(await this.store.block(tx, id, number), refs, address);
      rows += left.rows;
      if (left.rows > 0) await this.store.setBlock(tx, id, number, left);
    }
    const columns = batch.columns && eraseFromColumns(batch.columns, address);
    const name = address.isIn(batch.name) ? null : batch.name;
    if (!isChanged && rows === 0 && columns === null && name === batch.name) return null;
    const bodies = await this.store.note(tx, id, name, columns ?? batch.columns);
    return { accountId: batch.accountId, rows, bodies };
  }

  /** What a large batch has in the order of its rows is a copy: it loses what its chunks lose, and is counted with them. */
  private async eraseOrdered(
    tx: EntityManager,
    id: number,
    number: number,
    kind: BatchKindName,
    address: ErasedAddress,
  ): Promise<void> {
    const block = await this.store.ordered(tx, id, number);
    const left = eraseFromChunk(kind, block, address);
    const [results] = left.passes;
    if (results === undefined) return;
    const items = left.items ?? block.items;
    const marks = marksOf(kindOf({ kind }).decode(results.results, items));
    await this.store.setOrdered(tx, id, number, items, results.results, marks);
  }
}
