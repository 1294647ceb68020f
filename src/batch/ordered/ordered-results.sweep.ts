import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Periodic } from '../../async/periodic.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { SessionLocks } from '../../platform/database/session-locks.js';
import { isOutage } from '../../platform/errors/outage.js';
import { OrderedResults } from './ordered-results.service.js';
import { OrderedStore } from './ordered.store.js';

const EVERY_MS = 2_000;
const BATCH_PAGE_SIZE = 20;
/** A batch that ended earlier was missed by every worker, or cannot be put in order: it is read from its chunks. */
const LOOK_BACK_MS = 86_400_000;

/**
 * Puts the results of large batches in order soon after their end. One worker at a time works on a batch; when that dies, its lock is gone,
 * and the next look of another one goes on behind the last block that is kept.
 */
@Injectable()
export class OrderedResultsSweep implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger(OrderedResultsSweep.name);
  private readonly locks: SessionLocks;
  private readonly periodic: Periodic;
  private readonly stopping = new AbortController();
  /** Batches that could not be put in order, so that they do not hold up the others. */
  private readonly failed = new Set<number>();

  constructor(
    private readonly store: OrderedStore,
    private readonly ordered: OrderedResults,
    database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    this.locks = new SessionLocks(database);
    this.periodic = new Periodic(() => this.orderEnded(), {
      everyMs: EVERY_MS,
      firstAfterMs: EVERY_MS,
      timer,
      onError: (error) => this.warn(error),
    });
  }

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

  /** Puts in order what has ended and is not yet. */
  async orderEnded(): Promise<void> {
    const since = new Date(this.clock.now() - LOOK_BACK_MS);
    for (const id of await this.store.unordered(since, [...this.failed], BATCH_PAGE_SIZE)) {
      if (this.stopping.signal.aborted) return;
      await this.order(id);
    }
  }

  private async order(id: number): Promise<void> {
    const giveBack = await this.locks.take(`order of ${id}`);
    if (giveBack === null) return;
    try {
      await this.ordered.write(id, this.stopping.signal);
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      if (isOutage(error)) throw error;
      this.failed.add(id);
      this.warn(error);
    } finally {
      await giveBack();
    }
  }

  private warn(error: unknown): void {
    this.logger.warn(`the results of a batch were not put in order: ${(error as Error).message}`);
  }
}
