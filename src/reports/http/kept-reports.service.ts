import { Inject, Injectable } from '@nestjs/common';
import type { Owner } from '../../keys/access/owner.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Listing } from '../../platform/http/listing.js';
import type { Page, PageQuery } from '../../platform/http/page.js';
import { type AskedPeriod, type ReportedPeriod, reportedPeriod } from './reported-period.js';
import { type KeptReport, type ReportedSource, ReportsStore } from './reports.store.js';

const DAY_MS = 86_400_000;
const DEFAULT_SOURCES = 100;
const REPORTS = new Listing('dmarc-reports', 'integer');

export interface SourcesOfPeriod extends ReportedPeriod {
  readonly sources: readonly ReportedSource[];
}

/** What was reported of a domain, for whom it belongs to. */
@Injectable()
export class KeptReports {
  constructor(
    private readonly store: ReportsStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Newest first. @throws AppError `monitor_not_found` */
  async list(owner: Owner, monitorId: number, query: PageQuery, monitorDays: number): Promise<Page<KeptReport>> {
    await this.findMonitor(owner, monitorId);
    return await this.page(owner, monitorId, query, new Date(this.clock.now() - monitorDays * DAY_MS));
  }

  /** Of all monitors, for the export. */
  listAll(owner: Owner, query: PageQuery): Promise<Page<KeptReport>> {
    return this.page(owner, null, query, new Date(0));
  }

  /** The rows of a report that `listAll` has given. */
  rowsOf(reportId: number): Promise<object[]> {
    return this.store.rowsOf(reportId);
  }

  /** The most messages first. @throws AppError `monitor_not_found`, `invalid_input` */
  async sources(owner: Owner, monitorId: number, asked: AskedPeriod): Promise<SourcesOfPeriod> {
    await this.findMonitor(owner, monitorId);
    const { from, to } = reportedPeriod(asked, this.clock.now());
    return { from, to, sources: await this.store.sources(monitorId, from, to, asked.limit ?? DEFAULT_SOURCES) };
  }

  private page(owner: Owner, monitorId: number | null, query: PageQuery, keptFrom: Date): Promise<Page<KeptReport>> {
    return REPORTS.page(
      query,
      (request) => this.store.list(owner, monitorId, request, keptFrom),
      ({ receivedAt, id }) => ({ at: receivedAt, id: String(id) }),
    );
  }

  private async findMonitor(owner: Owner, monitorId: number): Promise<void> {
    if (!(await this.store.hasMonitor(owner, monitorId))) throw new AppError('monitor_not_found');
  }
}
