import { REASONS, WITNESSES } from '../engine/types.js';
import { field, Reply } from '../platform/http/reply.js';

/* What the presenters answer, for the documents. Every reply that a test gets is held against these. */

export const VERDICTS = ['valid', 'invalid', 'risky', 'unknown'] as const;
export const ALL_REASONS = Object.values(REASONS).flat();
const CHECK_STATES = ['pass', 'fail', 'unknown', 'skipped'] as const;

export class VerificationData extends Reply({
  email: field.text('The address checked.'),
  result: field.oneOf(VERDICTS),
  reason: field.oneOfOrNull(ALL_REASONS),
  score: field.count({ maximum: 100, description: 'How safe it is to send.' }),
  disposable: field.boolean(),
  role: field.boolean(),
  free: field.boolean(),
  accept_all: field.boolean('The domain takes mail for any local part.'),
  did_you_mean: field.textOrNull('A suggested correction; it never changes the verdict.'),
}) {}

export class ChecksBody extends Reply({
  syntax: field.oneOf(CHECK_STATES),
  mx: field.oneOf(CHECK_STATES),
  smtp: field.oneOf(CHECK_STATES),
  catch_all: field.boolean(),
  disposable: field.boolean(),
  role: field.boolean(),
  spam_trap: field.boolean(),
  free: field.boolean(),
}) {}

export class EvidenceBody extends Reply({
  stage: field.oneOf(['syntax', 'dns', 'connect', 'banner', 'ehlo', 'starttls', 'mail', 'rcpt']),
  mx_host: field.textOrNull(),
  mx_address: field.textOrNull(),
  reply_code: field.integerOrNull(),
  enhanced_code: field.textOrNull({ example: '5.1.1' }),
  text: field.textOrNull({
    maxLength: 512,
    description:
      "The server's words; of `dns_error` it begins with `untrusted:` where this service's own DNS resolver was not believed.",
  }),
  from_cache: field.boolean(),
  witness: field.of<string | null>({
    type: String,
    nullable: true,
    enum: [...WITNESSES, null],
    description: 'What settled a refusal that gives no reason; null when the reply says by itself what it means.',
  }),
  source: field.textOrNull({
    example: 'default',
    description: 'Which of the sending addresses of this service asked; null when no mail host was asked for it.',
  }),
}) {}

export class FullVerificationReply extends Reply({
  email: field.text(),
  verdict: field.oneOf(VERDICTS),
  confidence: field.fraction('How sure the verdict is.'),
  checks: field.one(ChecksBody),
  credits_charged: field.integer(),
  latency_ms: field.integer(),
  reason: field.oneOf(ALL_REASONS),
  did_you_mean: field.textOrNull(),
  provider: field.textOrNull("The mail operator's name."),
  mx_host: field.textOrNull(),
  normalized_email: field.textOrNull('Null when the address does not parse.'),
  action: field.of<string | null>({ enum: ['send', 'send_with_care', 'review', 'retry_later', 'do_not_send'] }),
  retry_after: field.integerOrNull('Seconds until a later try may settle an `unknown`.'),
  suppressed: field.optional(
    field.boolean('Its owner asked not to be found; only where the account wants to be told.'),
  ),
  evidence: field.one(EvidenceBody),
  checked_at: field.time(),
  request_id: field.text(),
}) {}

export class DailyCreditsBody extends Reply({
  daily_free_credits: field.integer({ example: 25 }),
  used_today: field.integer('What was charged today; what is `reserved` is not in it.'),
  reserved: field.integer('Held for work that still runs; neither used nor in `remaining`.'),
  remaining: field.integer('What may be spent now, free or paid.'),
  paid_remaining: field.optional(
    field.integer('Of a claimed agent: what of `remaining` the account pays that has claimed it.'),
  ),
  resets_at: field.time('The next 00:00 UTC.'),
  shared_capacity_available: field.boolean("Whether all agents together have left some of the day's capacity."),
}) {}

export class BalanceReply extends Reply({
  plan: field.text({ example: 'pro' }),
  remaining: field.integer('What may be spent now. The sum of the history.'),
  reserved: field.integer('Held for work that still runs; not in `remaining`.'),
  used_total: field.integer('Charged since the account was made.'),
  free_granted: field.integer('What the plan gave once, when the account was made.'),
  low: field.boolean('Whether `remaining` is less than what the plan calls low.'),
}) {}
