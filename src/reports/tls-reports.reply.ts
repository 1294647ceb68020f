import { ApiProperty } from '@nestjs/swagger';
import { PageOf } from '../platform/http/page.js';
import { TLS_POLICY_TYPES } from './reader/tls-report.js';
import type { FailuresOfPeriod, ReportedTlsFailure, StoredTlsReport } from './tls-reports.service.js';
import { ID_SCHEMA, LARGE_COUNT, TIME } from '../platform/http/schemas.js';

const POLICY_TYPE = {
  enum: [...TLS_POLICY_TYPES],
  description: 'What the sender kept to: TLSA records (DANE), MTA-STS, or neither.',
} as const;

export class TlsPolicyReply {
  @ApiProperty(POLICY_TYPE)
  readonly policy_type: string;

  @ApiProperty({ example: 'example.com' })
  readonly domain: string;

  @ApiProperty(LARGE_COUNT)
  readonly successful_sessions: number;

  @ApiProperty(LARGE_COUNT)
  readonly failed_sessions: number;
}

export class TlsReportReply {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;

  @ApiProperty({ description: 'Who reports, in its own words.', example: 'sender.example' })
  readonly organization: string;

  @ApiProperty({ description: 'As its reporter numbers it.' })
  readonly report_id: string;

  @ApiProperty(TIME)
  readonly begins_at: string;

  @ApiProperty(TIME)
  readonly ends_at: string;

  @ApiProperty({ type: [TlsPolicyReply] })
  readonly policies: readonly TlsPolicyReply[];

  @ApiProperty({ ...LARGE_COUNT, description: 'Connections that were encrypted as the policy wants.' })
  readonly successful_sessions: number;

  @ApiProperty(LARGE_COUNT)
  readonly failed_sessions: number;

  @ApiProperty({ ...LARGE_COUNT, description: 'Failures that could not be read.' })
  readonly failures_left_out: number;

  @ApiProperty(TIME)
  readonly received_at: string;
}

export class TlsReportPageReply extends PageOf(TlsReportReply, 'reports') {}

export class TlsFailureReply {
  @ApiProperty({ description: 'A result of RFC 8460 section 4.3, or a newer one.', example: 'certificate-expired' })
  readonly result: string;

  @ApiProperty(POLICY_TYPE)
  readonly policy_type: string;

  @ApiProperty({ type: String, nullable: true, description: 'The mail host of yours, where it was told.' })
  readonly mail_host: string | null;

  @ApiProperty(LARGE_COUNT)
  readonly sessions: number;

  @ApiProperty({ ...LARGE_COUNT, description: 'Organizations that reported it.' })
  readonly reporters: number;

  @ApiProperty({ ...LARGE_COUNT, description: 'Addresses from which they connected.' })
  readonly senders: number;

  @ApiProperty({ type: [String], description: 'Of these addresses at most five.', example: ['192.0.2.77'] })
  readonly sender_addresses: readonly string[];

  @ApiProperty({ type: [String], description: 'Codes of the reporters themselves, at most five.' })
  readonly reasons: readonly string[];

  @ApiProperty({ ...TIME, description: 'When the last period begins in which it was so.' })
  readonly last_begins_at: string;
}

export class TlsDayReply {
  @ApiProperty({ format: 'date', description: 'UTC; the day on which a period of a report begins.' })
  readonly day: string;

  @ApiProperty(POLICY_TYPE)
  readonly policy_type: string;

  @ApiProperty(LARGE_COUNT)
  readonly successful_sessions: number;

  @ApiProperty(LARGE_COUNT)
  readonly failed_sessions: number;
}

export class TlsFailuresReply {
  @ApiProperty(TIME)
  readonly from: string;

  @ApiProperty({ ...TIME, description: 'Excluded.' })
  readonly to: string;

  @ApiProperty(LARGE_COUNT)
  readonly reports: number;

  @ApiProperty(LARGE_COUNT)
  readonly successful_sessions: number;

  @ApiProperty({
    ...LARGE_COUNT,
    description: 'By the sums of the reports, which may count failures that they do not describe.',
  })
  readonly failed_sessions: number;

  @ApiProperty({ type: [TlsDayReply], description: 'The oldest first; a day without a report is left out.' })
  readonly days: readonly TlsDayReply[];

  @ApiProperty({
    ...LARGE_COUNT,
    description: 'Reports of which failures are not described here: the newer ones have 200,000 failures or more.',
  })
  readonly reports_left_out: number;

  @ApiProperty({ type: [TlsFailureReply], description: 'The most sessions first.' })
  readonly failures: readonly TlsFailureReply[];
}

export function tlsReportReply(report: Omit<StoredTlsReport, 'monitorId'>): TlsReportReply {
  return {
    id: report.id,
    organization: report.organization,
    report_id: report.reportId,
    begins_at: report.beginsAt.toISOString(),
    ends_at: report.endsAt.toISOString(),
    policies: report.policies.map(({ type, domain, successful, failed }) => ({
      policy_type: type,
      domain,
      successful_sessions: successful,
      failed_sessions: failed,
    })),
    successful_sessions: report.successful,
    failed_sessions: report.failed,
    failures_left_out: report.leftOut,
    received_at: report.receivedAt.toISOString(),
  };
}

export function tlsFailuresReply({ from, to, leftOut, sessions, days, failures }: FailuresOfPeriod): TlsFailuresReply {
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    reports: sessions.reports,
    successful_sessions: sessions.successful,
    failed_sessions: sessions.failed,
    days: days.map(({ day, policyType, successful, failed }) => ({
      day,
      policy_type: policyType,
      successful_sessions: successful,
      failed_sessions: failed,
    })),
    reports_left_out: leftOut,
    failures: failures.map(failureReply),
  };
}

function failureReply(failure: ReportedTlsFailure): TlsFailureReply {
  return {
    result: failure.result,
    policy_type: failure.policyType,
    mail_host: failure.mailHost,
    sessions: failure.sessions,
    reporters: failure.reporters,
    senders: failure.senders,
    sender_addresses: failure.senderAddresses,
    reasons: failure.reasons,
    last_begins_at: failure.lastBeginsAt.toISOString(),
  };
}
