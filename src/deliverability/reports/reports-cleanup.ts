import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DAY_MS } from '../../lib/durations.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { KEY_POLICIES, type KeyPolicies } from '../../platform/config/policies.js';
import { PeriodicJob } from '../../platform/periodic-job.js';
import { REPORT_TABLES } from './report-settings.js';
import { ReportIntakeStore } from './report-intake.store.js';

const EVERY_MS = 10 * 60_000;
/** Reports deleted by one statement; each has up to 20,000 rows. */
const REPORT_PAGE_SIZE = 20;
const SOURCE_PAGE_SIZE = 1_000;

/** Deletes reports that are older than the history of their account's plan, and sources that nobody has named as long as any is kept. */
@Injectable()
export class ReportsCleanup extends PeriodicJob {
  constructor(
    private readonly reports: ReportIntakeStore,
    private readonly database: DataSource,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('old reports were not deleted', { everyMs: EVERY_MS, firstAfterMs: EVERY_MS, timer });
  }

  async run(): Promise<void> {
    const plans = Object.entries(this.policies);
    const longestDays = Math.max(...plans.map(([, { monitorDays }]) => monitorDays));
    for (const days of new Set(plans.map(([, { monitorDays }]) => monitorDays))) {
      const names = plans.filter(([, { monitorDays }]) => monitorDays === days).map(([name]) => name);
      for (const table of [...REPORT_TABLES, 'unreadable_reports'] as const)
        while ((await this.reports.deleteOld(table, this.daysAgo(days), names, REPORT_PAGE_SIZE)) === REPORT_PAGE_SIZE);
    }
    // A domain has a bounded number of both.
    await this.database.query('DELETE FROM dmarc_failures WHERE last_at < $1', [this.daysAgo(longestDays)]);
    await this.database.query('DELETE FROM failure_arrivals WHERE received_at <= $1', [this.daysAgo(1)]);
    while ((await this.deleteOldSources(this.daysAgo(longestDays), SOURCE_PAGE_SIZE)) === SOURCE_PAGE_SIZE);
  }

  private daysAgo(days: number): Date {
    return new Date(this.clock.now() - days * DAY_MS);
  }

  private async deleteOldSources(before: Date, pageSize: number): Promise<number> {
    const [, sources]: [unknown, number] = await this.database.query(
      `WITH old AS MATERIALIZED (
         SELECT monitor_id, source FROM dmarc_sources WHERE last_seen_at < $1 ORDER BY last_seen_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       DELETE FROM dmarc_sources AS seen USING old WHERE seen.monitor_id = old.monitor_id AND seen.source = old.source`,
      [before, pageSize],
    );
    return sources;
  }
}
