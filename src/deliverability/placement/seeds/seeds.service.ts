import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK, type WallClock } from '../../../platform/clock.js';
import { type PlacementTest, SeedMailboxes, type SeedSource, type SeedsSeen } from '../placement-test.js';
import { ArrivalsStore } from './arrivals.store.js';
import { seedStatusOf, waitMs } from './seed-status.js';
import { SeedsStore } from './seeds.store.js';

/** The operator's mailboxes, as tests know them. */
@Injectable()
export class SeedsService implements SeedSource {
  constructor(
    private readonly seeds: SeedsStore,
    private readonly arrivals: ArrivalsStore,
    @Inject(CLOCK) private readonly clock: WallClock,
    mailboxes: SeedMailboxes,
  ) {
    mailboxes.register(this);
  }

  /** Providers that new tests may ask for, and how many mailboxes each has. */
  usable(): Promise<{ provider: string; seeds: number }[]> {
    return this.seeds.usable();
  }

  async isUsable(wanted: PlacementTest['seeds']): Promise<boolean> {
    if (wanted === 'none') return false;
    const usable = await this.usable();
    return usable.some(({ provider }) => wanted === 'all' || wanted.includes(provider));
  }

  async assign(tx: EntityManager, test: PlacementTest): Promise<readonly string[]> {
    // A test key reaches nobody.
    if (test.seeds === 'none' || test.simulated) return [];
    const seeds = await this.seeds.wanted(tx, test.seeds === 'all' ? null : test.seeds);
    const dueAt = new Date(test.createdAt.getTime() + waitMs(0));
    await this.arrivals.insert(
      tx,
      test.id,
      seeds.map(({ id }) => id),
      dueAt,
    );
    return seeds.map(({ address }) => address);
  }

  async addressesOf(testId: number): Promise<readonly string[]> {
    return (await this.arrivals.of(testId)).map(({ address }) => address);
  }

  async seen(test: PlacementTest): Promise<SeedsSeen> {
    const at = new Date(this.clock.now());
    const seeds = (await this.arrivals.of(test.id)).map((known) => seedStatusOf(test, known, at));
    return { seeds, isSettled: seeds.every(({ placement }) => placement !== 'pending') };
  }
}
