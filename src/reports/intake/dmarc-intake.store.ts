import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { AggregateReport } from '../reader/aggregate-report.js';
import { REPORT_SETTINGS } from '../report-settings.js';
import type { Arrival } from './report-intake.store.js';

export interface AppearedSource {
  readonly source: string;
  readonly messages: number;
}

/** The statements by which a report of DMARC and its sources are kept; `ReportIntakeStore.lock` comes before them. */
@Injectable()
export class DmarcIntakeStore {
  constructor(private readonly database: DataSource) {}

  /** Whether the report is one that has been kept. */
  async isKept(tx: EntityManager, monitorId: number, report: AggregateReport): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `SELECT 1 FROM dmarc_reports WHERE monitor_id = $1 AND domain = $2 AND organization = $3 AND report_id = $4`,
      [monitorId, report.domain, report.organization, report.reportId],
    );
    return rows.length > 0;
  }

  async insert(
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
  async addSources(tx: EntityManager, monitorId: number, reportId: number, at: Date): Promise<AppearedSource[]> {
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

  /** A domain has a bounded number of them. */
  async deleteOldFailures(before: Date): Promise<void> {
    await this.database.query('DELETE FROM dmarc_failures WHERE last_at < $1', [before]);
  }

  async deleteOldArrivals(before: Date): Promise<void> {
    await this.database.query('DELETE FROM failure_arrivals WHERE received_at <= $1', [before]);
  }

  async deleteOldSources(before: Date, pageSize: number): Promise<number> {
    const [, sources]: [unknown, number] = await this.database.query(
      `WITH old AS MATERIALIZED (
         SELECT monitor_id, source FROM dmarc_sources WHERE last_seen_at < $1 ORDER BY last_seen_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       DELETE FROM dmarc_sources AS seen USING old WHERE seen.monitor_id = old.monitor_id AND seen.source = old.source`,
      [before, pageSize],
    );
    return sources;
  }
}

const FIRST_REPORT = 'SELECT min(received_at) FROM dmarc_reports WHERE monitor_id = $1';
