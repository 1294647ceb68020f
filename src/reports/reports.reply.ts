import { ApiProperty } from '@nestjs/swagger';
import { PageOf } from '../platform/http/page.js';
import { TIME_OR_NULL, ID_SCHEMA, LARGE_COUNT, TEXT_OR_NULL, TIME } from '../platform/http/schemas.js';
import type { ReportedSource, StoredDmarcReport } from './dmarc-reports.service.js';

export class ProofRecordReply {
  @ApiProperty({ example: '_mailsonde.example.com.' })
  readonly name: string;

  @ApiProperty({ enum: ['TXT'] })
  readonly type: 'TXT';

  @ApiProperty({ example: 'mailsonde-verification=mfrggzdfmztwq2lk' })
  readonly value: string;
}

export class TlsRecordReply {
  @ApiProperty({ example: '_smtp._tls.example.com.' })
  readonly name: string;

  @ApiProperty({ enum: ['TXT'] })
  readonly type: 'TXT';

  @ApiProperty({ example: 'v=TLSRPTv1; rua=mailto:d-mfrggzdfmztwq2lk@in.example.net' })
  readonly value: string;
}

export class OwnershipReply {
  @ApiProperty(ID_SCHEMA)
  readonly monitor_id: number;

  @ApiProperty({ example: 'example.com' })
  readonly domain: string;

  @ApiProperty({ description: 'Whether it is proven that the domain is yours.' })
  readonly verified: boolean;

  @ApiProperty({
    enum: ['found', 'missing', 'no_answer'],
    description: 'What the DNS said of the record just now; `no_answer` changes nothing.',
  })
  readonly look: string;

  @ApiProperty({ type: ProofRecordReply, description: 'The record that proves it: leave it published.' })
  readonly record: ProofRecordReply;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'Where aggregate reports are received; null until it is proven.' })
  readonly report_address: string | null;

  @ApiProperty({
    ...TEXT_OR_NULL,
    description: "What to put into the domain's DMARC record, beside other addresses behind a comma.",
    example: 'rua=mailto:d-mfrggzdfmztwq2lk@in.example.net',
  })
  readonly dmarc_tag: string | null;

  @ApiProperty({
    type: TlsRecordReply,
    nullable: true,
    description: 'The record by which senders report on encryption (RFC 8460) there; null until it is proven.',
  })
  readonly tls_record: TlsRecordReply | null;
}

export class PublishedPolicyReply {
  @ApiProperty({ ...TEXT_OR_NULL, example: 'quarantine' })
  readonly p: string | null;

  @ApiProperty(TEXT_OR_NULL)
  readonly sp: string | null;

  @ApiProperty(TEXT_OR_NULL)
  readonly np: string | null;

  @ApiProperty(TEXT_OR_NULL)
  readonly adkim: string | null;

  @ApiProperty(TEXT_OR_NULL)
  readonly aspf: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'Only in reports of the old form.' })
  readonly pct: string | null;

  @ApiProperty(TEXT_OR_NULL)
  readonly testing: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, example: 'treewalk' })
  readonly discovery_method: string | null;
}

export class DmarcReportReply {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;

  @ApiProperty({ description: 'The domain whose record was found: that of the monitor, or one below it.' })
  readonly domain: string;

  @ApiProperty({ description: 'Who reports, in its own words.', example: 'receiver.example' })
  readonly organization: string;

  @ApiProperty({ description: 'As its reporter numbers it.' })
  readonly report_id: string;

  @ApiProperty({ enum: ['rfc7489', 'rfc9990'] })
  readonly form: string;

  @ApiProperty(TEXT_OR_NULL)
  readonly generator: string | null;

  @ApiProperty(TIME)
  readonly begins_at: string;

  @ApiProperty(TIME)
  readonly ends_at: string;

  @ApiProperty({ type: PublishedPolicyReply })
  readonly policy: PublishedPolicyReply;

  @ApiProperty(LARGE_COUNT)
  readonly messages: number;

  @ApiProperty({ ...LARGE_COUNT, description: 'Of which DKIM or SPF passed for an aligned domain.' })
  readonly passed: number;

  @ApiProperty({ ...LARGE_COUNT, description: 'Records that could not be read, or were about another domain.' })
  readonly records_left_out: number;

  @ApiProperty(TIME)
  readonly received_at: string;
}

export class DmarcReportPageReply extends PageOf(DmarcReportReply, 'reports') {}

