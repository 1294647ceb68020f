import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { addToOutbox } from '../../events/outbox.js';
import { WorkNotifier } from '../../platform/queue/work-notifier.js';
import { randomId } from '../../platform/random-id.js';
import { WEBHOOK_QUEUE } from '../../webhooks/webhook-queue.js';
import type { ReportedDomain } from '../ownership/report-addresses.store.js';
import type { AggregateReport } from '../reader/aggregate-report.js';
import { isWithin } from '../reader/report-row.js';
import { REPORT_SETTINGS } from '../report-settings.js';
import { type AppearedSource, DmarcIntakeStore } from './dmarc-intake.store.js';
import { isTimeOfReport, type Keeping } from './keeping.js';
import { type Arrival, ReportIntakeStore } from './report-intake.store.js';

/**
 * Keeps a report for the domain whose address it was sent to. The sender chooses all that stands in it: it is compared with the domain, and
 * reaches nobody else. The report, what it adds to its sources and the event are one transaction, so that a crash loses none and a repetition
 * changes nothing.
 */
@Injectable()
export class KeepReports {
  constructor(
    private readonly reports: ReportIntakeStore,
    private readonly store: DmarcIntakeStore,
    private readonly notifier: WorkNotifier,
  ) {}

  async keep(domain: ReportedDomain, report: AggregateReport, arrival: Arrival): Promise<Keeping> {
    if (!isWithin(report.domain, domain.domain)) return 'other_domain';
    if (!isTimeOfReport(report, arrival.at)) return 'other_time';
    const { keeping, isTold } = await this.reports.transaction((tx) => this.keepIn(tx, domain, report, arrival));
    if (isTold) await this.notifier.notify(WEBHOOK_QUEUE);
    return keeping;
  }

  private async keepIn(
    tx: EntityManager,
    domain: ReportedDomain,
    report: AggregateReport,
    arrival: Arrival,
  ): Promise<{ keeping: Keeping; isTold: boolean }> {
    const { monitorId } = domain;
    const { at } = arrival;
    if (!(await this.reports.lock(tx, monitorId))) return { keeping: 'not_proven', isTold: false };
    if (await this.store.isKept(tx, monitorId, report)) return { keeping: 'duplicate', isTold: false };
    if (!(await this.reports.hasRoom(tx, 'dmarc_reports', { ...arrival, monitorId, rows: report.rows.length })))
      return { keeping: 'too_many', isTold: false };
    const id = randomId();
    await this.store.insert(tx, monitorId, id, report, arrival);
    const appeared = await this.store.addSources(tx, monitorId, id, at);
    if (appeared.length > 0) await this.tell(tx, domain, { report, id, appeared, at });
    return { keeping: 'kept', isTold: appeared.length > 0 };
  }

  /** One event for all that are new in a report: what is sent depends on nothing that its sender can make large. */
  private async tell(
    tx: EntityManager,
    { accountId, simulated, monitorId, domain }: ReportedDomain,
    {
      report,
      id,
      appeared,
      at,
    }: { report: AggregateReport; id: number; appeared: readonly AppearedSource[]; at: Date },
  ): Promise<void> {
    const sources = appeared.slice(0, REPORT_SETTINGS.sourcesPerEvent).map(({ source, messages }) => {
      const rows = report.rows.filter((row) => row.source === source);
      const passed = rows.reduce((sum, row) => sum + (row.dkimAligned || row.spfAligned ? row.messages : 0), 0);
      const reported = rows.reduce((sum, row) => sum + row.messages, 0);
      return { source, messages, passed_in_report: passed, failed_in_report: reported - passed };
    });
    const data = {
      monitor_id: monitorId,
      domain,
      report_id: id,
      organization: report.organization,
      sources_count: appeared.length,
      sources,
    };
    await addToOutbox(tx, { accountId, simulated, type: 'dmarc.source_appeared', at, data, batchId: null, url: null });
  }
}
