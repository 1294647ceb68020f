import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Owner } from '../../keys/access/owner.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { Listing } from '../../platform/http/listing.js';
import { MAX_COUNT, type PeriodInput, ReportHistory, reportsOfPeriod, type SummedPeriod } from './report-history.js';
import type { TlsDayReply, TlsFailureReply, TlsFailuresReply, TlsReportReply } from './tls-reports.reply.js';

type TlsSessions = Pick<TlsFailuresReply, 'reports' | 'successful_sessions' | 'failed_sessions'>;

const DEFAULT_FAILURES = 100;
/** Reasons, and addresses of senders, that are shown of failures that are alike. */
const MAX_SHOWN = 5;

/** What was reported of the encryption of mail to a domain, for whom it belongs to. */
@Injectable()
export class TlsReportsService extends ReportHistory<TlsReportReply> {
  constructor(database: DataSource, @Inject(CLOCK) clock: WallClock) {
    super(database, clock, {
      table: 'tls_reports',
      columns: `organization, report_id, begins_at, ends_at,
                (SELECT json_agg(json_build_object('policy_type', one->'type', 'domain', one->'domain',
                                                   'successful_sessions', one->'successful', 'failed_sessions', one->'failed'))
                   FROM jsonb_array_elements(policies) AS one) AS policies,
                successful AS successful_sessions, failed AS failed_sessions, left_out AS failures_left_out`,
      listing: new Listing('tls-reports', 'integer'),
    });
  }

  /** The failures of one report, the most sessions first; a report has a bounded number of them. */
  failuresOf(reportId: number): Promise<object[]> {
    return this.database.query(
      `SELECT policy_type, result, mail_host, host(mail_host_address) AS mail_host_address, host(sender_address) AS sender_address, reason,
              sessions
         FROM tls_failures WHERE report_id = $1 ORDER BY sessions DESC`,
      [reportId],
    );
  }

  /** The most sessions first. @throws AppError `monitor_not_found`, `invalid_input` */
  async failures(owner: Owner, monitorId: number, input: PeriodInput): Promise<TlsFailuresReply> {
    const period = await this.periodOf(owner, monitorId, input);
    return {
      from: period.from,
      to: period.to,
      ...(await this.sessionsOf(monitorId, period)),
      days: await this.daysOf(monitorId, period),
      reports_left_out: period.leftOut,
      failures: await this.failuresIn(monitorId, period, input.limit ?? DEFAULT_FAILURES),
    };
  }

  /** Of reports whose period begins within `from` (included) and `to` (excluded). */
  private async sessionsOf(monitorId: number, { from, to }: SummedPeriod): Promise<TlsSessions> {
    const [counts]: [TlsSessions] = await this.database.query(
      `SELECT count(*)::integer AS reports, least(coalesce(sum(successful), 0), ${MAX_COUNT})::bigint AS successful_sessions,
              least(coalesce(sum(failed), 0), ${MAX_COUNT})::bigint AS failed_sessions
         FROM tls_reports WHERE monitor_id = $1 AND begins_at >= $2 AND begins_at < $3`,
      [monitorId, from, to],
    );
    return counts;
  }

  /** The oldest first; a day without a report is left out. */
  private daysOf(monitorId: number, { from, to }: SummedPeriod): Promise<TlsDayReply[]> {
    return this.database.query(
      `SELECT to_char(begins_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, policy->>'type' AS policy_type,
              least(sum((policy->>'successful')::numeric), ${MAX_COUNT})::bigint AS successful_sessions,
              least(sum((policy->>'failed')::numeric), ${MAX_COUNT})::bigint AS failed_sessions
         FROM tls_reports CROSS JOIN jsonb_array_elements(policies) AS policy
        WHERE monitor_id = $1 AND begins_at >= $2 AND begins_at < $3 GROUP BY 1, 2 ORDER BY 1, 2`,
      [monitorId, from, to],
    );
  }

  /** Of the newest reports, the most sessions first. */
  private failuresIn(monitorId: number, { from, to }: SummedPeriod, limit: number): Promise<TlsFailureReply[]> {
    return this.database.query(
      `SELECT result, policy_type, mail_host, least(sum(sessions), ${MAX_COUNT})::bigint AS sessions,
              count(DISTINCT organization)::integer AS reporters, count(DISTINCT sender_address)::integer AS senders,
              (coalesce(array_agg(DISTINCT host(sender_address)) FILTER (WHERE sender_address IS NOT NULL), '{}'))[1:${MAX_SHOWN}]
                AS sender_addresses,
              (coalesce(array_agg(DISTINCT reason) FILTER (WHERE reason IS NOT NULL), '{}'))[1:${MAX_SHOWN}] AS reasons,
              max(begins_at) AS last_begins_at
         FROM ${reportsOfPeriod('tls_reports')} AS report JOIN tls_failures AS failure ON failure.report_id = report.id
        WHERE is_summed
        GROUP BY result, policy_type, mail_host ORDER BY 4 DESC, result, policy_type, mail_host LIMIT $4`,
      [monitorId, from, to, limit],
    );
  }
}
