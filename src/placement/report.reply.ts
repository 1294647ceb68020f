import { ApiProperty } from '@nestjs/swagger';
import { TargetResultReply } from '../blacklists/blacklists.reply.js';
import { DnsFixReply } from '../domains/finding.reply.js';
import type { DnsFix } from '../engine/domain/finding.js';
import { type PlacementReport, REPORT_AREAS, REPORT_SEVERITIES } from './report/placement-report.js';
import { COUNT, TEXT_OR_NULL } from '../platform/http/schemas.js';

const COUNT_OR_NULL = { ...COUNT, nullable: true } as const;
const TRUTH_OR_NULL = { type: Boolean, nullable: true } as const;
const TEXTS: { readonly type: [StringConstructor] } = { type: [String] };

class TransportReply {
  @ApiProperty()
  readonly client_address: string;
  @ApiProperty(TEXT_OR_NULL)
  readonly reverse_name: string | null;
  @ApiProperty({ ...TRUTH_OR_NULL, description: 'Whether that name leads back to the address.' })
  readonly forward_confirmed: boolean | null;
  @ApiProperty({ description: 'False: the DNS did not answer, and nothing is said of the name.' })
  readonly reverse_answered: boolean;
  @ApiProperty(TEXT_OR_NULL)
  readonly helo: string | null;
  @ApiProperty(TEXT_OR_NULL)
  readonly mail_from: string | null;
  @ApiProperty({ ...TEXT_OR_NULL, example: 'TLSv1.3', description: '`none`: in clear; null: not known.' })
  readonly tls: string | null;
}

class SpfReply {
  @ApiProperty({ example: 'pass' })
  readonly result: string;
  @ApiProperty(TEXT_OR_NULL)
  readonly domain: string | null;
  @ApiProperty(TEXT_OR_NULL)
  readonly record: string | null;
  @ApiProperty({ ...COUNT_OR_NULL, description: 'DNS look-ups; receivers make 10.' })
  readonly lookups: number | null;
  @ApiProperty({ description: 'Whether it passes for the domain of From, or one of its organization.' })
  readonly aligned: boolean;
}

class DkimReply {
  @ApiProperty({ example: 'pass' })
  readonly result: string;
  @ApiProperty(TEXT_OR_NULL)
  readonly domain: string | null;
  @ApiProperty(TEXT_OR_NULL)
  readonly selector: string | null;
  @ApiProperty({ ...TEXT_OR_NULL, example: 'rsa-sha256' })
  readonly algorithm: string | null;
  @ApiProperty(COUNT_OR_NULL)
  readonly key_bits: number | null;
  @ApiProperty()
  readonly aligned: boolean;
  @ApiProperty(TEXTS)
  readonly signed_headers: readonly string[];
  @ApiProperty()
  readonly covers_whole_body: boolean;
  @ApiProperty()
  readonly testing: boolean;
  @ApiProperty(TEXT_OR_NULL)
  readonly comment: string | null;
}

class DmarcReply {
  @ApiProperty({ example: 'pass' })
  readonly result: string;
  @ApiProperty(TEXT_OR_NULL)
  readonly domain: string | null;
  @ApiProperty(TEXT_OR_NULL)
  readonly policy: string | null;
  @ApiProperty(TEXT_OR_NULL)
  readonly policy_domain: string | null;
  @ApiProperty(TEXT_OR_NULL)
  readonly record: string | null;
  @ApiProperty({ type: [String], enum: ['spf', 'dkim'], isArray: true })
  readonly aligned_by: readonly string[];
}

class ArcReply {
  @ApiProperty({ example: 'none' })
  readonly result: string;
  @ApiProperty(COUNT)
  readonly instances: number;
}

class AuthenticationReply {
  @ApiProperty({ type: SpfReply, nullable: true, description: 'Null: nobody has said from where it came.' })
  readonly spf: SpfReply | null;
  @ApiProperty({ type: [DkimReply] })
  readonly dkim: readonly DkimReply[];
  @ApiProperty({ type: DmarcReply })
  readonly dmarc: DmarcReply;
  @ApiProperty({ type: ArcReply })
  readonly arc: ArcReply;
}

