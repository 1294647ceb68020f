import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { REASONS, WITNESSES } from '../engine/types.js';

/* What the presenters answer, for the documents. Every reply that a test gets is held against these. */

export const VERDICTS = ['valid', 'invalid', 'risky', 'unknown'] as const;
export const ALL_REASONS = Object.values(REASONS).flat();
const CHECK_STATES = ['pass', 'fail', 'unknown', 'skipped'];
const NULLABLE_TEXT = { type: String, nullable: true } as const;

export class VerificationData {
  @ApiProperty({ description: 'The address checked.' })
  readonly email: string;

  @ApiProperty({ enum: VERDICTS })
  readonly result: string;

  @ApiProperty({ ...NULLABLE_TEXT, enum: ALL_REASONS })
  readonly reason: string | null;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, description: 'How safe it is to send.' })
  readonly score: number;

  @ApiProperty()
  readonly disposable: boolean;

  @ApiProperty()
  readonly role: boolean;

  @ApiProperty()
  readonly free: boolean;

  @ApiProperty({ description: 'The domain takes mail for any local part.' })
  readonly accept_all: boolean;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'A suggested correction; it never changes the verdict.' })
  readonly did_you_mean: string | null;
}

export class ChecksBody {
  @ApiProperty({ enum: CHECK_STATES })
  readonly syntax: string;

  @ApiProperty({ enum: CHECK_STATES })
  readonly mx: string;

  @ApiProperty({ enum: CHECK_STATES })
  readonly smtp: string;

  @ApiProperty()
  readonly catch_all: boolean;

  @ApiProperty()
  readonly disposable: boolean;

  @ApiProperty()
  readonly role: boolean;

  @ApiProperty()
  readonly spam_trap: boolean;

  @ApiProperty()
  readonly free: boolean;
}

export class EvidenceBody {
  @ApiProperty({ enum: ['syntax', 'dns', 'connect', 'banner', 'ehlo', 'starttls', 'mail', 'rcpt'] })
  readonly stage: string;

  @ApiProperty(NULLABLE_TEXT)
  readonly mx_host: string | null;

  @ApiProperty(NULLABLE_TEXT)
  readonly mx_address: string | null;

  @ApiProperty({ type: 'integer', nullable: true })
  readonly reply_code: number | null;

  @ApiProperty({ ...NULLABLE_TEXT, example: '5.1.1' })
  readonly enhanced_code: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, maxLength: 512 })
  readonly text: string | null;

  @ApiProperty()
  readonly from_cache: boolean;

  @ApiProperty({
    ...NULLABLE_TEXT,
    enum: [...WITNESSES, null],
    description: 'What settled a refusal that gives no reason; null when the reply says by itself what it means.',
  })
  readonly witness: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    example: 'default',
    description: 'Which of the sending addresses of this service asked; null when no mail host was asked for it.',
  })
  readonly source: string | null;
}

export class FullVerificationReply {
  @ApiProperty()
  readonly email: string;

  @ApiProperty({ enum: VERDICTS })
  readonly verdict: string;

  @ApiProperty({ minimum: 0, maximum: 1, description: 'How sure the verdict is.' })
  readonly confidence: number;

  @ApiProperty({ type: ChecksBody })
  readonly checks: ChecksBody;

  @ApiProperty({ type: 'integer' })
  readonly credits_charged: number;

  @ApiProperty({ type: 'integer' })
  readonly latency_ms: number;

  @ApiProperty({ enum: ALL_REASONS })
  readonly reason: string;

  @ApiProperty(NULLABLE_TEXT)
  readonly did_you_mean: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: "The mail operator's name." })
  readonly provider: string | null;

  @ApiProperty(NULLABLE_TEXT)
  readonly mx_host: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Null when the address does not parse.' })
  readonly normalized_email: string | null;

  @ApiProperty({ enum: ['send', 'send_with_care', 'review', 'retry_later', 'do_not_send'] })
  readonly action: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Seconds until a later try may settle an `unknown`.' })
  readonly retry_after: number | null;

  @ApiPropertyOptional({ description: 'Its owner asked not to be found; only where the account wants to be told.' })
  readonly suppressed?: boolean;

  @ApiProperty({ type: EvidenceBody })
  readonly evidence: EvidenceBody;

  @ApiProperty({ format: 'date-time' })
  readonly checked_at: string;

  @ApiProperty()
  readonly request_id: string;
}

export class DailyCreditsBody {
  @ApiProperty({ type: 'integer', example: 25 })
  readonly daily_free_credits: number;

  @ApiProperty({ type: 'integer', description: 'What was charged today; what is `reserved` is not in it.' })
  readonly used_today: number;

  @ApiProperty({ type: 'integer', description: 'Held for work that still runs; neither used nor in `remaining`.' })
  readonly reserved: number;

  @ApiProperty({ type: 'integer', description: 'What may be spent now, free or paid.' })
  readonly remaining: number;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Of a claimed agent: what of `remaining` the account pays that has claimed it.',
  })
  readonly paid_remaining?: number;

  @ApiProperty({ format: 'date-time', description: 'The next 00:00 UTC.' })
  readonly resets_at: string;

  @ApiProperty({ description: "Whether all agents together have left some of the day's capacity." })
  readonly shared_capacity_available: boolean;
}

export class BalanceReply {
  @ApiProperty({ example: 'pro' })
  readonly plan: string;

  @ApiProperty({ type: 'integer', description: 'What may be spent now. The sum of the history.' })
  readonly remaining: number;

  @ApiProperty({ type: 'integer', description: 'Held for work that still runs; not in `remaining`.' })
  readonly reserved: number;

  @ApiProperty({ type: 'integer', description: 'Charged since the account was made.' })
  readonly used_total: number;

  @ApiProperty({ type: 'integer', description: 'What the plan gave once, when the account was made.' })
  readonly free_granted: number;

  @ApiProperty({ description: 'Whether `remaining` is less than what the plan calls low.' })
  readonly low: boolean;
}
