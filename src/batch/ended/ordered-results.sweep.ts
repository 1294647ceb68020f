import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { EndedBatchSweep } from './ended-batch-sweep.js';
import { OrderedResults } from '../results/ordered-results.service.js';
import { OrderedStore } from '../results/ordered.store.js';

/** Puts the results of large batches in order; after a worker's death another goes on behind the last block that is kept. */
@Injectable()
export class OrderedResultsSweep extends EndedBatchSweep<{ readonly id: number }> {
  constructor(
    private readonly store: OrderedStore,
    private readonly ordered: OrderedResults,
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