class HeadersReply {
  @ApiProperty(COUNT)
  readonly from_fields: number;
  @ApiProperty(COUNT)
  readonly from_addresses: number;
  @ApiProperty(TEXT_OR_NULL)
  readonly from_domain: string | null;
  @ApiProperty(TEXT_OR_NULL)
  readonly reply_to_domain: string | null;
  @ApiProperty(TEXT_OR_NULL)
  readonly date: string | null;
  @ApiProperty({ type: 'integer', nullable: true, description: 'From the Date to when it came.' })
  readonly date_age_s: number | null;
  @ApiProperty(TEXT_OR_NULL)
  readonly message_id_domain: string | null;
  @ApiProperty()
  readonly has_message_id: boolean;
  @ApiProperty()
  readonly has_subject: boolean;
  @ApiProperty({ ...TEXTS, description: 'Fields that may stand there once, and stand there more often.' })
  readonly repeated: readonly string[];
  @ApiProperty({ ...TEXTS, description: 'Fields with characters that are not encoded.' })
  readonly not_ascii: readonly string[];
  @ApiProperty(TEXT_OR_NULL)
  readonly auto_submitted: string | null;
  @ApiProperty(COUNT)
  readonly received: number;
  @ApiProperty(COUNT)
  readonly longest_line: number;
}

class UnsubscribeReply {
  @ApiProperty()
  readonly list_unsubscribe: boolean;
  @ApiProperty()
  readonly well_formed: boolean;
  @ApiProperty({ ...TEXTS, description: 'Hosts of its https addresses, which nobody asks.' })
  readonly https_hosts: readonly string[];
  @ApiProperty()
  readonly mailto: boolean;
  @ApiProperty({ description: 'As RFC 8058 has it.' })
  readonly one_click: boolean;
  @ApiProperty({ ...TRUTH_OR_NULL, description: 'Whether a DKIM signature that passes covers the fields.' })
  readonly signed: boolean | null;
}

class DifferingLinkReply {
  @ApiProperty()
  readonly shown: string;
  @ApiProperty()
  readonly host: string;
}

class LinksReply {
  @ApiProperty(COUNT)
  readonly count: number;
  @ApiProperty(COUNT)
  readonly insecure: number;
  @ApiProperty(TEXTS)
  readonly hosts: readonly string[];
  @ApiProperty(TEXTS)
  readonly shorteners: readonly string[];
  @ApiProperty(TEXTS)
  readonly addresses: readonly string[];
  @ApiProperty({ type: [DifferingLinkReply] })
  readonly differing: readonly DifferingLinkReply[];
}

class AttachmentReply {
  @ApiProperty()
  readonly media_type: string;
  @ApiProperty(COUNT)
  readonly size_bytes: number;
  @ApiProperty({ ...TEXT_OR_NULL, example: '.pdf' })
  readonly extension: string | null;
  @ApiProperty({ description: 'Receivers refuse what can run.' })
  readonly risky: boolean;
}

class ContentReply {
  @ApiProperty(COUNT)
  readonly size_bytes: number;
  @ApiProperty(COUNT)
  readonly text_bytes: number;
  @ApiProperty(COUNT)
  readonly html_bytes: number;
  @ApiProperty()
  readonly has_text: boolean;
  @ApiProperty()
  readonly has_html: boolean;
  @ApiProperty(COUNT)
  readonly visible_characters: number;
  @ApiProperty(COUNT)
  readonly images: number;
  @ApiProperty(COUNT)
  readonly images_without_alt: number;
  @ApiProperty(COUNT)
  readonly remote_images: number;
  @ApiProperty({ ...TEXTS, description: 'Elements that no mail program runs.' })
  readonly active_elements: readonly string[];
  @ApiProperty({ type: LinksReply, description: 'Nobody follows a link; only its domain is looked up.' })
  readonly links: LinksReply;
  @ApiProperty({ type: [AttachmentReply] })
  readonly attachments: readonly AttachmentReply[];
  @ApiProperty(COUNT)
  readonly attachment_count: number;
}

