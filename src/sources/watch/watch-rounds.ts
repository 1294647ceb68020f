import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { MINUTE_MS } from '../../lib/durations.js';
import { Periodic } from '../../lib/periodic.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { SourceWatch } from './source-watch.service.js';
import { WatchStore } from './watch.store.js';

const ROUND_MS = 15 * MINUTE_MS;
/** So that lists are not asked by all installations at once. */
const MAX_JITTER_MS = MINUTE_MS;
/** A process that looks at the round this often takes over what another has left. */
const LOOK_MS = 30_000;
/** Longer than any round: a silent resolver is given up after seconds. */
const LEASE_MS = 10 * MINUTE_MS;

/** Has our sending addresses looked at each quarter of an hour, by one process of all that run. */
@Injectable()
export class WatchRounds implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(WatchRounds.name);
  private readonly processId = randomUUID();
  private readonly periodic: Periodic;

  constructor(
    private readonly watch: SourceWatch,
    private readonly store: WatchStore,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    this.periodic = new Periodic(() => this.run(), {
      everyMs: LOOK_MS,
      firstAfterMs: LOOK_MS,
      timer,
      onError: (error) => this.logger.warn(`our sending addresses were not looked at: ${(error as Error).message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.periodic.stop();
  }

  /** @returns whether the round was due, and this process's */
  async run(): Promise<boolean> {
    const now = this.clock.now();
    if (!(await this.store.takeRound(this.processId, new Date(now), new Date(now + LEASE_MS)))) return false;
    await this.watch.lookAtAll();
    const nextMs = ROUND_MS + Math.random() * MAX_JITTER_MS;
    await this.store.endRound(this.processId, new Date(now + nextMs));
    return true;
  }
}
