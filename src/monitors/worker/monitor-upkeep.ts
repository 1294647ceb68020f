import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HOUR_MS } from '../../lib/durations.js';
import { Periodic } from '../../lib/periodic.js';
import { TIMER, type Timer } from '../../platform/clock.js';
import { MonitorTerms } from '../runs/monitor-terms.service.js';
import { MonitorRetention } from './monitor-retention.js';

const TERMS_MS = 60_000;
const RETENTION_MS = HOUR_MS;

/** Holds monitors to the terms of their accounts each minute, and forgets their old history each hour. */
@Injectable()
export class MonitorUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(MonitorUpkeep.name);
  private readonly all: readonly Periodic[];

  constructor(terms: MonitorTerms, retention: MonitorRetention, @Inject(TIMER) timer: Timer) {
    const onError = (error: unknown): void => this.logger.warn(`monitors were not tended: ${(error as Error).message}`);
    this.all = [
      new Periodic(() => terms.apply(), { everyMs: TERMS_MS, firstAfterMs: TERMS_MS, timer, onError }),
      new Periodic(() => retention.forget(), { everyMs: RETENTION_MS, firstAfterMs: TERMS_MS, timer, onError }),
    ];
  }

  onApplicationBootstrap(): void {
    for (const periodic of this.all) periodic.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.all.map((periodic) => periodic.stop()));
  }
}
