import { Injectable } from '@nestjs/common';
import type { Owner } from '../../keys/access/owner.js';
import { Listing } from '../../platform/http/listing.js';
import type { Page, PageQuery } from '../../platform/http/page.js';
import { type ReportKind, ReportPages, type SummedPeriod } from './report-pages.service.js';
import type { AskedPeriod } from './reported-period.js';
import {
  type KeptTlsReport,
  type ReportedTlsFailure,
  TLS_REPORT_COLUMNS,
  type TlsSessions,
  type TlsSessionsOfDay,
  TlsReportsStore,
} from './tls-reports.store.js';

const DEFAULT_FAILURES = 100;
const KIND: ReportKind = {
  table: 'tls_reports',
  columns: TLS_REPORT_COLUMNS,
  listing: new Listing('tls-reports', 'integer'),
};

export interface FailuresOfPeriod extends SummedPeriod {
  readonly sessions: TlsSessions;
  readonly days: readonly TlsSessionsOfDay[];
  readonly failures: readonly ReportedTlsFailure[];
}

/** What was reported of the encryption of mail to a domain, for whom it belongs to. */
@Injectable()
export class KeptTlsReports {
  constructor(
    private readonly pages: ReportPages,
    private readonly store: TlsReportsStore,
  ) {}

  /** Newest first. @throws AppError `monitor_not_found` */
  list(owner: Owner, monitorId: number, query: PageQuery, monitorDays: number): Promise<Page<KeptTlsReport>> {
    return this.pages.list(KIND, owner, { monitorId, monitorDays }, query);
  }

  /** Of all monitors, for the export. */
  listAll(owner: Owner, query: PageQuery): Promise<Page<KeptTlsReport>> {
    return this.pages.listAll(KIND, owner, query);
  }

  /** The failures of a report that `listAll` has given. */
  failuresOf(reportId: number): Promise<object[]> {
    return this.store.failuresOf(reportId);
  }

  /** The most sessions first. @throws AppError `monitor_not_found`, `invalid_input` */
  async failures(owner: Owner, monitorId: number, asked: AskedPeriod): Promise<FailuresOfPeriod> {
    const period = await this.pages.periodOf(KIND, owner, monitorId, asked);
    const { from, to } = period;
    const sessions = await this.store.sessions(monitorId, from, to);
    const days = await this.store.days(monitorId, from, to);
    const failures = await this.store.failures(monitorId, from, to, asked.limit ?? DEFAULT_FAILURES);
    return { ...period, sessions, days, failures };
  }
}
