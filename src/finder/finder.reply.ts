import type { FindingReason } from '../engine/finder/finding.js';
import { ALL_REASONS, ChecksBody, EvidenceBody, VERDICTS } from '../presenting/verification.reply.js';
import { Extended, field, Reply } from '../platform/http/reply.js';

/* What is answered to searches, for the documents. */

const OWN_REASONS = [
  'shared_local_part',
  'catch_all_undetermined',
  'no_candidate_exists',
  'name_unreadable',
  'suppressed',
  'public_mail_domain',
  'domain_unreadable',
] satisfies readonly FindingReason[];
const PATTERN = '{first}.{last}';

export class AlternativeBody extends Reply({
  email: field.text(),
  pattern: field.text({ example: PATTERN }),
  confidence: field.fraction("How likely it is the person's address."),
}) {}

export class TriedBody extends Extended(EvidenceBody, {
  email: field.text(),
  pattern: field.text({ example: PATTERN }),
  verdict: field.oneOf(VERDICTS),
  reason: field.oneOf(ALL_REASONS),
}) {}

export class FindingEvidenceBody extends Reply({
  tried: field.listOf(TriedBody, 'In the order asked, each with what the server said.'),
  known_addresses: field.integer('Addresses of the domain whose pattern was known.'),
  known_of_pattern: field.integer('Those of them that have `pattern`.'),
}) {}

export class FindingReply extends Reply({
  email: field.textOrNull('Null when nobody was found.'),
  verdict: field.oneOf(VERDICTS, '`unknown`: the address is a guess that nobody could confirm.'),
  confidence: field.fraction("How likely the address is the person's; without one, how sure that is."),
  pattern: field.textOrNull({ example: PATTERN }),
  candidates_tried: field.count({ maximum: 12 }),
  alternatives: field.listOf(AlternativeBody, { maxItems: 3 }),
  checks: field.one(ChecksBody),
  credits_charged: field.integer('1 when an address was found, `valid` or `risky`; else 0.'),
  latency_ms: field.integer(),
  reason: field.oneOf([...ALL_REASONS, ...OWN_REASONS]),
  domain: field.text('The mail domain that was searched, in A-labels.'),
  provider: field.textOrNull("The mail operator's name."),
  mx_host: field.textOrNull(),
  retry_after: field.integerOrNull('Seconds until a later try may settle an `unknown`.'),
  evidence: field.one(FindingEvidenceBody),
  request_id: field.text(),
}) {}