class SpamSymbolReply {
  @ApiProperty()
  readonly name: string;
  @ApiProperty({ type: Number })
  readonly score: number;
  @ApiProperty(TEXT_OR_NULL)
  readonly description: string | null;
}

class SpamFilterReply {
  @ApiProperty({ enum: ['rspamd', 'spamassassin'] })
  readonly engine: string;
  @ApiProperty({ type: Number, nullable: true, description: 'Null: it did not answer.' })
  readonly score: number | null;
  @ApiProperty({ type: Number, nullable: true, description: 'From this score on it is spam.' })
  readonly required: number | null;
  @ApiProperty({ type: [SpamSymbolReply], description: 'The heaviest first.' })
  readonly symbols: readonly SpamSymbolReply[];
}

class BulkSenderRuleReply {
  @ApiProperty({ example: 'one_click_unsubscribe' })
  readonly rule: string;
  @ApiProperty({ enum: ['pass', 'fail', 'cannot_be_seen'] })
  readonly result: string;
  @ApiProperty({ enum: ['gmail', 'yahoo', 'outlook'], isArray: true, type: [String] })
  readonly operators: readonly string[];
  @ApiProperty()
  readonly explanation: string;
}

export class ReportFindingReply {
  @ApiProperty({ example: 'dkim_missing', description: 'Stable.' })
  readonly code: string;
  @ApiProperty({ enum: REPORT_AREAS })
  readonly area: string;
  @ApiProperty({ enum: REPORT_SEVERITIES })
  readonly severity: string;
  @ApiProperty()
  readonly explanation: string;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'What it was seen by.' })
  readonly evidence: Readonly<Record<string, unknown>>;
  @ApiProperty({ description: 'What to do.' })
  readonly fix: string;
  @ApiProperty({
    type: DnsFixReply,
    nullable: true,
    description: 'The record to publish, where what the domain publishes can tell.',
  })
  readonly record: DnsFix | null;
  @ApiProperty({ ...TEXT_OR_NULL, example: 'RFC 6376' })
  readonly rfc: string | null;
}

/** The sections of a report, and what is judged of them. */
export class PlacementReportReply implements PlacementReport {
  @ApiProperty({
    description:
      'False: our resolver did not answer, or is not believed. What depends on it is unknown, and the report costs nothing.',
  })
  readonly dns_answered: boolean;
  @ApiProperty({ type: TransportReply, nullable: true, description: 'Null: nobody has said from where it came.' })
  readonly transport: PlacementReport['transport'];
  @ApiProperty({ type: AuthenticationReply, nullable: true })
  readonly authentication: PlacementReport['authentication'];
  @ApiProperty({ type: HeadersReply, nullable: true })
  readonly headers: PlacementReport['headers'];
  @ApiProperty({ type: UnsubscribeReply, nullable: true })
  readonly unsubscribe: PlacementReport['unsubscribe'];
  @ApiProperty({ type: ContentReply, nullable: true })
  readonly content: PlacementReport['content'];
  @ApiProperty({
    type: [TargetResultReply],
    description: 'Block lists on the sending address, the domains of From and of signatures, and those of links.',
  })
  readonly reputation: PlacementReport['reputation'];
  @ApiProperty({ type: SpamFilterReply, nullable: true, description: 'Null: the operator has none.' })
  readonly spam_filter: PlacementReport['spam_filter'];
  @ApiProperty({ type: [BulkSenderRuleReply] })
  readonly bulk_sender_rules: PlacementReport['bulk_sender_rules'];
  @ApiProperty({ type: [ReportFindingReply], description: 'The worst first.' })
  readonly findings: PlacementReport['findings'];
}
