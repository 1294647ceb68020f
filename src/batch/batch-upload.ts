import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import type { BatchIntakeStore } from './batch-intake.store.js';
import type { BatchStore, NewBatch } from './batch.store.js';
import type { RowPiece } from './intake/intake-row.js';
import type { Packer } from './intake/packer.js';

/** Of the blocks that are written together: thirty chunks. */
const BYTES_AT_ONCE = 1_048_576;

/** The rows of one batch on their way into the tables. */
export class BatchUpload {
  private isBegun = false;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    readonly batch: NewBatch,
    readonly packer: Packer,
    private readonly batches: BatchStore,
    private readonly blocks: BatchIntakeStore,
  ) {}

  /** Writes full blocks while further rows are read; waits when the last ones are not written yet. */
  async add(tx: EntityManager, piece: RowPiece): Promise<void> {
    this.packer.add(piece);
    if (this.packer.holdsEnough) await this.placeHeld(false);
    if (this.packer.waitingBytes < BYTES_AT_ONCE) return;
    await this.writing;
    this.writing = this.write(tx);
    // Told by whoever waits for it next.
    this.writing.catch(() => undefined);
  }

  /** Writes the rest. A small batch is written only now, in the transaction that queues it. */
  async writeRest(tx: EntityManager): Promise<void> {
    await this.writing;
    await this.placeHeld(true);
    this.packer.close();
    await this.write(tx);
    await this.blocks.setRepeats(tx, this.batch.id, this.packer.repeats.byChunk());
  }

  /** Leaves nothing behind of a body that was refused. */
  async forget(tx: EntityManager): Promise<void> {
    if (!this.isBegun) return;
    await this.writing.catch(() => undefined);
    await this.batches.delete(tx, this.batch.id);
  }

  private async placeHeld(areAll: boolean): Promise<void> {
    for (const _ of this.packer.placeHeld(areAll)) await nextTurn();
  }

  private async write(tx: EntityManager): Promise<void> {
    const { rows, chunks } = this.packer.takeFull();
    const isFirst = !this.isBegun;
    // Before it is: a body that is refused meanwhile must wait for it to take it back.
    this.isBegun = true;
    if (isFirst) await this.batches.insert(tx, this.batch);
    await this.blocks.addRows(tx, this.batch.id, rows);
    await this.blocks.addChunks(tx, this.batch.id, chunks, this.batch.createdAt);
    this.packer.reuse(chunks);
  }
}
