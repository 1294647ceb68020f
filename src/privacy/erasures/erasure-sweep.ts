import { Inject, Injectable } from '@nestjs/common';
import { TIMER, type Timer } from '../../platform/clock.js';
import { PeriodicJob } from '../../platform/periodic-job.js';
import { ErasureWork } from './erasure-work.service.js';

const EVERY_MS = 1_000;

/** Works on erasures in every process, so that another one, or one that was started again, goes on where one has died. */
@Injectable()
export class ErasureSweep extends PeriodicJob {
  private isStopped = false;

  constructor(
    private readonly work: ErasureWork,
    @Inject(TIMER) timer: Timer,
  ) {
    super('addresses were not erased', { everyMs: EVERY_MS, firstAfterMs: EVERY_MS, timer });
  }

  run(): Promise<unknown> {
    return this.work.run(() => this.isStopped);
  }

  override onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    return super.onModuleDestroy();
  }
}
