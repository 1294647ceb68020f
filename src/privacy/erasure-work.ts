import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { HOUR_MS } from '../lib/durations.js';
import { CLOCK, type WallClock, TIMER, type Timer } from '../platform/clock.js';
import { ErasedAddress } from '../platform/erased-address.js';
import { Secrets } from '../platform/config/secrets.js';
import { AccountTraces } from './account-traces.js';
import { ErasureStore, type LeftBatch, type OpenErasure } from './erasure.store.js';
import { PeriodicJob } from '../platform/periodic-job.js';
import { BatchErasureService } from '../batch/upkeep/batch-erasure.service.js';

/** Small batches that one step looks through, and their rows together. */
const BATCH_PAGE_SIZE = 100;
const ROW_PAGE_SIZE = 100_000;
/** How often an erasure looks whether the batches for which it waits have ended. */
const WAIT_MS = 5_000;
/** The last look comes so long after the request: a verdict of a second before it may still wait in another process. */
const SETTLED_MS = 4_000;
/** The pause after a step that has failed, which doubles with each failure in a row. */
const MIN_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = HOUR_MS;
/** So many failures in a row take three days: whoever gave the order is told, and gives it again. */
const MAX_FAILURES = 80;

/**
 * Takes an address out of everything of an account, step by step.
 *
 * An erasure is working, waiting for batches that still run, done or failed. A step is one transaction, which locks the row of the erasure:
 * first all that is no batch, then the batches that it had when it was asked for, some small ones or one large one at a time; then, once none
 * of them runs any more, all that is no batch once more, because their ends may have kept something, and the address itself is forgotten.
 * - Whatever is written is counted in the same transaction, so that the receipt is right.
 * - A killed process leaves its last step undone, and any process goes on. Processes take turns, and none waits for another.
 * - After each step it is the turn of the account that has waited longest, and in it of the erasure that is due first, so that neither
 *   large batches nor many orders of a customer hold up anybody else. One whose step fails is put off for a growing pause, and the others
 *   go on; after three days of failures it has failed for good, which its receipt and administrators are told.
 */
@Injectable()
export class ErasureWork {
  private readonly logger = new Logger(ErasureWork.name);

