import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic, type PeriodicOptions } from '../lib/periodic.js';

/** A job of the service that runs again and again from its start on, and whose last run ends before what it uses is closed. */
export abstract class PeriodicJob implements OnApplicationBootstrap, OnModuleDestroy {
  protected readonly logger: Logger;
  private readonly periodic: Periodic;

  /** @param failure begins the line of the log when a run has failed; the next one comes at its time */
  protected constructor(failure: string, options: Omit<PeriodicOptions, 'onError'>) {
    this.logger = new Logger(new.target.name);
    this.periodic = new Periodic(() => this.run(), {
      ...options,
      onError: (error) => this.logger.warn(`${failure}: ${(error as Error).message}`),
    });
  }

  /** Does what is due now. */
  abstract run(): Promise<unknown>;

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.periodic.stop();
  }
}
