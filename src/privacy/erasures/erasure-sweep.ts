import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../../async/periodic.js';
import { TIMER, type Timer } from '../../platform/clock.js';
import { ErasureWork } from './erasure-work.service.js';

const EVERY_MS = 1_000;

/** Works on erasures in every process, so that another one, or one that was started again, goes on where one has died. */
@Injectable()
export class ErasureSweep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ErasureSweep.name);
  private readonly periodic: Periodic;
  private isStopped = false;

  constructor(work: ErasureWork, @Inject(TIMER) timer: Timer) {
    this.periodic = new Periodic(() => work.run(() => this.isStopped), {
      everyMs: EVERY_MS,
      firstAfterMs: EVERY_MS,
      timer,
      onError: (error) => this.logger.warn(`addresses were not erased: ${(error as Error).message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    return this.periodic.stop();
  }
}
