import { LISTED_ACTIONS, SEVERITIES, TARGET_KINDS } from '../../mail-dns/blacklist-row.js';
import { PageOf } from '../../platform/http/page.js';
import { field, Reply } from '../../platform/http/reply.js';

const STATUSES = [
  'listed',
  'not_listed',
  'unknown_code',
  'unconfirmed',
  'refused',
  'unhealthy',
  'no_answer',
  'not_asked',
] as const;

export class BlacklistReply extends Reply({
  id: field.text({ example: 'psbl' }),
  name: field.text(),
  kinds: field.someOf(TARGET_KINDS),
  severity: field.oneOf(SEVERITIES, 'The worst that it can say.'),
  state: field.oneOf<string>(
    ['healthy', 'refused', 'unhealthy', 'silent', 'suspect', 'untested', 'not_configured'],
    'What its test points have shown; `suspect`: they are right, and many watched targets turned up on it at once; `untested`: nobody has asked it yet.',
  ),
  since: field.timeOrNull(),
  why: field.textOrNull('Why it is not healthy, or not asked.'),
  tested_at: field.timeOrNull(),
  terms: field.text('Who may ask it.'),
  terms_url: field.textOrNull(),
  terms_read_at: field.dayOrNull('The day on which the terms were read.'),
  lookup_url: field.text('`{target}` stands for the address or domain.'),
  delist_url: field.textOrNull(),
}) {}

export class BlacklistsReply extends Reply({ blacklists: field.listOf(BlacklistReply) }) {}

/** What one list says of one target, as it is answered and kept; what may be missing is not in older ones that are kept. */
export class ListResultReply extends Reply({
  list: field.text({ example: 'psbl' }),
  asked_name: field.optional(
    field.textOrNull(
      'What the list was asked about: the target, or its registered domain where the list knows no other names.',
    ),
  ),
  status: field.oneOf(STATUSES),
  why: field.textOrNull('Why there is no answer that counts.'),
  meaning: field.textOrNull({ example: 'spam_trap_hit' }),
  severity: field.oneOfOrNull(SEVERITIES),
  codes: field.texts({ description: 'The answer as the list gave it.', example: ['127.0.0.2'] }),
  reason: field.textOrNull("The list's own words."),
  confirmed: field.boolean('Asked twice, with right test points at that moment.'),
  suspect: field.optional(field.boolean('This list listed many watched targets at once, so it may be wrong.')),
  asked_at: field.timeOrNull(),
  answered_in_ms: field.countOrNull(),
  from_cache: field.boolean('Asked within the last five minutes; costs nothing.'),
  list_tested_at: field.timeOrNull(),
  explanation: field.textOrNull(),
  action: field.oneOfOrNull(LISTED_ACTIONS),
  advice: field.textOrNull(),
  lookup_url: field.textOrNull(),
  delist_url: field.textOrNull(),
}) {}

export class ListCountsReply extends Reply({
  asked: field.count(),
  listed: field.count(),
  not_listed: field.count(),
  no_answer: field.count('No answer that counts, whatever the reason.'),
  not_asked: field.count(),
}) {}

/** How much an answer about a target is worth. */
export class CoverageReply extends Reply({
  lists: field.count('Lists that have entries of this kind of target.'),
  answered: field.count('Those of them that have answered.'),
  partial: field.boolean('A list that matters was not asked, or has not answered.'),
  missing: field.texts({ description: 'Lists that matter and have not answered.', example: ['spamhaus-zen'] }),
}) {}

export class TargetResultReply extends Reply({
  target: field.text(),
  kind: field.oneOf(TARGET_KINDS),
  role: field.oneOf(['given']),
  status: field.oneOf(
    ['listed', 'clean', 'unknown'],
    '`unknown`: a list that matters, and that may be asked, has not answered.',
  ),
  worst: field.oneOfOrNull(SEVERITIES),
  coverage: field.optional(field.one(CoverageReply)),
  counts: field.one(ListCountsReply),
  lists: field.listOf(ListResultReply),
}) {}

export class BlacklistCheckReply extends Reply({
  id: field.id(),
  status: field.oneOf(['completed']),
  worst: field.oneOfOrNull(SEVERITIES, 'The worst listing of all targets.'),
  results: field.listOf(TargetResultReply),
  credits_charged: field.count(),
  latency_ms: field.count(),
  checked_at: field.time(),
  request_id: field.text(),
}) {}

export class KeptTargetReply extends Reply({
  target: field.text(),
  status: field.oneOf(['listed', 'clean', 'unknown']),
  worst: field.oneOfOrNull(SEVERITIES),
}) {}

export class KeptCheckReply extends Reply({
  id: field.id(),
  targets: field.listOf(KeptTargetReply),
  credits_charged: field.count(),
  checked_at: field.time(),
}) {}

export class BlacklistCheckPageReply extends PageOf(KeptCheckReply, 'checks') {}
