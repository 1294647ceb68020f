import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { PeriodicJob } from '../../platform/periodic-job.js';
import { SeedLooksService } from './seed-looks.service.js';
import { LEASE_MS } from './seed.js';
import { SeedsStore } from './seeds.store.js';

const EVERY_MS = 5_000;
/** Mailboxes that one process reads at once. */
const SEED_CONCURRENCY = 4;

/** Looks into the mailboxes whose time has come: for tests that wait, and once an hour whether they can be read. */
@Injectable()
export class SeedPoller extends PeriodicJob {
  private readonly stopping = new AbortController();

  constructor(
    private readonly seeds: SeedsStore,
    private readonly looks: SeedLooksService,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('seed mailboxes were not looked into', { everyMs: EVERY_MS, firstAfterMs: EVERY_MS, timer });
  }

  override onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    return super.onModuleDestroy();
  }

  /** Does all that is due now. */
  async run(): Promise<void> {
    const ends = await Promise.allSettled(Array.from({ length: SEED_CONCURRENCY }, () => this.drain()));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  private async drain(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const owner = randomUUID();
      const now = this.clock.now();
      const seed = await this.seeds.lease(owner, new Date(now), new Date(now + LEASE_MS));
      if (seed === null) return;
      await this.looks.look(seed, owner, this.stopping.signal);
    }
  }
}
