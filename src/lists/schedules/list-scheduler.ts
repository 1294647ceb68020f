import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../../lib/periodic.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { WorkNotifier } from '../../platform/queue/work-notifier.js';
import { WEBHOOK_QUEUE } from '../../webhooks/webhook-queue.js';
import { ListRuns } from './list-runs.service.js';
import { SchedulesStore } from './schedules.store.js';

const EVERY_MS = 10_000;
/** Lists looked at together; a process that has begun these looks again at once. */
const LIST_PAGE_SIZE = 20;
/** A run that could not begin is tried again so much later, so that lists that never can do not take every look for themselves. */
const PUT_OFF_MS = 600_000;

/** Ends runs whose batch has ended, and begins those whose time has come. */
@Injectable()
export class ListScheduler implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ListScheduler.name);
  private readonly periodic: Periodic;

  constructor(
    private readonly schedules: SchedulesStore,
    private readonly runs: ListRuns,
    private readonly notifier: WorkNotifier,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    const onError = (error: unknown): void =>
      this.logger.warn(`scheduled lists were not looked at: ${(error as Error).message}`);
    this.periodic = new Periodic(() => this.run(), { everyMs: EVERY_MS, firstAfterMs: EVERY_MS, timer, onError });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.periodic.stop();
  }

  /** Does all that is to be done now. */
  async run(): Promise<void> {
    const at = new Date(this.clock.now());
    let isTold = false;
    await this.each(
      (tried) => this.schedules.ended(tried, LIST_PAGE_SIZE),
      async (id) => {
        isTold = (await this.runs.end(id, at)) || isTold;
      },
    );
    if (isTold) await this.notifier.notify(WEBHOOK_QUEUE);
    await this.each(
      (tried) => this.schedules.due(at, tried, LIST_PAGE_SIZE),
      (id) => this.begin(id, at),
    );
  }

  private async begin(id: number, at: Date): Promise<void> {
    try {
      await this.runs.begin(id, at);
    } catch (error) {
      await this.schedules.putOff(id, at, new Date(at.getTime() + PUT_OFF_MS));
      throw error;
    }
  }

  /** One list that cannot be worked on holds up none behind it: each is tried once in a run. */
  private async each(
    find: (tried: readonly number[]) => Promise<number[]>,
    work: (id: number) => Promise<unknown>,
  ): Promise<void> {
    const tried: number[] = [];
    for (;;) {
      const ids = await find(tried);
      if (ids.length === 0) return;
      for (const id of ids) {
        tried.push(id);
        await work(id).catch((error: Error) =>
          this.logger.warn(`list ${id} was left to a later look: ${error.message}`),
        );
      }
    }
  }
}
