import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Owner } from '../../keys/access/owner.js';
import type { Batch } from '../model/batch.js';
import type { BatchKind } from '../model/batch-kind.js';
import { BatchStore } from '../model/batch.store.js';

/** A list and the batches that have verified it again. Whoever changes them locks the list first. */
@Injectable()
export class BatchVersions {
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
