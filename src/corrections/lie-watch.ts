import { Inject, Injectable } from '@nestjs/common';
import { TIMER, type Timer } from '../platform/clock.js';
import { PeriodicJob } from '../platform/periodic-job.js';
import { WorkNotifier } from '../platform/queue/work-notifier.js';
import { RecentVerdicts } from '../reuse/recent-verdicts.js';
import { ReportedDenials } from '../resolver/reported-denials.js';
import { WEBHOOK_QUEUE } from '../webhooks/webhook-queue.js';
import { Corrections } from './corrections.service.js';

/** What could not be taken back because a server was away is tried again so often. */
const EVERY_MS = 10_000;

/** Has verdicts taken back as soon as they are known to rest on a lie of the DNS resolver. */
@Injectable()
export class LieWatch extends PeriodicJob {
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly denials: ReportedDenials,
    private readonly corrections: Corrections,
    private readonly recent: RecentVerdicts,
    private readonly notifier: WorkNotifier,
    @Inject(TIMER) timer: Timer,
  ) {
    super(FAILURE, { everyMs: EVERY_MS, timer });
    denials.onLies(() => {
      this.run().catch((error: Error) => this.logger.warn(`${FAILURE}: ${error.message}`));
    });
  }

  /** Takes back what is known by now, one run after the other. */
  run(): Promise<void> {
    const run = this.running.then(() => this.takeBack());
    this.running = run.catch(() => {});
    return run;
  }

  private async takeBack(): Promise<void> {
    const lies = this.denials.takeLies();
    if (lies.length === 0) return;
    // What waits to be kept would be kept after it was forgotten.
    await this.recent.flush();
    const { isTold, failed, fault } = await this.corrections.correct(lies);
    this.denials.putBack(failed);
    if (isTold) await this.notifier.notify(WEBHOOK_QUEUE);
    if (fault !== null) throw fault;
  }
}

const FAILURE = 'verdicts that rest on a lie are not taken back yet';
