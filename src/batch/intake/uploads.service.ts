import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { getAccountId, type Principal } from '../../keys/access/principal.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { CONFIG_DIRECTORY } from '../../platform/config/config-file.js';
import { newTraceId } from '../../platform/logging/trace.js';
import { BatchReuseService } from '../upkeep/batch-reuse.service.js';
import type { RowPiece } from '../formats/sent-body.js';
import type { BatchKind } from '../model/batch-kind.js';
import { type NewBatch, newBatchId, type ReceivedBatch } from '../model/batch-row.js';
import { BatchStore, SMALL_BATCH } from '../model/batch.store.js';
import { CHUNK_SIZE } from '../model/row-ref.js';
import { type BatchDefaults, BatchSettingsService } from './batch-settings.service.js';
import { IntakeStore, type WholeUpload } from './intake.store.js';
import { Packer } from './packer.js';
import { nextSlice, type UploadPlace, UploadPlaces } from './upload-places.js';

/** Bytes of blocks that one flush writes: some thirty chunks. */
const FLUSH_BYTES = 1_048_576;
/** What one statement stores of a small batch; one with more in its other columns is stored as a large one is. */
const MAX_WHOLE_BYTES = 131_072;

interface UploadStores {
  readonly batches: BatchStore;
  readonly blocks: IntakeStore;
  readonly reuse: BatchReuseService;
}

/**
 * Writes the rows of one batch into the tables while they come.
 *
 * A large upload is written in flushes, each of which overlaps with reading; the first one inserts the batch in state `receiving`, which no
 * caller sees. What fits one flush is written by `writeRest` only, in the transaction that queues the batch, and a small batch
 * by one statement of it (`takeWhole`).
 */
export class Upload {
  /** Addresses that are given a verdict again; known after `reuse`. */
  reused = 0;
  private isBegun = false;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    readonly batch: NewBatch,
    readonly packer: Packer,
    readonly place: UploadPlace,
    private readonly stores: UploadStores,
  ) {}

  /** Adds rows, and writes full blocks while the caller reads on; waits when the last flush is still under way. */
  async add(tx: EntityManager, piece: RowPiece): Promise<void> {
    this.packer.add(piece);
    if (this.packer.holdsEnough) {
      await this.place.enlarge();
      await this.packHeld(false);
    }
    if (this.packer.waitingBytes < FLUSH_BYTES) return;
    await this.writing;
    this.writing = this.place.write(() => this.write(tx));
    // The rejection is rethrown by the next `await this.writing`; this only silences the warning about an unhandled rejection.
    this.writing.catch(() => undefined);
  }

  /** Packs what was added last. */
  async close(): Promise<void> {
    await this.writing;
    await this.packHeld(true);
    this.packer.close();
  }

  /** The whole upload, after `close`, when it is small: then the caller stores it. Null when `writeRest` is to write it. */
  takeWhole(): WholeUpload | null {
    const { packer } = this;
    if (this.isBegun || packer.uniqueAddresses > SMALL_BATCH || packer.totalRows > CHUNK_SIZE) return null;
    if (packer.chunkCount !== 1 || packer.waitingBytes > MAX_WHOLE_BYTES) return null;
    const { rows, chunks } = packer.takeFull();
    const [, duplicates = []] = [...packer.duplicates.byChunk()][0] ?? [];
    return { rows: rows[0]!, chunk: chunks[0]!, duplicates };
  }

  /** Keeps what ended lately, before `reuse` looks for it in a transaction. */
  async prepareReuse(days: number): Promise<void> {
    if (days > 0) await this.stores.reuse.prepare(this.batch);
  }

  /**
   * Finds the addresses whose verdict is given again, after all rows are written.
   * @param whole the small upload that the caller stores; else the chunks are given their verdicts here
   */
  async reuse(tx: EntityManager, whole: WholeUpload | null, days: number): Promise<Buffer | null> {
    const items = whole && whole.chunk.items.toString();
    const { count, byChunk } = await this.stores.reuse.give(tx, this.batch, items, days);
    this.reused = count;
    return byChunk.get(0) ?? null;
  }

  /** Queues the batch. @param kept what `reuse` gave for the whole upload */
  async receive(
    tx: EntityManager,
    received: ReceivedBatch,
    whole: WholeUpload | null,
    kept: Buffer | null,
  ): Promise<void> {
    const { batches, blocks } = this.stores;
    if (whole !== null) await blocks.addWholes(tx, [{ ...whole, batch: this.batch, received, kept }]);
    else if (!(await batches.receive(tx, this.batch.id, received)))
      throw new Error('the upload took so long that the sweep has deleted it');
  }

  /** Writes the rows that no flush has written, after `close`. */
  async writeRest(tx: EntityManager): Promise<void> {
    await this.write(tx);
    await this.stores.blocks.setDuplicates(tx, this.batch.id, this.packer.duplicates.byChunk());
  }

  /** Deletes the rows of a refused body. */
  async forget(tx: EntityManager): Promise<void> {
    // A flush may wait still for its connection, and begins the batch then.
    await this.writing.catch(() => undefined);
    if (!this.isBegun) return;
    await this.place.write(() => this.stores.batches.delete(tx, this.batch.id));
  }

  private async packHeld(areAll: boolean): Promise<void> {
    for (const _ of this.packer.packHeld(areAll)) await nextSlice(this.batch);
  }

  private async write(tx: EntityManager): Promise<void> {
    const { rows, chunks } = this.packer.takeFull();
    const isFirst = !this.isBegun;
    // The flag is set before the insert, because `forget` must wait for the insert of a body that is refused meanwhile, and
    // delete it.
    this.isBegun = true;
    if (isFirst) await this.stores.batches.insert(tx, this.batch);
    await this.stores.blocks.addRows(tx, this.batch.id, rows);
    await this.stores.blocks.addChunks(tx, this.batch.id, chunks, this.batch.createdAt);
    this.packer.reuse(chunks);
  }
}

