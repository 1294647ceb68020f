import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { MINUTE_MS } from '../../../lib/durations.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../../platform/clock.js';
import { PeriodicJob } from '../../../platform/periodic-job.js';
import { SourceWatch } from './source-watch.service.js';
import { WatchStore } from './watch.store.js';

const ROUND_MS = 15 * MINUTE_MS;
/** So that lists are not asked by all installations at once. */
const MAX_JITTER_MS = MINUTE_MS;
/** A process that looks at the round this often takes over what another has left. */
const WATCH_MS = 30_000;
/** Longer than any round: a silent resolver is given up after seconds. */
const LEASE_MS = 10 * MINUTE_MS;

/** Has our sending addresses looked at each quarter of an hour, by one process of all that run. */
@Injectable()
export class SourceWatchLoop extends PeriodicJob {
  private readonly processId = randomUUID();

  constructor(
    private readonly watch: SourceWatch,
    private readonly store: WatchStore,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('our sending addresses were not looked at', { everyMs: WATCH_MS, firstAfterMs: WATCH_MS, timer });
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

const EVERY_MS = 2_000;
/** What is new at the start is looked at when the process has begun to work. */
const FIRST_AFTER_MS = 10_000;

/** Has a sending address that is new, or that mail hosts know by something else now, looked at at once, and not in the next round. */
@Injectable()
export class NewSourceChecks extends PeriodicJob {
  private seen = '';

  constructor(
    private readonly watch: SourceWatch,
    @Inject(TIMER) timer: Timer,
  ) {
    super('new sending addresses were not looked at', { everyMs: EVERY_MS, firstAfterMs: FIRST_AFTER_MS, timer });
  }

  /** Asks the database only when the configuration has changed. @returns the names of those that this process has looked at */
  async run(): Promise<readonly string[]> {
    const { identities } = this.watch;
    if (identities === this.seen) return [];
    const looked = await this.watch.lookAtNew();
    this.seen = identities;
    return looked;
  }
}
