import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { AggregateReport } from '../reader/aggregate-report.js';
import type { ReceivedReport } from './report-pages.service.js';
import { reportsOfPeriod } from './summed-reports.js';

/** A report without its rows. */
export interface KeptReport
  extends ReceivedReport, Pick<AggregateReport, 'form' | 'domain' | 'policy' | 'generator' | 'recordsLeftOut'> {
  readonly messages: number;
  /** Messages of which DKIM or SPF passed for an aligned domain. */
  readonly passed: number;
}

/** What a `KeptReport` has beside what every report says of itself. */
export const REPORT_COLUMNS = 'domain, form, generator, policy, messages, passed, records_left_out AS "recordsLeftOut"';

/** What one address sent in a domain's name. */
export interface ReportedSource {
  readonly source: string;
  readonly messages: number;
  readonly passed: number;
  readonly spfPassed: number;
  readonly spfAligned: number;
  readonly dkimPassed: number;
  readonly dkimAligned: number;
  readonly quarantined: number;
  readonly rejected: number;
  readonly reporters: number;
  /** Domains that it authenticated as, the first ones by name. */
  readonly authenticatedAs: readonly string[];
  readonly firstSeenAt: Date | null;
}

/** Domains that are shown of one source. */
const MAX_DOMAINS = 5;
/** Sums beyond what JSON's numbers hold exactly are shown as the largest of them. */
const MAX_COUNT = Number.MAX_SAFE_INTEGER;

/** What the reports about a domain say; `ReportPages` has asked whose it is. */
@Injectable()
export class ReportsStore {
  constructor(private readonly database: DataSource) {}

  /** The rows of one report, the most messages first; a report has a bounded number of them. */
  rowsOf(reportId: number): Promise<object[]> {
    return this.database.query(
      `SELECT host(source) AS source, messages, disposition, dkim_aligned, spf_aligned, header_from, dkim_result, dkim_domain,
              spf_result, spf_domain, override
         FROM dmarc_rows WHERE report_id = $1 ORDER BY messages DESC`,
      [reportId],
    );
  }

  /** Sources of the newest reports whose period begins within `from` (included) and `to` (excluded), the most messages first. */
  sources(monitorId: number, from: Date, to: Date, limit: number): Promise<ReportedSource[]> {
    const count = (condition: string): string =>
      `least(coalesce(sum(found.messages) FILTER (WHERE ${condition}), 0), ${MAX_COUNT})::bigint`;
    return this.database.query(
      `SELECT host(counted.source) AS source, counted.messages, passed, "spfPassed", "spfAligned", "dkimPassed", "dkimAligned",
              quarantined, rejected, reporters, "authenticatedAs", seen.first_seen_at AS "firstSeenAt"
         FROM (
           SELECT source, ${count('true')} AS messages, ${count('dkim_aligned OR spf_aligned')} AS passed,
                  ${count("spf_result = 'pass'")} AS "spfPassed", ${count('spf_aligned')} AS "spfAligned",
                  ${count("dkim_result = 'pass'")} AS "dkimPassed", ${count('dkim_aligned')} AS "dkimAligned",
                  ${count("disposition = 'quarantine'")} AS quarantined, ${count("disposition = 'reject'")} AS rejected,
                  count(DISTINCT report.organization)::integer AS reporters,
                  (coalesce(array_agg(DISTINCT coalesce(dkim_domain, spf_domain)) FILTER (
                    WHERE coalesce(dkim_domain, spf_domain) IS NOT NULL AND (dkim_result = 'pass' OR spf_result = 'pass')
                  ), '{}'))[1:${MAX_DOMAINS}] AS "authenticatedAs"
             FROM ${reportsOfPeriod('dmarc_reports')} AS report JOIN dmarc_rows AS found ON found.report_id = report.id
            WHERE is_summed
            GROUP BY source ORDER BY 2 DESC, source LIMIT $4
         ) AS counted
         LEFT JOIN dmarc_sources AS seen ON seen.monitor_id = $1 AND seen.source = counted.source
        ORDER BY counted.messages DESC, counted.source`,
      [monitorId, from, to, limit],
    );
  }
}
