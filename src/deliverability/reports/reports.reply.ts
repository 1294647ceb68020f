import { PageOf } from '../../platform/http/page.js';
import { field, Reply } from '../../platform/http/reply.js';

export class ProofRecordReply extends Reply({
  name: field.text({ example: '_mailsonde.example.com.' }),
  type: field.oneOf(['TXT']),
  value: field.text({ example: 'mailsonde-verification=mfrggzdfmztwq2lk' }),
}) {}

export class TlsRecordReply extends Reply({
  name: field.text({ example: '_smtp._tls.example.com.' }),
  type: field.oneOf(['TXT']),
  value: field.text({ example: 'v=TLSRPTv1; rua=mailto:d-mfrggzdfmztwq2lk@in.example.net' }),
}) {}

export class OwnershipReply extends Reply({
  monitor_id: field.id(),
  domain: field.text({ example: 'example.com' }),
  verified: field.boolean('Whether it is proven that the domain is yours.'),
  look: field.oneOf(
    ['found', 'missing', 'no_answer'],
    'What the DNS said of the record just now; `no_answer` changes nothing.',
  ),
  unanswered_why: field.textOrNull(
    'Of `no_answer` a sentence where our own DNS resolver was not believed (`untrusted`); null otherwise.',
  ),
  record: field.one(ProofRecordReply, 'The record that proves it: leave it published.'),
  report_address: field.textOrNull('Where aggregate reports are received; null until it is proven.'),
  dmarc_tag: field.textOrNull({
    description: "What to put into the domain's DMARC record, beside other addresses behind a comma.",
    example: 'rua=mailto:d-mfrggzdfmztwq2lk@in.example.net',
  }),
  tls_record: field.oneOrNull(
    TlsRecordReply,
    'The record by which senders report on encryption (RFC 8460) there; null until it is proven.',
  ),
}) {}

export class PublishedPolicyReply extends Reply({
  p: field.textOrNull({ example: 'quarantine' }),
  sp: field.textOrNull(),
  np: field.textOrNull(),
  adkim: field.textOrNull(),
  aspf: field.textOrNull(),
  pct: field.textOrNull('Only in reports of the old form.'),
  testing: field.textOrNull(),
  discovery_method: field.textOrNull({ example: 'treewalk' }),
}) {}

export class DmarcReportReply extends Reply({
  id: field.id(),
  domain: field.text('The domain whose record was found: that of the monitor, or one below it.'),
  organization: field.text({ description: 'Who reports, in its own words.', example: 'receiver.example' }),
  report_id: field.text('As its reporter numbers it.'),
  form: field.oneOf(['rfc7489', 'rfc9990']),
  generator: field.textOrNull(),
  begins_at: field.moment(),
  ends_at: field.moment(),
  policy: field.one(PublishedPolicyReply),
  messages: field.largeCount(),
  passed: field.largeCount('Of which DKIM or SPF passed for an aligned domain.'),
  records_left_out: field.largeCount('Records that could not be read, or were about another domain.'),
  received_at: field.moment(),
}) {}

export class DmarcReportPageReply extends PageOf(DmarcReportReply, 'reports') {}

export class ReportedFailureReply extends Reply({
  domain: field.text({ description: 'The domain in From.', example: 'example.com' }),
  failure: field.text({ description: 'What failed: a word of RFC 6591 section 3.3, or a newer one.', example: 'dkim' }),
  delivery: field.textOrNull({ description: 'What became of the last message.', example: 'reject' }),
  dkim_domain: field.textOrNull(),
  dkim_selector: field.textOrNull(),
  reporter: field.textOrNull("The reporter's program, in its own words."),
  messages: field.largeCount(),
  last_at: field.time(),
}) {}

export class ReportedSourceReply extends Reply({
  source: field.text({ example: '192.0.2.10' }),
  messages: field.largeCount(),
  passed: field.largeCount('Passed DMARC: DKIM or SPF passed for an aligned domain.'),
  failed: field.largeCount(),
  spf_passed: field.largeCount('SPF passed, for whichever domain.'),
  spf_aligned: field.largeCount('SPF passed for a domain that aligns with the one in From.'),
  dkim_passed: field.largeCount('DKIM passed, for whichever domain.'),
  dkim_aligned: field.largeCount('DKIM passed for a domain that aligns with the one in From.'),
  quarantined: field.largeCount(),
  rejected: field.largeCount(),
  reporters: field.largeCount('Organizations that reported it.'),
  authenticated_as: field.texts('Domains for which DKIM or SPF passed, at most five: who it is.'),
  first_seen_at: field.momentOrNull('When it was reported first.'),
  failure_reports: field.listOf(ReportedFailureReply, 'What reports of single messages say (RFC 9991), at most five.'),
}) {}

export class ReportedSourcesReply extends Reply({
  from: field.moment(),
  to: field.moment('Excluded.'),
  reports_left_out: field.largeCount('Reports that are not counted: the newer ones have 200,000 rows or more.'),
  sources: field.listOf(ReportedSourceReply, 'The most messages first.'),
}) {}
