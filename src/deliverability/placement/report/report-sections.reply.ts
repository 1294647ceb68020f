import { TargetResultReply } from '../../blacklists/blacklists.reply.js';
import { DnsFixReply } from '../../domains/finding.reply.js';
import { field, Reply } from '../../../platform/http/reply.js';
import { REPORT_AREAS, REPORT_SEVERITIES } from './report-findings.js';

/* The sections of a report, as they are made, kept and answered. */

export class TransportReply extends Reply({
  client_address: field.text(),
  /** Of the PTR record; null: there is none, or the DNS did not say. */
  reverse_name: field.textOrNull(),
  /** Null: there is no reverse name, or the DNS did not say. */
  forward_confirmed: field.booleanOrNull('Whether that name leads back to the address.'),
  reverse_answered: field.boolean('False: the DNS did not answer, and nothing is said of the name.'),
  helo: field.textOrNull(),
  mail_from: field.textOrNull(),
  tls: field.textOrNull({ example: 'TLSv1.3', description: '`none`: in clear; null: not known.' }),
}) {}

export class SpfReply extends Reply({
  result: field.text({ example: 'pass' }),
  domain: field.textOrNull(),
  record: field.textOrNull(),
  lookups: field.countOrNull('DNS look-ups; receivers make 10.'),
  aligned: field.boolean('Whether it passes for the domain of From, or one of its organization.'),
}) {}

export class DkimReply extends Reply({
  result: field.text({ example: 'pass' }),
  domain: field.textOrNull(),
  selector: field.textOrNull(),
  algorithm: field.textOrNull({ example: 'rsa-sha256' }),
  key_bits: field.countOrNull(),
  aligned: field.boolean(),
  signed_headers: field.texts(),
  covers_whole_body: field.boolean(),
  testing: field.boolean(),
  comment: field.textOrNull(),
}) {}

export class DmarcReply extends Reply({
  result: field.text({ example: 'pass' }),
  domain: field.textOrNull(),
  policy: field.textOrNull(),
  policy_domain: field.textOrNull(),
  record: field.textOrNull(),
  aligned_by: field.someOf(['spf', 'dkim']),
}) {}

export class ArcReply extends Reply({
  result: field.text({ example: 'none' }),
  instances: field.count(),
}) {}

export class AuthenticationReply extends Reply({
  spf: field.oneOrNull(SpfReply, 'Null: nobody has said from where it came.'),
  dkim: field.listOf(DkimReply),
  dmarc: field.one(DmarcReply),
  arc: field.one(ArcReply),
}) {}

export class HeadersReply extends Reply({
  from_fields: field.count(),
  from_addresses: field.count(),
  from_domain: field.textOrNull(),
  reply_to_domain: field.textOrNull(),
  date: field.textOrNull(),
  /** In seconds; null: the Date cannot be read. */
  date_age_s: field.integerOrNull('From the Date to when it came.'),
  message_id_domain: field.textOrNull(),
  has_message_id: field.boolean(),
  has_subject: field.boolean(),
  repeated: field.texts('Fields that may stand there once, and stand there more often.'),
  not_ascii: field.texts('Fields with characters that are not encoded.'),
  auto_submitted: field.textOrNull(),
  received: field.count(),
  longest_line: field.count(),
}) {}

export class UnsubscribeReply extends Reply({
  list_unsubscribe: field.boolean(),
  /** Whether every part of it is an address in angle brackets. */
  well_formed: field.boolean(),
  /** The addresses themselves may say who the reader is. */
  https_hosts: field.texts('Hosts of its https addresses, which nobody asks.'),
  mailto: field.boolean(),
  /** `List-Unsubscribe-Post` beside one https address. */
  one_click: field.boolean('As RFC 8058 has it.'),
  /** Null: there is nothing to cover. */
  signed: field.booleanOrNull('Whether a DKIM signature that passes covers the fields.'),
}) {}

export class DifferingLinkReply extends Reply({
  shown: field.text(),
  host: field.text(),
}) {}

export class LinksReply extends Reply({
  count: field.count(),
  insecure: field.count(),
  /** Hosts that they lead to, each once, the first ones. */
  hosts: field.texts(),
  shorteners: field.texts(),
  addresses: field.texts(),
  /** Links whose text shows another domain than they lead to. */
  differing: field.listOf(DifferingLinkReply),
}) {}

export class AttachmentReply extends Reply({
  media_type: field.text(),
  size_bytes: field.count(),
  /** The end of its name; null: it has no name, or the name no ending. */
  extension: field.textOrNull({ example: '.pdf' }),
  risky: field.boolean('Receivers refuse what can run.'),
}) {}

export class ContentReply extends Reply({
  size_bytes: field.count(),
  text_bytes: field.count(),
  html_bytes: field.count(),
  has_text: field.boolean(),
  has_html: field.boolean(),
  visible_characters: field.count(),
  images: field.count(),
  images_without_alt: field.count(),
  remote_images: field.count(),
  active_elements: field.texts('Elements that no mail program runs.'),
  links: field.one(LinksReply, 'Nobody follows a link; only its domain is looked up.'),
  attachments: field.listOf(AttachmentReply),
  attachment_count: field.count(),
}) {}

export class SpamSymbolReply extends Reply({
  name: field.text(),
  score: field.number(),
  description: field.textOrNull(),
}) {}

/** What a spam filter of the operator says of a message. */
export class SpamFilterReply extends Reply({
  engine: field.oneOf(['rspamd', 'spamassassin']),
  score: field.numberOrNull('Null: it did not answer.'),
  required: field.numberOrNull('From this score on it is spam.'),
  symbols: field.listOf(SpamSymbolReply, 'The heaviest first.'),
}) {}

/** A rule that mail operators have for senders of many mails, and whether this message keeps it. */
export class BulkSenderRuleReply extends Reply({
  rule: field.text({ example: 'one_click_unsubscribe' }),
  result: field.oneOf(['pass', 'fail', 'cannot_be_seen']),
  operators: field.someOf(['gmail', 'yahoo', 'outlook']),
  /** What is demanded, whatever became of it. */
  explanation: field.text(),
}) {}

export class ReportFindingReply extends Reply({
  code: field.text({ example: 'dkim_missing', description: 'Stable.' }),
  area: field.oneOf(REPORT_AREAS),
  severity: field.oneOf(REPORT_SEVERITIES),
  explanation: field.text(),
  evidence: field.anyMembers('What it was seen by.'),
  fix: field.text('What to do.'),
  record: field.oneOrNull(DnsFixReply, 'The record to publish, where what the domain publishes can tell.'),
  rfc: field.textOrNull({ example: 'RFC 6376' }),
}) {}

/** The sections of a report, and what is judged of them. */
export class PlacementReportReply extends Reply({
  dns_answered: field.boolean(
    'False: our resolver did not answer, or is not believed. What depends on it is unknown, and the report costs nothing.',
  ),
  transport: field.oneOrNull(TransportReply, 'Null: nobody has said from where it came.'),
  authentication: field.oneOrNull(AuthenticationReply),
  headers: field.oneOrNull(HeadersReply),
  unsubscribe: field.oneOrNull(UnsubscribeReply),
  content: field.oneOrNull(ContentReply),
  reputation: field.listOf(
    TargetResultReply,
    'Block lists on the sending address, the domains of From and of signatures, and those of links.',
  ),
  spam_filter: field.oneOrNull(SpamFilterReply, 'Null: the operator has none.'),
  bulk_sender_rules: field.listOf(BulkSenderRuleReply),
  findings: field.listOf(ReportFindingReply, 'The worst first.'),
}) {}
