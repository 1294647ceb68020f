import { FINDING_AREAS } from '../../engine/domain/finding.js';
import { PageOf } from '../../platform/http/page.js';
import { DomainFindingReply, FoundRecordReply } from './finding.reply.js';
import { field, Reply } from '../../platform/http/reply.js';

const STATE = field.oneOf(
  ['ok', 'warning', 'critical', 'unknown'],
  'The worst finding; `unknown`: nothing critical was found, and the DNS left a question open.',
);

/** How a mail host encrypts. */
export class EncryptionReply extends Reply({
  host: field.text({ example: 'mx1.example.com' }),
  outcome: field.oneOf(
    ['encrypted', 'not_offered', 'failed', 'unknown'],
    '`unknown`: it could not be looked at, which is no finding.',
  ),
  why: field.textOrNull(
    'What failed; of `unknown` one of `no_answer`, `port25_blocked`, `refused_us`, `not_public` and `left_alone`.',
  ),
  protocol: field.textOrNull({ example: 'TLSv1.3' }),
  names: field.texts('The names that its certificate is for.'),
  issuer: field.textOrNull(),
  expires_at: field.timeOrNull('The end of its certificate.'),
  is_trusted: field.booleanOrNull('Whether an authority that this service trusts vouches for its certificate.'),
}) {}

/** What the registry says. */
export class DomainRegistrationReply extends Reply({
  status: field.oneOf(['found', 'unknown'], '`unknown`: the registry has not said, which is no finding.'),
  why: field.textOrNull(
    'Of `unknown` one of `no_rdap` (the registry tells nobody), `not_known`, `rate_limited`, `no_answer` and `unreadable`.',
  ),
  domain: field.textOrNull('The domain that is registered: this one, or one above it.'),
  expires_at: field.timeOrNull(),
  statuses: field.texts({ example: ['client transfer prohibited'] }),
  registrar: field.textOrNull(),
  name_servers: field.texts(),
}) {}

const FETCHED = field.oneOfOrNull(['found', 'failed', 'unknown'], '`null`: not fetched.');

/** The logo that receivers may show, and the certificate that says whose it is. */
export class MarkReply extends Reply({
  name: field.text({ example: 'default._bimi.example.com', description: 'Where the record stands.' }),
  logo_url: field.textOrNull(),
  logo: FETCHED,
  certificate_url: field.textOrNull(),
  certificate: FETCHED,
  certificate_expires_at: field.timeOrNull(),
}) {}

/** A term of the SPF record, or of one that it includes, that asks the DNS. */
export class SpfTermReply extends Reply({
  depth: field.count("0 in the domain's own record, one more for each record on the way."),
  term: field.text({ example: 'include:_spf.example.net' }),
  domain: field.text(),
  lookups: field.count('Of this term and of everything below it.'),
  void: field.boolean('The name that it asks for does not exist.'),
  problem: field.oneOfOrNull(['missing', 'multiple', 'syntax', 'unanswered', 'circle', 'too_many_mail_hosts']),
}) {}

export class FindingCountsReply extends Reply({
  critical: field.count(),
  warning: field.count(),
  info: field.count(),
}) {}

export class DomainCheckReply extends Reply({
  id: field.id(),
  status: field.oneOf(['completed']),
  domain: field.text(),
  state: STATE,
  counts: field.one(FindingCountsReply),
  findings: field.listOf(DomainFindingReply, 'The worst first.'),
  records: field.listOf(FoundRecordReply, 'What was found.'),
  spf_lookups: field.count('DNS look-ups that its SPF record costs; receivers make 10.'),
  spf_terms: field.listOf(
    SpfTermReply,
    'Its terms that ask the DNS, each before those of the record that it names: a tree by `depth`.',
  ),
  dnssec: field.oneOf(['secure', 'insecure', 'bogus', 'unknown']),
  starttls: field.listOf(EncryptionReply, 'How each mail host that was looked at encrypts.'),
  registration: field.oneOrNull(DomainRegistrationReply, '`null`: nobody was asked.'),
  bimi: field.oneOrNull(MarkReply, '`null`: there is no record, or nobody asked for it.'),
  unanswered: field.texts(
    'Names for which the DNS did not answer, and URLs of others that did not: nothing is said of them.',
  ),
  unanswered_why: field.textOrNull(
    'A sentence where our own DNS resolver was not believed (`untrusted`), so that it is no fault of the domain; null otherwise.',
  ),
  unknown_areas: field.someOf(
    FINDING_AREAS,
    'Areas in which the DNS left a question open, or of which nobody answered anything: they may be worse than the findings say.',
  ),
  credits_charged: field.count(),
  latency_ms: field.count(),
  checked_at: field.time(),
  request_id: field.text(),
}) {}

export class KeptDomainCheckReply extends Reply({
  id: field.id(),
  domain: field.text(),
  state: STATE,
  counts: field.one(FindingCountsReply),
  credits_charged: field.count(),
  checked_at: field.time(),
}) {}

export class DomainCheckPageReply extends PageOf(KeptDomainCheckReply, 'checks') {}