  constructor(
    private readonly database: DataSource,
    private readonly store: ErasureStore,
    private readonly traces: AccountTraces,
    private readonly batches: BatchErasureService,
    private readonly secrets: Secrets,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Works until nothing is due. */
  async run(isStopped: () => boolean = () => false): Promise<void> {
    if (!(await this.store.hasDue(this.clock.date()))) return;
    // Before the transactions: whoever holds a connection never waits for another one.
    await this.traces.prepare();
    while (!isStopped() && (await this.step()));
  }

  /** @returns whether there was something to do */
  private async step(): Promise<boolean> {
    let begun = null as OpenErasure | null;
    try {
      return await this.database.transaction(async (tx) => {
        begun = await this.store.lockDue(tx, this.clock.date());
        if (begun !== null) await this.goOn(tx, begun);
        return begun !== null;
      });
    } catch (error) {
      if (begun === null) throw error;
      await this.putOff(begun, error as Error);
      return true;
    }
  }

  private async goOn(tx: EntityManager, erasure: OpenErasure): Promise<void> {
    const address = this.addressOf(erasure);
    if (address === null) return this.store.finish(tx, erasure.id, 'address_unreadable', this.clock.date());
    if (erasure.lookedAt !== null) return this.lookAtBatches(tx, erasure, address);
    await this.look(tx, erasure, address);
    await this.again(tx, erasure.id, this.clock.date());
  }

  /** In a transaction of its own: that of the step is undone. The message of an error may hold the address, so no log gets it. */
  private async putOff({ id, failures }: OpenErasure, error: Error): Promise<void> {
    const pause = Math.min(MIN_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);
    const isLast = failures + 1 >= MAX_FAILURES;
    const reason = 'code' in error ? JSON.stringify(error.code) : error.name;
    const next = isLast ? 'it is not tried again' : `the next try is in ${pause} ms`;
    this.logger[isLast ? 'error' : 'warn'](`a step of erasure ${id} has failed (${reason}); ${next}`);
    await this.database.transaction(async (tx) => {
      const dueAt = new Date(this.clock.now() + pause);
      const isCounted = await this.store.putOff(tx, { id, failures }, this.clock.date(), dueAt);
      if (isCounted && isLast) await this.store.finish(tx, id, 'steps_failed', this.clock.date());
    });
  }

  private again(tx: EntityManager, id: string, dueAt: Date, state: 'working' | 'waiting' = 'working'): Promise<void> {
    return this.store.wait(tx, id, state, this.clock.date(), dueAt);
  }

  private async look(tx: EntityManager, erasure: OpenErasure, address: ErasedAddress): Promise<void> {
    await this.store.add(tx, erasure.id, await this.traces.erase(tx, erasure, address, erasure.suppressed));
    await this.store.setLooked(tx, erasure.id, this.clock.date());
  }

  private async lookAtBatches(tx: EntityManager, erasure: OpenErasure, address: ErasedAddress): Promise<void> {
    const idle = await this.store.idle(tx, erasure.id, BATCH_PAGE_SIZE);
    if (idle.length > 0) {
      await this.lookThrough(tx, erasure, address, firstOf(idle));
      return this.again(tx, erasure.id, this.clock.date());
    }
    const { waitsFor } = (await this.store.find(tx, erasure, erasure.id))!;
    if (waitsFor > 0) return this.again(tx, erasure.id, new Date(this.clock.now() + WAIT_MS), 'waiting');
    const settledAt = erasure.createdAt.getTime() + SETTLED_MS;
    if (this.clock.now() < settledAt) return this.again(tx, erasure.id, new Date(settledAt));
    await this.look(tx, erasure, address);
    await this.store.finish(tx, erasure.id, null, this.clock.date());
  }

  /** @param some one large batch, or small ones, of which one that holds the address is a step by itself */
  private async lookThrough(
    tx: EntityManager,
    erasure: OpenErasure,
    address: ErasedAddress,
    some: readonly LeftBatch[],
  ): Promise<void> {
    const ids = some.map(({ id }) => id);
    const suspects = ids.length === 1 ? ids : await this.batches.suspects(tx, ids, address);
    const clean = ids.filter((id) => !suspects.includes(id));
    await this.store.forget(tx, erasure.id, clean);
    const [first] = suspects;
    if (first === undefined) return;
    const erased = await this.batches.erase(tx, first, address);
    // It was held a moment ago, and somebody has started it.
    if (erased === 'running') return;
    await this.store.forget(tx, erasure.id, [first]);
    if (erased === null) return;
    const { rows, bodies, names, accountId } = erased;
    const holders = { accountIds: [erasure.accountId, accountId], simulated: erasure.simulated };
    const answers = await this.traces.webhooks.eraseOfBatch(tx, holders, first);
    await this.store.add(tx, erasure.id, { batches: 1, rows, bodies, answers, names });
  }

  private addressOf({ id, address }: OpenErasure): ErasedAddress | null {
    try {
      return new ErasedAddress(this.secrets.open(address, sealContext(id)));
    } catch (error) {
      this.logger.error(`erasure ${id} has failed: ${(error as Error).message}`);
      return null;
    }
  }
}

export function sealContext(erasureId: string): string {
  return `address of erasure ${erasureId}`;
}

/** As many of them as have few rows together, at least one. */
function firstOf(batches: readonly LeftBatch[]): readonly LeftBatch[] {
  let rows = 0;
  const end = batches.findIndex(({ totalRows }) => (rows += totalRows) > ROW_PAGE_SIZE);
  return end < 0 ? batches : batches.slice(0, Math.max(1, end));
}

const EVERY_MS = 1_000;

/** Works on erasures in every process, so that another one, or one that was started again, goes on where one has died. */
@Injectable()
export class ErasureSweep extends PeriodicJob {
  private isStopped = false;

  constructor(
    private readonly work: ErasureWork,
    @Inject(TIMER) timer: Timer,
  ) {
    super('addresses were not erased', { everyMs: EVERY_MS, firstAfterMs: EVERY_MS, timer });
  }

  run(): Promise<unknown> {
    return this.work.run(() => this.isStopped);
  }

  override onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    return super.onModuleDestroy();
  }
}
