import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../../../async/periodic.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../../platform/clock.js';
import { SeedLooks } from './seed-looks.service.js';
import { LEASE_MS } from '../seed.js';
import { SeedsStore } from '../seeds.store.js';

const EVERY_MS = 5_000;
/** Mailboxes that one process reads at once. */
const SEED_CONCURRENCY = 4;

/** Looks into the mailboxes whose time has come: for tests that wait, and once an hour whether they can be read. */
@Injectable()
export class SeedPoller implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SeedPoller.name);
  private readonly stopping = new AbortController();
  private readonly periodic: Periodic;

  constructor(
    private readonly seeds: SeedsStore,
    private readonly looks: SeedLooks,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    const onError = (error: unknown): void =>
      this.logger.warn(`seed mailboxes were not looked into: ${(error as Error).message}`);
    this.periodic = new Periodic(() => this.run(), { everyMs: EVERY_MS, firstAfterMs: EVERY_MS, timer, onError });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.periodic.stop();
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
