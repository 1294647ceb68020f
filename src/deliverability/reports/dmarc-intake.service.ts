import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { addToOutbox } from '../../events/outbox.js';
import { columnsOf, insertRow } from '../../platform/database/rows.js';
import { WorkNotifier } from '../../platform/queue/work-notifier.js';
import { randomId } from '../../platform/random-id.js';
import { WEBHOOK_QUEUE } from '../../webhooks/webhook-queue.js';
import type { ReportedDomain } from './report-addresses.store.js';
import { type AggregateReport, isWithin, type ReportRow } from './reader/aggregate-report.js';
import { REPORT_SETTINGS } from './report-settings.js';
import { type Arrival, isTimeOfReport, type Keeping, ReportIntakeStore } from './report-intake.store.js';

interface AppearedSource {
  readonly source: string;
  readonly messages: number;
}

/** In the order of the statement that inserts them. */
const ROW_COLUMNS = 'source messages disposition dkimAligned spfAligned headerFrom dkimResult dkimDomain spfResult spfDomain override'.split(' ') as (keyof ReportRow)[]; // prettier-ignore
const FIRST_REPORT = 'SELECT min(received_at) FROM dmarc_reports WHERE monitor_id = $1';

/**
 * Keeps a report for the domain whose address it was sent to. The sender chooses all that stands in it: it is compared with the domain, and
 * reaches nobody else. The report, what it adds to its sources and the event are one transaction.
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
    const { monitorId } = domain;
    const key = { domain: report.domain, organization: report.organization, report_id: report.reportId };
    const incoming = { ...arrival, monitorId, key, rows: report.rows.length };
    let appeared: readonly AppearedSource[] = [];
    const keeping = await this.reports.keep('dmarc_reports', incoming, async (tx) => {
      const id = randomId();
      await this.insert(tx, monitorId, id, report, arrival);
      appeared = await this.addSources(tx, monitorId, id, arrival.at);
      if (appeared.length > 0) await this.tell(tx, domain, { report, id, appeared, at: arrival.at });
    });
    if (appeared.length > 0) await this.notifier.notify(WEBHOOK_QUEUE);
    return keeping;
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
      const reported = countsOf(report.rows.filter((row) => row.source === source));
      const { passed } = reported;
      return { source, messages, passed_in_report: passed, failed_in_report: reported.messages - passed };
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

  private async insert(
    tx: EntityManager,
    monitorId: number,
    id: number,
    report: AggregateReport,
    { at, reporter }: Arrival,
  ): Promise<void> {
    const { rows, domain, organization, reportId, form, generator, begin: beginsAt, end: endsAt } = report;
    const policy = JSON.stringify(report.policy);
    const own = { id, monitorId, domain, organization, reportId, form, generator, beginsAt, endsAt, policy };
    const counts = { ...countsOf(rows), rowCount: rows.length, recordsLeftOut: report.recordsLeftOut };
    await insertRow(tx, 'dmarc_reports', { ...own, ...counts, receivedAt: at, reporter });
    await tx.query(
      `INSERT INTO dmarc_rows (report_id, source, messages, disposition, dkim_aligned, spf_aligned, header_from,
                               dkim_result, dkim_domain, spf_result, spf_domain, override)
       SELECT $1, * FROM unnest($2::inet[], $3::bigint[], $4::text[], $5::boolean[], $6::boolean[], $7::text[],
                                $8::text[], $9::text[], $10::text[], $11::text[], $12::text[])`,
      [id, ...columnsOf(rows, ROW_COLUMNS)],
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

function countsOf(rows: readonly ReportRow[]): { readonly messages: number; readonly passed: number } {
  const sum = (all: readonly ReportRow[]): number => all.reduce((total, { messages }) => total + messages, 0);
  return { messages: sum(rows), passed: sum(rows.filter((row) => row.dkimAligned || row.spfAligned)) };
}
