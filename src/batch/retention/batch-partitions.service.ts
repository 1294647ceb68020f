import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS } from '../../lib/durations.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { KEY_POLICIES, type KeyPolicies } from '../../platform/config/policies.js';
import { dateOf, dayOf, firstIdOf } from '../model/batch-number.js';
import { type BatchPartition, BatchPartitionsStore } from './batch-partitions.store.js';

/** Partitions are made so long ahead: the time in which nobody may notice that no worker makes them. */
const DAYS_AHEAD = 7;
/** Partitions that one transaction drops: each has some thirty locks. */
const DROPPED_TOGETHER = 10;
/** Where batches are kept longer than so many days, a partition holds several of them: each costs every plan a little. */
const MAX_DAYS_OF_ONE = 60;

/**
 * What is stored of a batch goes into the partition of the day on which the batch was made. Retention then drops whole days instead of
 * deleting row by row.
 *
 * A day's partition is *ahead*, *in use*, *ending* or *empty*. It is ending when it is over and no batch of it is kept for more than a day
 * longer: what is deleted of it then leaves its rows to the end of the partition. It is empty when no batch of it is left, and is dropped.
 * Batches of other partitions are deleted with their rows.
 *
 * The default partition takes what has no other. A day whose first rows are in it gets no partition.
 */
@Injectable()
export class BatchPartitions {
  private readonly daysOfOne: number;

  constructor(
    private readonly store: BatchPartitionsStore,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(KEY_POLICIES) policies: KeyPolicies,
  ) {
    const longest = Math.max(...Object.values(policies).map(({ retentionDays }) => retentionDays));
    this.daysOfOne = Math.ceil(longest / MAX_DAYS_OF_ONE);
  }

  /** Makes those of today and of the days to come. @returns how many */
  async makeAhead(): Promise<number> {
    const there = await this.store.list();
    const today = dayOf(this.clock.now());
    let made = 0;
    for (let day = today - (today % this.daysOfOne); day <= today + DAYS_AHEAD; day += this.daysOfOne) {
      const wanted = { name: dateOf(day), firstId: firstIdOf(day), endId: firstIdOf(day + this.daysOfOne) };
      const isThere = there.some(({ firstId, endId }) => firstId < wanted.endId && wanted.firstId < endId);
      if (!isThere && (await this.store.make(wanted))) made++;
    }
    return made;
  }

  /** Partitions whose deleted batches leave their rows to them. */
  async ending(): Promise<BatchPartition[]> {
    return this.store.endingBefore(new Date(this.clock.now() + DAY_MS), await this.over());
  }

  /** Drops partitions without batches; empties them while somebody works with the tables all the time. @returns how many were dropped */
  async dropEmpty(): Promise<number> {
    let dropped = 0;
    let mayDrop = true;
    const empty = await this.store.empty(await this.over());
    for (let i = 0; i < empty.length; i += DROPPED_TOGETHER) {
      const some = empty.slice(i, i + DROPPED_TOGETHER);
      mayDrop = mayDrop && (await this.store.drop(some));
      if (mayDrop) dropped += some.length;
      else await this.store.truncate(some);
    }
    return dropped;
  }

  /** Partitions in which no batch is made any more: an upload may begin before midnight, and clocks differ. */
  private async over(): Promise<BatchPartition[]> {
    const yesterday = firstIdOf(dayOf(this.clock.now()) - 1);
    return (await this.store.list()).filter(({ endId }) => endId <= yesterday);
  }
}
