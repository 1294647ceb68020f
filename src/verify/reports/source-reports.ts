import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../../lib/periodic.js';
import type { Engine } from '../../engine/verification/engine.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { SourceReportsService } from '../../sources/watch/source-reports.service.js';
import { ENGINE } from '../engine.provider.js';

const EVERY_MS = 10_000;

/** Tells what this process has seen of the sending addresses that it uses. */
@Injectable()
export class SourceReports implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SourceReports.name);
  private readonly processId = randomUUID();
  private readonly periodic: Periodic;

  constructor(
    @Inject(ENGINE) private readonly engine: Engine,
    private readonly sources: SourceReportsService,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    this.periodic = new Periodic(() => this.run(), {
      everyMs: EVERY_MS,
      timer,
      onError: (error) => this.logger.warn(`our sending addresses were not told of: ${(error as Error).message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.periodic.stop();
    // Where the database is gone, what was told ends by its age.
    await this.sources.forget(this.processId).catch(() => undefined);
  }

  async run(): Promise<void> {
    const seen = this.engine.sources().map(({ name, restingUntil, fault, port25 }) => ({
      source: name,
      restingUntil: restingUntil === null ? null : new Date(restingUntil),
      fault,
      port25: port25.state,
    }));
    await this.sources.report(this.processId, hostname(), seen, new Date(this.clock.now()));
  }
}
