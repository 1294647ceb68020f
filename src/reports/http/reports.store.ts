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
  /** Messages that single reports tell of. */
  readonly failures: readonly ReportedFailure[];
}

/** Messages of a source that failed alike, by reports of single messages. */
export interface ReportedFailure {
  readonly domain: string;
  readonly failure: string;
  readonly delivery: string | null;
  readonly dkim_domain: string | null;
  readonly dkim_selector: string | null;
  readonly reporter: string | null;
  readonly messages: number;
  readonly last_at: string;
}

/** Domains, and failures, that are shown of one source. */
const MAX_DOMAINS = 5;
const MAX_FAILURES = 5;
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

  /** What reports of single messages said of a domain; it has a bounded number of them. */
  failuresOf(monitorId: number): Promise<object[]> {
    return this.database.query(
      `SELECT host(source) AS source, domain, failure, delivery, dkim_domain, dkim_selector, reporter, messages, first_at, last_at
         FROM dmarc_failures WHERE monitor_id = $1 ORDER BY last_at DESC, source, domain, failure`,
      [monitorId],
    );
  }

  /**
   * Sources of the newest reports whose period begins within `from` (included) and `to` (excluded), the most messages first, and those that
   * reports of single messages named then.
   */
  sources(monitorId: number, from: Date, to: Date, limit: number): Promise<ReportedSource[]> {
    const count = (condition: string): string =>
      `least(coalesce(sum(found.messages) FILTER (WHERE ${condition}), 0), ${MAX_COUNT})::bigint`;
    return this.database.query(
      `SELECT host(source) AS source, coalesce(counted.messages, 0) AS messages, coalesce(passed, 0) AS passed,
              coalesce("spfPassed", 0) AS "spfPassed", coalesce("spfAligned", 0) AS "spfAligned",
              coalesce("dkimPassed", 0) AS "dkimPassed", coalesce("dkimAligned", 0) AS "dkimAligned",
              coalesce(quarantined, 0) AS quarantined, coalesce(rejected, 0) AS rejected, coalesce(reporters, 0) AS reporters,
              coalesce("authenticatedAs", '{}') AS "authenticatedAs",
              coalesce(seen.first_seen_at, failed.first_at) AS "firstSeenAt", coalesce(failures, '[]') AS failures
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
         FULL JOIN (
           SELECT source, min(first_at) AS first_at, to_jsonb((array_agg(jsonb_build_object(
                    'domain', domain, 'failure', failure, 'delivery', delivery, 'dkim_domain', dkim_domain, 'dkim_selector', dkim_selector,
                    'reporter', reporter, 'messages', messages, 'last_at', last_at) ORDER BY last_at DESC, failure))[1:${MAX_FAILURES}]) AS failures
             FROM dmarc_failures WHERE monitor_id = $1 AND last_at >= $2 AND last_at < $3 GROUP BY source
         ) AS failed USING (source)
         LEFT JOIN (SELECT source, first_seen_at FROM dmarc_sources WHERE monitor_id = $1) AS seen USING (source)
        ORDER BY counted.messages DESC NULLS LAST, source LIMIT $4`,
      [monitorId, from, to, limit],
    );
  }
}
