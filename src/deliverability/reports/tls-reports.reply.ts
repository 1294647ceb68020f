import { PageOf } from '../../platform/http/page.js';
import { TLS_POLICY_TYPES } from './reader/tls-report.js';
import { field, Reply } from '../../platform/http/reply.js';

const POLICY_TYPE = field.oneOf<string>(
  TLS_POLICY_TYPES,
  'What the sender kept to: TLSA records (DANE), MTA-STS, or neither.',
);

export class TlsPolicyReply extends Reply({
  policy_type: POLICY_TYPE,
  domain: field.text({ example: 'example.com' }),
  successful_sessions: field.largeCount(),
  failed_sessions: field.largeCount(),
}) {}

export class TlsReportReply extends Reply({
  id: field.id(),
  organization: field.text({ description: 'Who reports, in its own words.', example: 'sender.example' }),
  report_id: field.text('As its reporter numbers it.'),
  begins_at: field.moment(),
  ends_at: field.moment(),
  policies: field.listOf(TlsPolicyReply),
  successful_sessions: field.largeCount('Connections that were encrypted as the policy wants.'),
  failed_sessions: field.largeCount(),
  failures_left_out: field.largeCount('Failures that could not be read.'),
  received_at: field.moment(),
}) {}

export class TlsReportPageReply extends PageOf(TlsReportReply, 'reports') {}

export class TlsFailureReply extends Reply({
  result: field.text({
    description: 'A result of RFC 8460 section 4.3, or a newer one.',
    example: 'certificate-expired',
  }),
  policy_type: POLICY_TYPE,
  mail_host: field.textOrNull('The mail host of yours, where it was told.'),
  sessions: field.largeCount(),
  reporters: field.largeCount('Organizations that reported it.'),
  senders: field.largeCount('Addresses from which they connected.'),
  sender_addresses: field.texts({ description: 'Of these addresses at most five.', example: ['192.0.2.77'] }),
  reasons: field.texts('Codes of the reporters themselves, at most five.'),
  last_begins_at: field.moment('When the last period begins in which it was so.'),
}) {}

export class TlsDayReply extends Reply({
  day: field.day('UTC; the day on which a period of a report begins.'),
  policy_type: POLICY_TYPE,
  successful_sessions: field.largeCount(),
  failed_sessions: field.largeCount(),
}) {}

export class TlsFailuresReply extends Reply({
  from: field.moment(),
  to: field.moment('Excluded.'),
  reports: field.largeCount(),
  successful_sessions: field.largeCount(),
  failed_sessions: field.largeCount('By the sums of the reports, which may count failures that they do not describe.'),
  days: field.listOf(TlsDayReply, 'The oldest first; a day without a report is left out.'),
  reports_left_out: field.largeCount(
    'Reports of which failures are not described here: the newer ones have 200,000 failures or more.',
  ),
  failures: field.listOf(TlsFailureReply, 'The most sessions first.'),
}) {}
