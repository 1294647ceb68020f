import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../lib/periodic.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../platform/clock.js';
import { WorkNotifier } from '../platform/queue/work-notifier.js';
import { WEBHOOK_QUEUE } from '../webhooks/webhook-queue.js';
import { PlacementTestsStore } from './placement-tests.store.js';
import { MESSAGE_RETENTION_MS } from './placement-test.js';
import { PlacementWorkService } from './placement-work.service.js';

const EVERY_MS = 1_000;
/** Looks of one run; what is left is due in the next. */
const MAX_LOOKS = 50;
const FORGET_EVERY_MS = 600_000;

/** Looks at tests that are due, in every worker, and forgets messages whose time is over. */
@Injectable()
export class PlacementLoop implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(PlacementLoop.name);
  private readonly looking: Periodic;
  private readonly forgetting: Periodic;

  constructor(
    private readonly work: PlacementWorkService,
    private readonly tests: PlacementTestsStore,
    private readonly notifier: WorkNotifier,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    // The name of an error alone: its text may come from a message.
    const onError = (error: unknown): void =>
      this.logger.warn(`placement tests were left to a later look: ${(error as Error).name}`);
    this.looking = new Periodic(() => this.run(), { everyMs: EVERY_MS, timer, onError });
    this.forgetting = new Periodic(() => this.forget(), { everyMs: FORGET_EVERY_MS, timer, onError });
  }

  onApplicationBootstrap(): void {
    this.looking.start();
    this.forgetting.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.looking.stop(), this.forgetting.stop()]);
  }

  /** Does all that is due now. */
  async run(): Promise<void> {
    let isTold = false;
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      const done = await this.work.next();
      if (done === 'nothing') break;
      isTold ||= done === 'told';
    }
    if (isTold) await this.notifier.notify(WEBHOOK_QUEUE);
  }

  async forget(): Promise<void> {
    const before = new Date(this.clock.now() - MESSAGE_RETENTION_MS);
    while ((await this.tests.forgetMessages(before)) > 0);
  }
}
