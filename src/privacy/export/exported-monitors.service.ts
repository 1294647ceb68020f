import { Inject, Injectable } from '@nestjs/common';
import type { Owner } from '../../keys/access/owner.js';
import { eventReply, findingReply, monitorReply, runReply, runWithResultReply } from '../../monitors/http/monitor-bodies.js';
import { MonitorHistoryService } from '../../monitors/monitor-history.service.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { everyRow } from '../../platform/http/listing.js';
import { DmarcReportsService } from '../../reports/dmarc-reports.service.js';
import { TlsReportsService } from '../../reports/tls-reports.service.js';
import { reportReply } from '../../reports/reports.reply.js';
import { unreadableReply } from '../../reports/unreadable-reports.reply.js';
import { tlsReportReply } from '../../reports/tls-reports.reply.js';
import { lineOf } from './line-of.js';

/** Monitors with what they have found, and the reports about their domains. */
@Injectable()
export class ExportedMonitors {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly history: MonitorHistoryService,
    private readonly reports: DmarcReportsService,
    private readonly tlsReports: TlsReportsService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  async *lines(owner: Owner): AsyncGenerator<object, void> {
    for await (const monitor of everyRow((page) => this.monitors.list(owner, null, page))) {
      yield lineOf('monitor', monitorReply(monitor, this.clock.now()));
      yield* this.linesOf(owner, monitor.id);
    }
    for await (const { monitorId, ...report } of everyRow((page) => this.reports.listAll(owner, page))) {
      const body: object = reportReply(report);
      yield lineOf('dmarc_report', { monitor_id: monitorId, ...body, rows: await this.reports.rowsOf(report.id) });
    }
    for await (const { monitorId, ...report } of everyRow((page) => this.tlsReports.listAll(owner, page))) {
      const body: object = tlsReportReply(report);
      const failures = await this.tlsReports.failuresOf(report.id);
      yield lineOf('tls_report', { monitor_id: monitorId, ...body, failures });
    }
  }

  private async *linesOf(owner: Owner, monitorId: number): AsyncGenerator<object, void> {
    const of = (body: object) => ({ monitor_id: monitorId, ...body });
    for await (const run of everyRow((page) => this.history.runs(owner, monitorId, page))) {
      // The others have found the same as the one before.
      const isWhole = run.resultOf === run.id;
      const body = isWhole
        ? runWithResultReply(await this.history.run(owner, monitorId, String(run.id)))
        : runReply(run);
      yield lineOf('monitor_run', body);
    }
    const now = new Date(this.clock.now());
    for await (const finding of everyRow((page) => this.history.findings(owner, monitorId, null, page)))
      yield lineOf('monitor_finding', of(findingReply(finding, owner, now)));
    for await (const event of everyRow((page) => this.history.events(owner, monitorId, page)))
      yield lineOf('monitor_event', of({ event: event.type, ...eventReply(event) }));
    for (const failure of await this.reports.failuresOf(monitorId)) yield lineOf('dmarc_failure', of(failure));
    for await (const one of everyRow((page) => this.reports.unreadable(owner, monitorId, page)))
      yield lineOf('unreadable_report', of(unreadableReply(one)));
  }
}
