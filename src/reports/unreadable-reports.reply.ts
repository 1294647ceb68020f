import { ApiProperty } from '@nestjs/swagger';
import { NEXT_CURSOR } from '../platform/http/page.js';
import { REPORT_SETTINGS } from './report-settings.js';
import { REFUSALS } from './reader/read-limits.js';
import { ID_SCHEMA } from '../platform/http/schemas.js';
import type { UnreadableMail } from './dmarc-reports.service.js';

const REASONS = [...REFUSALS, 'other_domain', 'other_time', 'too_many'] as const;
type Reason = (typeof REASONS)[number];

const EXPLANATIONS: Readonly<Record<Reason, string>> = {
  mail_too_large: 'The email is larger than 10 MB.',
  reading_too_long: 'Mailsonde needs more than 15 seconds to read the email.',
  reading_too_large: 'Mailsonde needs more than 128 MB of memory to read the email.',
  mail_malformed: 'The email is not built as RFC 5322 and MIME want it.',
  no_report: 'The email contains no DMARC, TLS or failure report.',
  too_many_reports: 'The email contains more than 50 reports or files.',
  archive_malformed: 'The compressed file is damaged.',
  unpacked_too_large: 'The reports take more than 50 MB when they are unpacked.',
  json_malformed: 'The report is not valid JSON.',
  json_too_deep: 'The report nests its members deeper than a report needs.',
  xml_malformed: 'The report is not valid XML.',
  xml_with_doctype: 'The report has a document type declaration, which can be used for attacks.',
  xml_too_deep: 'The report nests its elements deeper than a report needs.',
  too_many_records: 'The report has more records than Mailsonde reads.',
  report_incomplete:
    'The report lacks the domain, the reporter, its number, its period or its source; or, in a failure report, what failed.',
  other_domain: 'The report is about a domain that this monitor does not watch.',
  other_time: 'The period of the report is in the future, or more than 400 days ago.',
  too_many:
    'The domain had received as many reports as it can take in 24 hours. Mailsonde asked the sender to send the report again later.',
};

export class UnreadableReportReply {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;

  @ApiProperty({ enum: REASONS })
  readonly reason: string;

  @ApiProperty({ example: EXPLANATIONS.xml_malformed })
  readonly explanation: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The domain of the envelope sender, which nobody has proven.',
    example: 'receiver.example',
  })
  readonly sender_domain: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The domain for which the email passed SPF or DKIM; null: it passed neither.',
    example: 'receiver.example',
  })
  readonly reporter: string | null;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'The size of the email in bytes.' })
  readonly bytes: number;

  @ApiProperty({ format: 'date-time' })
  readonly received_at: string;
}

export class UnreadableReportPageReply {
  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, description: 'Since the address exists.' })
  readonly count: number;

  @ApiProperty({
    type: [UnreadableReportReply],
    description: `The last ${REPORT_SETTINGS.unreadable} without a \`reporter\`, and the last ${REPORT_SETTINGS.unreadablePerReporter} of each reporter.`,
  })
  readonly unreadable: readonly UnreadableReportReply[];

  @ApiProperty(NEXT_CURSOR)
  readonly next_cursor: string | null;
}

export function unreadableReply({
  id,
  reason,
  senderDomain,
  reporter,
  bytes,
  receivedAt,
}: UnreadableMail): UnreadableReportReply {
  const explanation = EXPLANATIONS[reason as Reason];
  return {
    id,
    reason,
    explanation,
    sender_domain: senderDomain,
    reporter,
    bytes,
    received_at: receivedAt.toISOString(),
  };
}
