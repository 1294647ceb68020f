import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BatchAgain } from '../../batch/ended/batch-again.service.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { ListChangesStore } from './list-changes.store.js';

const LISTING = 'list-changes';
const POSITION = /^([1-9]\d{0,15}) (\d{1,10})$/;
const MAX_REF = 2 ** 31 - 1;

/** Reads what runs found changed, with the addresses. */
@Injectable()
export class ListChanges {
  constructor(
    private readonly database: DataSource,
    private readonly store: ListChangesStore,
    private readonly again: BatchAgain,
  ) {}

  /** The changes of a run from its first one on. */
  async first(batchId: number, limit: number): Promise<object[]> {
    return (await this.read(batchId, -1, limit)).map(({ body }) => body);
  }

  /**
   * @param batchId of the newest run of a list that the caller may read; null: there was none
   * @throws AppError `invalid_input` for a cursor that was not given for this run
   */
  async page(batchId: number | null, cursor: string | undefined, limit: number) {
    const after = cursor === undefined ? -1 : readCursor(cursor, batchId);
    const found = batchId === null ? [] : await this.read(batchId, after, limit + 1);
    const next = found.length > limit ? encodeCursor(LISTING, `${batchId} ${found[limit - 1]!.ref}`) : null;
    return { changes: found.slice(0, limit).map(({ body }) => body), nextCursor: next };
  }

  private async read(batchId: number, after: number, limit: number) {
    const found = await this.store.find(batchId, after, limit);
    const refs = found.map(({ ref }) => ref);
    const addresses = await this.again.addressesAt(this.database.manager, batchId, refs);
    return found.map(({ ref, before, after: now }) => ({
      ref,
      // Empty, when it was erased since.
      body: { email: addresses.get(ref) ?? '', before, after: now },
    }));
  }
}

/** The run in a cursor is compared and never read: whoever makes one up sees nothing of other lists. */
function readCursor(cursor: string, batchId: number | null): number {
  const [run, ref] = decodeCursor(LISTING, cursor, POSITION).map(Number);
  if (run !== batchId) throw invalidField('cursor', 'is not one of the newest run of this list');
  return Math.min(ref!, MAX_REF);
}
