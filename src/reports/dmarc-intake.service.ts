import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { addToOutbox } from '../events/outbox.js';
import { WorkNotifier } from '../platform/queue/work-notifier.js';
import { randomId } from '../platform/random-id.js';
import { WEBHOOK_QUEUE } from '../webhooks/webhook-queue.js';
import type { ReportedDomain } from './report-addresses.store.js';
import { type AggregateReport, isWithin } from './reader/aggregate-report.js';
import { REPORT_SETTINGS } from './report-settings.js';
import { type Arrival, isTimeOfReport, type Keeping, ReportIntakeStore } from './report-intake.store.js';

interface AppearedSource {
  readonly source: string;
  readonly messages: number;
}

const FIRST_REPORT = 'SELECT min(received_at) FROM dmarc_reports WHERE monitor_id = $1';

/**
 * Keeps a report for the domain whose address it was sent to. The sender chooses all that stands in it: it is compared with the domain, and
 * reaches nobody else. The report, what it adds to its sources and the event are one transaction, so that a crash loses none and a repetition
 * changes nothing.
 */
@Injectable()
export class DmarcIntakeService {
  constructor(
    private readonly reports: ReportIntakeStore,
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
    if (await this.isKept(tx, monitorId, report)) return { keeping: 'duplicate', isTold: false };
    if (!(await this.reports.hasRoom(tx, 'dmarc_reports', { ...arrival, monitorId, rows: report.rows.length })))
      return { keeping: 'too_many', isTold: false };
    const id = randomId();
    await this.insert(tx, monitorId, id, report, arrival);
    const appeared = await this.addSources(tx, monitorId, id, at);
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

  /** Whether the report is one that has been kept. */
  private async isKept(tx: EntityManager, monitorId: number, report: AggregateReport): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `SELECT 1 FROM dmarc_reports WHERE monitor_id = $1 AND domain = $2 AND organization = $3 AND report_id = $4`,
      [monitorId, report.domain, report.organization, report.reportId],
    );
    return rows.length > 0;
  }

  private async insert(
    tx: EntityManager,
    monitorId: number,
    id: number,
    report: AggregateReport,
    { at, reporter }: Arrival,
  ): Promise<void> {
    const { rows } = report;
    const messages = rows.reduce((sum, row) => sum + row.messages, 0);
    const passed = rows.reduce((sum, row) => sum + (row.dkimAligned || row.spfAligned ? row.messages : 0), 0);
    await tx.query(
      `INSERT INTO dmarc_reports (id, monitor_id, domain, organization, report_id, form, generator, begins_at, ends_at, policy,
                                  messages, passed, row_count, records_left_out, received_at, reporter)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
      [
        id,
        monitorId,
        report.domain,
        report.organization,
        report.reportId,
        report.form,
        report.generator,
        report.begin,
        report.end,
        JSON.stringify(report.policy),
        messages,
        passed,
        rows.length,
        report.recordsLeftOut,
        at,
        reporter,
      ],
    );
    await tx.query(
      `INSERT INTO dmarc_rows (report_id, source, messages, disposition, dkim_aligned, spf_aligned, header_from,
                               dkim_result, dkim_domain, spf_result, spf_domain, override)
       SELECT $1, * FROM unnest($2::inet[], $3::bigint[], $4::text[], $5::boolean[], $6::boolean[], $7::text[],
                                $8::text[], $9::text[], $10::text[], $11::text[], $12::text[])`,
      [
        id,
        rows.map((row) => row.source),
        rows.map((row) => row.messages),
        rows.map((row) => row.disposition),
        rows.map((row) => row.dkimAligned),
        rows.map((row) => row.spfAligned),
        rows.map((row) => row.headerFrom),
        rows.map((row) => row.dkimResult),
        rows.map((row) => row.dkimDomain),
        rows.map((row) => row.spfResult),
        rows.map((row) => row.spfDomain),
        rows.map((row) => row.override),
      ],
    );
  }

  /**
   * Adds what a report counted to the sources of its domain.
   * @returns those of which the owner is to be told now, the most messages first; each is returned once, and none while the domain is learned
   */
  private async addSources(
    tx: EntityManager,
    monitorId: number,
    reportId: number,
    at: Date,
  ): Promise<AppearedSource[]> {
    await tx.query(
      `INSERT INTO dmarc_sources AS kept (monitor_id, source, messages, first_seen_at, last_seen_at)
       SELECT $1, source, sum(messages), $3, $3 FROM dmarc_rows WHERE report_id = $2 GROUP BY source ORDER BY source
       ON CONFLICT (monitor_id, source) DO UPDATE SET messages = kept.messages + excluded.messages, last_seen_at = $3`,
      [monitorId, reportId, at],
    );
    const [rows]: [{ source: string; messages: string; isLearning: boolean }[], number] = await tx.query(
      `UPDATE dmarc_sources SET known_at = $2
        WHERE monitor_id = $1 AND known_at IS NULL AND last_seen_at = $2
          AND (messages >= $3 OR (${FIRST_REPORT}) > $4)
       RETURNING host(source) AS source, messages, (${FIRST_REPORT}) > $4 AS "isLearning"`,
      [monitorId, at, REPORT_SETTINGS.minSourceMessages, new Date(at.getTime() - REPORT_SETTINGS.learningMs)],
    );
    return rows
      .filter(({ isLearning }) => !isLearning)
      .map(({ source, messages }) => ({ source, messages: Number(messages) }))
      .toSorted((one, other) => other.messages - one.messages);
  }
}