/** Maps consumer domains to their row of `config/mail-providers.json`, whose domains share mail hosts and caps. */
function readOperators(): ReadonlyMap<string, string> {
  const text = readFileSync(join(CONFIG_DIRECTORY, 'mail-providers.json'), 'utf8');
  const rows = Object.entries(JSON.parse(text) as Record<string, { domains: string[] }>);
  return new Map(rows.flatMap(([name, { domains }]) => domains.map((domain) => [domain, name])));
}

/** Begins uploads. */
@Injectable()
export class UploadsService {
  private readonly operators = readOperators();
  private readonly blocks = new IntakeStore();
  private readonly places = new UploadPlaces();

  constructor(
    private readonly batches: BatchStore,
    private readonly reuse: BatchReuseService,
    private readonly settings: BatchSettingsService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Fills in what the account has chosen. @throws AppError `invalid_input` for more days than the plan has */
  resolve(principal: Principal, given: BatchDefaults): ReturnType<BatchSettingsService['resolve']> {
    return this.settings.resolve(principal, given);
  }

  /**
   * Waits for a place of the account, which the upload holds until `place.leave`.
   * @param gone the caller has gone, or its time is up
   * @throws AppError as `UploadPlaces.enter` does
   */
  async begin(principal: Principal, kind: BatchKind, gone?: AbortSignal): Promise<Upload> {
    const { batches, blocks, reuse } = this;
    const place = await this.places.enter({ ...principal, accountId: getAccountId(principal) }, gone);
    const packer = new Packer(this.operators, (item) => kind.isMalformed(item));
    return new Upload(this.newBatch(principal, kind), packer, place, { batches, blocks, reuse });
  }

  private newBatch(principal: Principal, kind: BatchKind): NewBatch {
    const now = this.clock.now();
    return {
      id: newBatchId(now),
      accountId: getAccountId(principal),
      keyId: principal.keyId,
      policy: principal.policy.name,
      simulated: principal.simulated,
      kind: kind.name,
      createdAt: new Date(now),
      listId: null,
      traceId: principal.trace?.id ?? newTraceId(),
    };
  }
}
