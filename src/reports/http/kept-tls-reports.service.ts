import { Inject, Injectable } from '@nestjs/common';
import type { Owner } from '../../keys/access/owner.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Listing } from '../../platform/http/listing.js';
import type { Page, PageQuery } from '../../platform/http/page.js';
import { type AskedPeriod, type ReportedPeriod, reportedPeriod } from './reported-period.js';
import { ReportsStore } from './reports.store.js';
import {
  type KeptTlsReport,
  type ReportedTlsFailure,
  type TlsSessions,
  type TlsSessionsOfDay,
  TlsReportsStore,
} from './tls-reports.store.js';

const DAY_MS = 86_400_000;
const DEFAULT_FAILURES = 100;
const REPORTS = new Listing('tls-reports', 'integer');

export interface FailuresOfPeriod extends ReportedPeriod {
  readonly sessions: TlsSessions;
  readonly days: readonly TlsSessionsOfDay[];
  readonly failures: readonly ReportedTlsFailure[];
}

/** What was reported of the encryption of mail to a domain, for whom it belongs to. */
@Injectable()
export class KeptTlsReports {
  constructor(
    private readonly monitors: ReportsStore,
    private readonly store: TlsReportsStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Newest first. @throws AppError `monitor_not_found` */
  async list(owner: Owner, monitorId: number, query: PageQuery, monitorDays: number): Promise<Page<KeptTlsReport>> {
    await this.findMonitor(owner, monitorId);
    return await this.page(owner, monitorId, query, new Date(this.clock.now() - monitorDays * DAY_MS));
  }

  /** Of all monitors, for the export. */
  listAll(owner: Owner, query: PageQuery): Promise<Page<KeptTlsReport>> {
    return this.page(owner, null, query, new Date(0));
  }

  /** The failures of a report that `listAll` has given. */
  failuresOf(reportId: number): Promise<object[]> {
    return this.store.failuresOf(reportId);
  }

  /** The most sessions first. @throws AppError `monitor_not_found`, `invalid_input` */
  async failures(owner: Owner, monitorId: number, asked: AskedPeriod): Promise<FailuresOfPeriod> {
    await this.findMonitor(owner, monitorId);
    const { from, to } = reportedPeriod(asked, this.clock.now());
    const sessions = await this.store.sessions(monitorId, from, to);
    const days = await this.store.days(monitorId, from, to);
    const failures = await this.store.failures(monitorId, from, to, asked.limit ?? DEFAULT_FAILURES);
    return { from, to, sessions, days, failures };
  }

  private page(owner: Owner, monitorId: number | null, query: PageQuery, keptFrom: Date): Promise<Page<KeptTlsReport>> {
    return REPORTS.page(
      query,
      (request) => this.store.list(owner, monitorId, request, keptFrom),
      ({ receivedAt, id }) => ({ at: receivedAt, id: String(id) }),
    );
  }

  private async findMonitor(owner: Owner, monitorId: number): Promise<void> {
    if (!(await this.monitors.hasMonitor(owner, monitorId))) throw new AppError('monitor_not_found');
  }
}
