import { Injectable } from '@nestjs/common';
import type { Owner } from '../../keys/access/owner.js';
import { Listing } from '../../platform/http/listing.js';
import type { Page, PageQuery } from '../../platform/http/page.js';
import { type ReportKind, ReportPages, type SummedPeriod, type UnreadableReports } from './report-pages.service.js';
import type { AskedPeriod } from './reported-period.js';
import { type KeptReport, REPORT_COLUMNS, type ReportedSource, ReportsStore } from './reports.store.js';

const DEFAULT_SOURCES = 100;
const KIND: ReportKind = {
  table: 'dmarc_reports',
  columns: REPORT_COLUMNS,
  listing: new Listing('dmarc-reports', 'integer'),
};

export interface SourcesOfPeriod extends SummedPeriod {
  readonly sources: readonly ReportedSource[];
}

/** What was reported of a domain, for whom it belongs to. */
@Injectable()
export class KeptReports {
  constructor(
    private readonly pages: ReportPages,
    private readonly store: ReportsStore,
  ) {}

  /** Newest first. @throws AppError `monitor_not_found` */
  list(owner: Owner, monitorId: number, query: PageQuery, monitorDays: number): Promise<Page<KeptReport>> {
    return this.pages.list(KIND, owner, { monitorId, monitorDays }, query);
  }

  /** Of all monitors, for the export. */
  listAll(owner: Owner, query: PageQuery): Promise<Page<KeptReport>> {
    return this.pages.listAll(KIND, owner, query);
  }

  /** The rows of a report that `listAll` has given. */
  rowsOf(reportId: number): Promise<object[]> {
    return this.store.rowsOf(reportId);
  }

  /** What reports of single messages said of a monitor's domain, whose it is somebody has asked before. */
  failuresOf(monitorId: number): Promise<object[]> {
    return this.store.failuresOf(monitorId);
  }

  /** Why mails to the address of a monitor were no reports, newest first. @throws AppError `monitor_not_found` */
  unreadable(owner: Owner, monitorId: number, query: PageQuery): Promise<UnreadableReports> {
    return this.pages.unreadable(owner, monitorId, query);
  }

  /** The most messages first. @throws AppError `monitor_not_found`, `invalid_input` */
  async sources(owner: Owner, monitorId: number, asked: AskedPeriod): Promise<SourcesOfPeriod> {
    const period = await this.pages.periodOf(KIND, owner, monitorId, asked);
    const { from, to } = period;
    return { ...period, sources: await this.store.sources(monitorId, from, to, asked.limit ?? DEFAULT_SOURCES) };
  }
}
