import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { AppError } from '../../platform/errors/app-error.js';
import { MAX_LOOK_MS } from './monitor-looks.service.js';
import { type Lease, type LeasedMonitor, RunsStore } from './runs.store.js';

/** Longer than any look: a run that takes longer was begun by a process that is gone. */
const LEASE_MS = 2 * MAX_LOOK_MS + 30_000;
/** Somebody may ask for a run of a monitor once in this time. */
const ASKED_APART_MS = 60_000;

/** The monitors that this process runs. */
@Injectable()
export class MonitorLeases {
  private readonly process = randomUUID();

  constructor(
    private readonly store: RunsStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Those that are due, the longest first. */
  due(limit: number): Promise<LeasedMonitor[]> {
    return this.store.lease(this.lease(this.process), limit);
  }

  /** One that somebody asks for, whatever its time is. @throws AppError `rate_limited`, `monitor_busy` */
  async asked(id: number): Promise<LeasedMonitor> {
    const now = this.clock.now();
    // Each has a holder of its own: two requests of one process are two.
    const outcome = await this.store.leaseAsked(id, this.lease(randomUUID()), new Date(now - ASKED_APART_MS));
    if (outcome.monitor !== null) return outcome.monitor;
    if (outcome.askedAt === null) throw new AppError('monitor_busy');
    throw new AppError('rate_limited', {
      message: 'A run of a monitor may be asked for once a minute.',
      retryAfterSeconds: (outcome.askedAt.getTime() + ASKED_APART_MS - now) / 1000,
    });
  }

  /** Gives one back that was not run. */
  release(monitor: LeasedMonitor): Promise<void> {
    return this.store.release(monitor);
  }

  private lease(holder: string): Lease {
    const now = this.clock.now();
    return { holder, now: new Date(now), until: new Date(now + LEASE_MS) };
  }
}
