import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PlacedTlsReport } from '../intake/tls-intake.store.js';
import type { ReceivedReport } from './report-pages.service.js';
import { reportsOfPeriod } from './summed-reports.js';

/** A report on encryption without its failures. */
export interface KeptTlsReport extends ReceivedReport {
  readonly policies: readonly Pick<PlacedTlsReport['policies'][number], 'type' | 'domain' | 'successful' | 'failed'>[];
  readonly successful: number;
  readonly failed: number;
  readonly leftOut: number;
}

/** What a `KeptTlsReport` has beside what every report says of itself. */
export const TLS_REPORT_COLUMNS = 'policies, successful, failed, left_out AS "leftOut"';

/** Sessions with a mail host that failed alike. */
export interface ReportedTlsFailure {
  readonly result: string;
  readonly policyType: string;
  readonly mailHost: string | null;
  readonly sessions: number;
  readonly reporters: number;
  readonly senders: number;
  readonly senderAddresses: readonly string[];
  readonly reasons: readonly string[];
  readonly lastBeginsAt: Date;
}

export interface TlsSessions {
  readonly reports: number;
  readonly successful: number;
  readonly failed: number;
}

/** Of the reports whose period begins on a day, by what their senders kept to. */
export interface TlsSessionsOfDay {
  /** UTC. */
  readonly day: string;
  readonly policyType: string;
  readonly successful: number;
  readonly failed: number;
}

/** Reasons, and addresses of senders, that are shown of failures that are alike. */
const MAX_SHOWN = 5;
/** Sums beyond what JSON's numbers hold exactly are shown as the largest of them. */
const MAX_COUNT = Number.MAX_SAFE_INTEGER;

/** What the reports on encryption say; `ReportPages` has asked whose they are. */
@Injectable()
export class TlsReportsStore {
  constructor(private readonly database: DataSource) {}

  /** The failures of one report, the most sessions first; a report has a bounded number of them. */
  failuresOf(reportId: number): Promise<object[]> {
    return this.database.query(
      `SELECT policy_type, result, mail_host, host(mail_host_address) AS mail_host_address, host(sender_address) AS sender_address, reason,
              sessions
         FROM tls_failures WHERE report_id = $1 ORDER BY sessions DESC`,
      [reportId],
    );
  }

  /** Of reports whose period begins within `from` (included) and `to` (excluded). */
  async sessions(monitorId: number, from: Date, to: Date): Promise<TlsSessions> {
    const [counts]: [TlsSessions] = await this.database.query(
      `SELECT count(*)::integer AS reports, least(coalesce(sum(successful), 0), ${MAX_COUNT})::bigint AS successful,
              least(coalesce(sum(failed), 0), ${MAX_COUNT})::bigint AS failed
         FROM tls_reports WHERE monitor_id = $1 AND begins_at >= $2 AND begins_at < $3`,
      [monitorId, from, to],
    );
    return counts;
  }

  /** The oldest first; a day without a report is left out. */
  days(monitorId: number, from: Date, to: Date): Promise<TlsSessionsOfDay[]> {
    return this.database.query(
      `SELECT to_char(begins_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, policy->>'type' AS "policyType",
              least(sum((policy->>'successful')::numeric), ${MAX_COUNT})::bigint AS successful,
              least(sum((policy->>'failed')::numeric), ${MAX_COUNT})::bigint AS failed
         FROM tls_reports CROSS JOIN jsonb_array_elements(policies) AS policy
        WHERE monitor_id = $1 AND begins_at >= $2 AND begins_at < $3 GROUP BY 1, 2 ORDER BY 1, 2`,
      [monitorId, from, to],
    );
  }

  /** Of the newest reports, the most sessions first. */
  failures(monitorId: number, from: Date, to: Date, limit: number): Promise<ReportedTlsFailure[]> {
    return this.database.query(
      `SELECT result, policy_type AS "policyType", mail_host AS "mailHost", least(sum(sessions), ${MAX_COUNT})::bigint AS sessions,
              count(DISTINCT organization)::integer AS reporters, count(DISTINCT sender_address)::integer AS senders,
              (coalesce(array_agg(DISTINCT host(sender_address)) FILTER (WHERE sender_address IS NOT NULL), '{}'))[1:${MAX_SHOWN}]
                AS "senderAddresses",
              (coalesce(array_agg(DISTINCT reason) FILTER (WHERE reason IS NOT NULL), '{}'))[1:${MAX_SHOWN}] AS reasons,
              max(begins_at) AS "lastBeginsAt"
         FROM ${reportsOfPeriod('tls_reports')} AS report JOIN tls_failures AS failure ON failure.report_id = report.id
        WHERE is_summed
        GROUP BY result, policy_type, mail_host ORDER BY 4 DESC, result, policy_type, mail_host LIMIT $4`,
      [monitorId, from, to, limit],
    );
  }
}
