import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Owner } from '../../keys/access/owner.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { Listing, type Page, type PageInput } from '../../platform/http/listing.js';
import { MAX_COUNT, type PeriodInput, ReportHistory, reportsOfPeriod, type SummedPeriod } from './report-history.js';
import type { DmarcReportReply, ReportedSourceReply, ReportedSourcesReply } from './reports.reply.js';
import type { UnreadableMail } from './unreadable-reports.reply.js';

/** The last mails that were no reports, and how many there ever were. */
interface UnreadableReports extends Page<UnreadableMail> {
  readonly count: number;
}

const UNREADABLE = new Listing('unreadable-reports', 'integer');
const DEFAULT_SOURCES = 100;
/** SQL: a time within JSON, as JavaScript writes it. */
const asJson = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/** Domains, and failures, that are shown of one source. */
const MAX_DOMAINS = 5;
const MAX_FAILURES = 5;

/** What was reported of a domain, for whom it belongs to. */
@Injectable()
export class DmarcReportsService extends ReportHistory<DmarcReportReply> {
  constructor(database: DataSource, @Inject(CLOCK) clock: WallClock) {
    super(database, clock, {
      table: 'dmarc_reports',
      columns: `domain, organization, report_id, form, generator, begins_at, ends_at,
                policy - 'discoveryMethod' || jsonb_build_object('discovery_method', policy->'discoveryMethod') AS policy, messages, passed,
                records_left_out`,
      listing: new Listing('dmarc-reports', 'integer'),
    });
  }

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

  /** Why the last mails to an owner's address were no reports, and how many there ever were. @throws AppError `monitor_not_found` */
  async unreadable(owner: Owner, monitorId: number, query: PageInput): Promise<UnreadableReports> {
    await this.checkMonitor(owner, monitorId);
    const page = await UNREADABLE.page<UnreadableMail>(
      query,
      ({ limit, after }) =>
        this.database.query(
          `SELECT id, reason, sender_domain, reporter, bytes, received_at FROM unreadable_reports
            WHERE monitor_id = $1 AND ($2::timestamptz IS NULL OR (date_trunc('milliseconds', received_at), id) < ($2, $3::bigint))
            ORDER BY received_at DESC, id DESC LIMIT $4`,
          [monitorId, after?.at ?? null, after?.id ?? null, limit + 1],
        ),
      ({ received_at: at, id }) => ({ at, id: String(id) }),
    );
    const [counted]: { unreadable: number }[] = await this.database.query(
      'SELECT unreadable FROM report_addresses WHERE monitor_id = $1',
      [monitorId],
    );
    return { ...page, count: counted?.unreadable ?? 0 };
  }

  /** The most messages first. @throws AppError `monitor_not_found`, `invalid_input` */
  async sources(owner: Owner, monitorId: number, input: PeriodInput): Promise<ReportedSourcesReply> {
    const period = await this.periodOf(owner, monitorId, input);
    const sources = await this.sourcesOf(monitorId, period, input.limit ?? DEFAULT_SOURCES);
    return { from: period.from, to: period.to, reports_left_out: period.leftOut, sources };
  }

  /**
   * Sources of the newest reports whose period begins within `from` (included) and `to` (excluded), the most messages first, and those that
   * reports of single messages named then.
   */
  private sourcesOf(monitorId: number, { from, to }: SummedPeriod, limit: number): Promise<ReportedSourceReply[]> {
    const count = (condition: string): string =>
      `least(coalesce(sum(found.messages) FILTER (WHERE ${condition}), 0), ${MAX_COUNT})::bigint`;
    return this.database.query(
      `SELECT host(source) AS source, coalesce(counted.messages, 0) AS messages, coalesce(passed, 0) AS passed,
              coalesce(counted.messages - passed, 0) AS failed, coalesce(spf_passed, 0) AS spf_passed,
              coalesce(spf_aligned, 0) AS spf_aligned, coalesce(dkim_passed, 0) AS dkim_passed,
              coalesce(dkim_aligned, 0) AS dkim_aligned,
              coalesce(quarantined, 0) AS quarantined, coalesce(rejected, 0) AS rejected, coalesce(reporters, 0) AS reporters,
              coalesce(authenticated_as, '{}') AS authenticated_as,
              coalesce(seen.first_seen_at, failed.first_at) AS first_seen_at, coalesce(failures, '[]') AS failure_reports
         FROM (
           SELECT source, ${count('true')} AS messages, ${count('dkim_aligned OR spf_aligned')} AS passed,
                  ${count("spf_result = 'pass'")} AS spf_passed, ${count('spf_aligned')} AS spf_aligned,
                  ${count("dkim_result = 'pass'")} AS dkim_passed, ${count('dkim_aligned')} AS dkim_aligned,
                  ${count("disposition = 'quarantine'")} AS quarantined, ${count("disposition = 'reject'")} AS rejected,
                  count(DISTINCT report.organization)::integer AS reporters,
                  (coalesce(array_agg(DISTINCT coalesce(dkim_domain, spf_domain)) FILTER (
                    WHERE coalesce(dkim_domain, spf_domain) IS NOT NULL AND (dkim_result = 'pass' OR spf_result = 'pass')
                  ), '{}'))[1:${MAX_DOMAINS}] AS authenticated_as
             FROM ${reportsOfPeriod('dmarc_reports')} AS report JOIN dmarc_rows AS found ON found.report_id = report.id
            WHERE is_summed
            GROUP BY source ORDER BY 2 DESC, source LIMIT $4
         ) AS counted
         FULL JOIN (
           SELECT source, min(first_at) AS first_at, to_jsonb((array_agg(jsonb_build_object(
                    'domain', domain, 'failure', failure, 'delivery', delivery, 'dkim_domain', dkim_domain, 'dkim_selector', dkim_selector,
                    'reporter', reporter, 'messages', messages, 'last_at', ${asJson('last_at')}) ORDER BY last_at DESC, failure))[1:${MAX_FAILURES}]) AS failures
             FROM dmarc_failures WHERE monitor_id = $1 AND last_at >= $2 AND last_at < $3 GROUP BY source
         ) AS failed USING (source)
         LEFT JOIN (SELECT source, first_seen_at FROM dmarc_sources WHERE monitor_id = $1) AS seen USING (source)
        ORDER BY counted.messages DESC NULLS LAST, source LIMIT $4`,
      [monitorId, from, to, limit],
    );
  }
}
