import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS } from '../../lib/durations.js';
import type { Owner } from '../../keys/access/owner.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Listing } from '../../platform/http/listing.js';
import type { Page, PageQuery } from '../../platform/http/page.js';
import type { ReportTable } from '../report-table.js';
import { type KeptUnreadable, ReportPagesStore } from './report-pages.store.js';
import { type AskedPeriod, type ReportedPeriod, reportedPeriod } from './reported-period.js';

/** What every report says of itself. */
export interface ReceivedReport {
  readonly id: number;
  readonly monitorId: number;
  readonly organization: string;
  readonly reportId: string;
  readonly beginsAt: Date;
  readonly endsAt: Date;
  readonly receivedAt: Date;
}

/** The last mails that were no reports, and how many there ever were. */
export interface UnreadableReports extends Page<KeptUnreadable> {
  readonly count: number;
}

export interface SummedPeriod extends ReportedPeriod {
  /** Reports that are not summed up, because newer ones have as many rows as a sum reads. */
  readonly leftOut: number;
}

/** Where reports of a kind stand, and what they say beside `ReceivedReport`. */
export interface ReportKind {
  readonly table: ReportTable;
  readonly columns: string;
  readonly listing: Listing;
}

const UNREADABLE = new Listing('unreadable-reports', 'integer');

/** Reports of one kind, newest first, for whom the monitor belongs to; to others it is `monitor_not_found`. */
@Injectable()
export class ReportPages {
  constructor(
    private readonly store: ReportPagesStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** @throws AppError `monitor_not_found` */
  async list<Report extends ReceivedReport>(
    kind: ReportKind,
    owner: Owner,
    { monitorId, monitorDays }: { readonly monitorId: number; readonly monitorDays: number },
    query: PageQuery,
  ): Promise<Page<Report>> {
    await this.checkMonitor(owner, monitorId);
    return await this.page(kind, owner, monitorId, query, new Date(this.clock.now() - monitorDays * DAY_MS));
  }

  /** Why the last mails to an owner's address were no reports, and how many there ever were. @throws AppError `monitor_not_found` */
  async unreadable(owner: Owner, monitorId: number, query: PageQuery): Promise<UnreadableReports> {
    await this.checkMonitor(owner, monitorId);
    const page = await UNREADABLE.page(
      query,
      (request) => this.store.unreadable(monitorId, request),
      ({ receivedAt, id }) => ({ at: receivedAt, id: String(id) }),
    );
    return { ...page, count: await this.store.unreadableCount(monitorId) };
  }

  /** Of all monitors, for the export. */
  listAll<Report extends ReceivedReport>(kind: ReportKind, owner: Owner, query: PageQuery): Promise<Page<Report>> {
    return this.page(kind, owner, null, query, new Date(0));
  }

  /** The period over which an owner's reports are summed up. @throws AppError `monitor_not_found`, `invalid_input` */
  async periodOf({ table }: ReportKind, owner: Owner, monitorId: number, asked: AskedPeriod): Promise<SummedPeriod> {
    await this.checkMonitor(owner, monitorId);
    const period = reportedPeriod(asked, this.clock.now());
    return { ...period, leftOut: await this.store.leftOut(table, monitorId, period) };
  }

  private page<Report extends ReceivedReport>(
    { listing, ...kind }: ReportKind,
    owner: Owner,
    monitorId: number | null,
    query: PageQuery,
    keptFrom: Date,
  ): Promise<Page<Report>> {
    return listing.page(
      query,
      (request) => this.store.list<Report>(kind, owner, monitorId, request, keptFrom),
      ({ receivedAt, id }) => ({ at: receivedAt, id: String(id) }),
    );
  }

  private async checkMonitor(owner: Owner, monitorId: number): Promise<void> {
    if (!(await this.store.hasMonitor(owner, monitorId))) throw new AppError('monitor_not_found');
  }
}
