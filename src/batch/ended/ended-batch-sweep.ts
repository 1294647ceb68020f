import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DAY_MS } from '../../lib/durations.js';
import { Periodic } from '../../lib/periodic.js';
import { CLOCK, type Timer, TIMER, type WallClock } from '../../platform/clock.js';
import { SessionLocks } from '../../platform/database/session-locks.js';
import { isOutage } from '../../platform/errors/outage.js';
import { BatchSummaryService, BatchSummaryStore, type SummedBatch } from '../results/batch-summary.service.js';
import { OrderedResultsService, OrderedStore } from '../results/ordered-results.service.js';

const EVERY_MS = 2_000;
const BATCH_PAGE_SIZE = 20;
/** A batch that ended earlier was missed by every worker, or cannot be worked on: readers do without. */
const LOOK_BACK_MS = DAY_MS;

/**
 * What is done with each large batch soon after its end, so that nobody waits for it. One worker at a time works on a batch; when that dies,
 * its lock is gone, and the next look of another one finds the batch again.
 */
abstract class EndedBatchSweep<Ended extends { readonly id: number }>
  implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  private readonly logger: Logger;
  private readonly locks: SessionLocks;
  private readonly periodic: Periodic;
  private readonly stopping = new AbortController();
  /** Batches with which it failed, so that they do not hold up the others. */
  private readonly failed = new Set<number>();

  /** @param lock names the lock of a batch, with its id behind it @param failure begins the line of the log when it failed */
  protected constructor(
    private readonly lock: string,
    private readonly failure: string,
    database: DataSource,
    private readonly clock: WallClock,
    timer: Timer,
  ) {
    this.logger = new Logger(new.target.name);
    this.locks = new SessionLocks(database);
    this.periodic = new Periodic(() => this.run(), {
      everyMs: EVERY_MS,
      firstAfterMs: EVERY_MS,
      timer,
      onError: (error) => this.warn(error),
    });
  }

  /** Batches that ended since then and still need it. @param without those with which it failed */
  protected abstract find(since: Date, without: readonly number[], limit: number): Promise<readonly Ended[]>;
  protected abstract work(batch: Ended, signal: AbortSignal): Promise<unknown>;

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.periodic.stop();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.locks.close();
  }

  /** Works on what has ended. */
  async run(): Promise<void> {
    const since = new Date(this.clock.now() - LOOK_BACK_MS);
    for (const batch of await this.find(since, [...this.failed], BATCH_PAGE_SIZE)) {
      if (this.stopping.signal.aborted) return;
      await this.workAlone(batch);
    }
  }

  private async workAlone(batch: Ended): Promise<void> {
    const giveBack = await this.locks.take(`${this.lock} ${batch.id}`);
    if (giveBack === null) return;
    try {
      await this.work(batch, this.stopping.signal);
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      if (isOutage(error)) throw error;
      this.failed.add(batch.id);
      this.warn(error);
    } finally {
      await giveBack();
    }
  }

  private warn(error: unknown): void {
    this.logger.warn(`${this.failure}: ${(error as Error).message}`);
  }
}

/** Puts the results of large batches in order; after a worker's death another goes on behind the last block that is kept. */
@Injectable()
export class OrderedResultsSweep extends EndedBatchSweep<{ readonly id: number }> {
  constructor(
    private readonly store: OrderedStore,
    private readonly ordered: OrderedResultsService,
    database: DataSource,
    @Inject(CLOCK) clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('order of', 'the results of a batch were not put in order', database, clock, timer);
  }

  protected async find(since: Date, without: readonly number[], limit: number): Promise<readonly { id: number }[]> {
    return (await this.store.unordered(since, without, limit)).map((id) => ({ id }));
  }

  protected work({ id }: { readonly id: number }, signal: AbortSignal): Promise<unknown> {
    return this.ordered.write(id, signal);
  }
}

/** Counts large batches; of one that was being counted when its worker died nothing is kept. */
@Injectable()
export class BatchSummarySweep extends EndedBatchSweep<SummedBatch> {
  constructor(
    private readonly store: BatchSummaryStore,
    private readonly summaries: BatchSummaryService,
    database: DataSource,
    @Inject(CLOCK) clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('summary of', 'the summary of a batch was not made', database, clock, timer);
  }

  protected find(since: Date, without: readonly number[], limit: number): Promise<readonly SummedBatch[]> {
    return this.store.uncounted(since, without, limit);
  }

  protected work(batch: SummedBatch, signal: AbortSignal): Promise<unknown> {
    return this.summaries.of(batch, signal);
  }
}