export class ReportedFailureReply {
  @ApiProperty({ description: 'The domain in From.', example: 'example.com' })
  readonly domain: string;

  @ApiProperty({ description: 'What failed: a word of RFC 6591 section 3.3, or a newer one.', example: 'dkim' })
  readonly failure: string;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'What became of the last message.', example: 'reject' })
  readonly delivery: string | null;

  @ApiProperty(TEXT_OR_NULL)
  readonly dkim_domain: string | null;

  @ApiProperty(TEXT_OR_NULL)
  readonly dkim_selector: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: "The reporter's program, in its own words." })
  readonly reporter: string | null;

  @ApiProperty(LARGE_COUNT)
  readonly messages: number;

  @ApiProperty(TIME)
  readonly last_at: string;
}

export class ReportedSourceReply {
  @ApiProperty({ example: '192.0.2.10' })
  readonly source: string;

  @ApiProperty(LARGE_COUNT)
  readonly messages: number;

  @ApiProperty({ ...LARGE_COUNT, description: 'Passed DMARC: DKIM or SPF passed for an aligned domain.' })
  readonly passed: number;

  @ApiProperty(LARGE_COUNT)
  readonly failed: number;

  @ApiProperty({ ...LARGE_COUNT, description: 'SPF passed, for whichever domain.' })
  readonly spf_passed: number;

  @ApiProperty({ ...LARGE_COUNT, description: 'SPF passed for a domain that aligns with the one in From.' })
  readonly spf_aligned: number;

  @ApiProperty({ ...LARGE_COUNT, description: 'DKIM passed, for whichever domain.' })
  readonly dkim_passed: number;

  @ApiProperty({ ...LARGE_COUNT, description: 'DKIM passed for a domain that aligns with the one in From.' })
  readonly dkim_aligned: number;

  @ApiProperty(LARGE_COUNT)
  readonly quarantined: number;

  @ApiProperty(LARGE_COUNT)
  readonly rejected: number;

  @ApiProperty({ ...LARGE_COUNT, description: 'Organizations that reported it.' })
  readonly reporters: number;

  @ApiProperty({ type: [String], description: 'Domains for which DKIM or SPF passed, at most five: who it is.' })
  readonly authenticated_as: readonly string[];

  @ApiProperty({ ...TIME_OR_NULL, description: 'When it was reported first.' })
  readonly first_seen_at: string | null;

  @ApiProperty({
    type: [ReportedFailureReply],
    description: 'What reports of single messages say (RFC 9991), at most five.',
  })
  readonly failure_reports: readonly ReportedFailureReply[];
}

export class ReportedSourcesReply {
  @ApiProperty(TIME)
  readonly from: string;

  @ApiProperty({ ...TIME, description: 'Excluded.' })
  readonly to: string;

  @ApiProperty({
    ...LARGE_COUNT,
    description: 'Reports that are not counted: the newer ones have 200,000 rows or more.',
  })
  readonly reports_left_out: number;

  @ApiProperty({ type: [ReportedSourceReply], description: 'The most messages first.' })
  readonly sources: readonly ReportedSourceReply[];
}

export function reportReply(report: Omit<StoredDmarcReport, 'monitorId'>): DmarcReportReply {
  const { discoveryMethod, ...policy } = report.policy;
  return {
    id: report.id,
    domain: report.domain,
    organization: report.organization,
    report_id: report.reportId,
    form: report.form,
    generator: report.generator,
    begins_at: report.beginsAt.toISOString(),
    ends_at: report.endsAt.toISOString(),
    policy: { ...policy, discovery_method: discoveryMethod },
    messages: report.messages,
    passed: report.passed,
    records_left_out: report.recordsLeftOut,
    received_at: report.receivedAt.toISOString(),
  };
}

export function sourceReply(source: ReportedSource): ReportedSourceReply {
  return {
    source: source.source,
    messages: source.messages,
    passed: source.passed,
    failed: source.messages - source.passed,
    spf_passed: source.spfPassed,
    spf_aligned: source.spfAligned,
    dkim_passed: source.dkimPassed,
    dkim_aligned: source.dkimAligned,
    quarantined: source.quarantined,
    rejected: source.rejected,
    reporters: source.reporters,
    authenticated_as: source.authenticatedAs,
    first_seen_at: source.firstSeenAt?.toISOString() ?? null,
    failure_reports: source.failures.map((one) => ({ ...one, last_at: new Date(one.last_at).toISOString() })),
  };
}
