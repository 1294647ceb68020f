import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../../async/periodic.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { KEY_POLICIES, type KeyPolicies } from '../../platform/config/policies.js';
import { ReportIntakeStore } from './report-intake.store.js';
import { TlsIntakeStore } from './tls-intake.store.js';

const EVERY_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
/** Reports deleted by one statement; each has up to 20,000 rows. */
const REPORT_PAGE_SIZE = 20;
const SOURCE_PAGE_SIZE = 1_000;

/** Deletes reports that are older than the history of their account's plan, and sources that nobody has named as long as any is kept. */
@Injectable()
export class ReportsCleanup implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ReportsCleanup.name);
  private readonly periodic: Periodic;

  constructor(
    private readonly store: ReportIntakeStore,
    private readonly tls: TlsIntakeStore,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    this.periodic = new Periodic(() => this.run(), {
      everyMs: EVERY_MS,
      firstAfterMs: EVERY_MS,
      timer,
      onError: (error) => this.logger.warn(`old reports were not deleted: ${(error as Error).message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.periodic.stop();
  }

  async run(): Promise<void> {
    const plans = Object.entries(this.policies);
    const longestDays = Math.max(...plans.map(([, { monitorDays }]) => monitorDays));
    for (const days of new Set(plans.map(([, { monitorDays }]) => monitorDays))) {
      const names = plans.filter(([, { monitorDays }]) => monitorDays === days).map(([name]) => name);
      while ((await this.store.deleteOld(this.daysAgo(days), names, REPORT_PAGE_SIZE)) === REPORT_PAGE_SIZE);
      while ((await this.tls.deleteOld(this.daysAgo(days), names, REPORT_PAGE_SIZE)) === REPORT_PAGE_SIZE);
    }
    while ((await this.store.deleteOldSources(this.daysAgo(longestDays), SOURCE_PAGE_SIZE)) === SOURCE_PAGE_SIZE);
  }

  private daysAgo(days: number): Date {
    return new Date(this.clock.now() - days * DAY_MS);
  }
}
