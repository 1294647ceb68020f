import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../../lib/periodic.js';
import { TIMER, type Timer } from '../../platform/clock.js';
import { SourceWatch } from './source-watch.service.js';

const EVERY_MS = 2_000;
/** What is new at the start is looked at when the process has begun to work. */
const FIRST_AFTER_MS = 10_000;

/** Has a sending address that is new, or that mail hosts know by something else now, looked at at once, and not in the next round. */
@Injectable()
export class NewSourceLooks implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(NewSourceLooks.name);
  private readonly periodic: Periodic;
  private seen = '';

  constructor(
    private readonly watch: SourceWatch,
    @Inject(TIMER) timer: Timer,
  ) {
    this.periodic = new Periodic(() => this.run(), {
      everyMs: EVERY_MS,
      firstAfterMs: FIRST_AFTER_MS,
      timer,
      onError: (error) => this.logger.warn(`new sending addresses were not looked at: ${(error as Error).message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.periodic.stop();
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
