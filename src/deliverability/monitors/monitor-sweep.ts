import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Periodic } from '../../lib/periodic.js';
import { WorkLoop } from '../../lib/work-loop.js';
import { TIMER, type Timer } from '../../platform/clock.js';
import { WorkNotifier } from '../../platform/queue/work-notifier.js';
import { WEBHOOK_QUEUE } from '../../webhooks/webhook-queue.js';
import { MonitorRunsService } from './monitor-runs.service.js';
import type { LeasedMonitor } from './runs.store.js';

const EVERY_MS = 1_000;
/** Monitors that a process runs at once: most of a run is waiting for name servers. */
const CONCURRENCY = 32;
/** Runs that end within it count when the process stops; another process runs the others again. */
const FINISH_WITHIN_MS = 8_000;

/**
 * Runs monitors when their time has come, several at once, each by one process of all that run.
 *
 * A monitor is free, or leased by the process that runs it. The end of its run sets the next time and gives the lease back; the lease of a
 * process that was killed expires, and so does that of a run that met a fault of ours, so that nobody runs into the same fault at once.
 */
@Injectable()
export class MonitorSweep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(MonitorSweep.name);
  private readonly running = new Set<Promise<void>>();
  private readonly loop: WorkLoop;
  private readonly periodic: Periodic;

  constructor(
    private readonly database: DataSource,
    private readonly runs: MonitorRunsService,
    private readonly notifier: WorkNotifier,
    @Inject(TIMER) private readonly timer: Timer,
  ) {
    const onError = (error: unknown): void =>
      this.logger.warn(`a run of a monitor was left to a later one: ${(error as Error).message}`);
    this.loop = new WorkLoop({ fill: () => this.fill(), onError });
    this.periodic = new Periodic(() => this.loop.wake(), { everyMs: EVERY_MS, firstAfterMs: EVERY_MS, timer, onError });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([
      this.periodic.stop(),
      this.loop.stop({ timer: this.timer, graceMs: FINISH_WITHIN_MS, abort: () => {} }),
    ]);
  }

  /** Runs all that are due now. Resolves when none is left and all have ended. */
  async runDue(): Promise<void> {
    await this.loop.wake();
    while (this.running.size > 0) {
      await Promise.allSettled(this.running);
      await this.loop.wake();
    }
  }

  private async fill(): Promise<void> {
    const free = CONCURRENCY - this.running.size;
    if (free <= 0) return;
    for (const monitor of await this.runs.due(free))
      this.loop.begin(() => {
        const run = this.run(monitor).finally(() => this.running.delete(run));
        this.running.add(run);
        return run;
      });
  }

  private async run(monitor: LeasedMonitor): Promise<void> {
    const found = await this.runs.find(monitor, 'schedule');
    const finished = await this.database.transaction((tx) =>
      this.runs.finish(tx, monitor, found, { cause: 'schedule', creditsCharged: 0 }),
    );
    if (finished?.hasDeliveries) await this.notifier.notify(WEBHOOK_QUEUE);
  }
}
