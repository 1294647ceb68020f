import { ApiProperty } from '@nestjs/swagger';
import { LISTED_ACTIONS, SEVERITIES, TARGET_KINDS } from '../mail-dns/blacklist-row.js';
import { PageOf } from '../platform/http/page.js';
import { TIME_OR_NULL, COUNT, ID_SCHEMA, TEXT_OR_NULL } from '../platform/http/schemas.js';
import type { ListResult, TargetResult } from './check-reply.js';

/** Kept checks and reports that are older do not have it. */
const SINCE_COVERAGE = { required: false } as const;
const STATUSES = [
  'listed',
  'not_listed',
  'unknown_code',
  'unconfirmed',
  'refused',
  'unhealthy',
  'no_answer',
  'not_asked',
];

export class BlacklistReply {
  @ApiProperty({ example: 'psbl' })
  readonly id: string;

  @ApiProperty()
  readonly name: string;

  @ApiProperty({ enum: TARGET_KINDS, isArray: true })
  readonly kinds: readonly string[];

  @ApiProperty({ enum: SEVERITIES, description: 'The worst that it can say.' })
  readonly severity: string;

  @ApiProperty({
    enum: ['healthy', 'refused', 'unhealthy', 'silent', 'suspect', 'untested', 'not_configured'],
    description:
      'What its test points have shown; `suspect`: they are right, and many watched targets turned up on it at once; `untested`: nobody has asked it yet.',
  })
  readonly state: string;

  @ApiProperty(TIME_OR_NULL)
  readonly since: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'Why it is not healthy, or not asked.' })
  readonly why: string | null;

  @ApiProperty(TIME_OR_NULL)
  readonly tested_at: string | null;

  @ApiProperty({ description: 'Who may ask it.' })
  readonly terms: string;

  @ApiProperty(TEXT_OR_NULL)
  readonly terms_url: string | null;

  @ApiProperty({ type: String, format: 'date', nullable: true, description: 'The day on which the terms were read.' })
  readonly terms_read_at: string | null;

  @ApiProperty({ description: '`{target}` stands for the address or domain.' })
  readonly lookup_url: string;

  @ApiProperty(TEXT_OR_NULL)
  readonly delist_url: string | null;
}

export class BlacklistsReply {
  @ApiProperty({ type: [BlacklistReply] })
  readonly blacklists: readonly BlacklistReply[];
}

export class ListResultReply implements ListResult {
  @ApiProperty({ example: 'psbl' })
  readonly list: string;

  @ApiProperty({
    ...TEXT_OR_NULL,
    ...SINCE_COVERAGE,
    description:
      'What the list was asked about: the target, or its registered domain where the list knows no other names.',
  })
  readonly asked_name: string | null;

  @ApiProperty({ enum: STATUSES })
  readonly status: string;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'Why there is no answer that counts.' })
  readonly why: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, example: 'spam_trap_hit' })
  readonly meaning: string | null;

  @ApiProperty({ enum: SEVERITIES, type: String, nullable: true })
  readonly severity: ListResult['severity'];

  @ApiProperty({ type: [String], description: 'The answer as the list gave it.', example: ['127.0.0.2'] })
  readonly codes: readonly string[];

  @ApiProperty({ ...TEXT_OR_NULL, description: "The list's own words." })
  readonly reason: string | null;

  @ApiProperty({ description: 'Asked twice, with right test points at that moment.' })
  readonly confirmed: boolean;

  @ApiProperty({ ...SINCE_COVERAGE, description: 'This list listed many watched targets at once, so it may be wrong.' })
  readonly suspect: boolean;

  @ApiProperty(TIME_OR_NULL)
  readonly asked_at: string | null;

  @ApiProperty({ ...COUNT, nullable: true })
  readonly answered_in_ms: number | null;

  @ApiProperty({ description: 'Asked within the last five minutes; costs nothing.' })
  readonly from_cache: boolean;

  @ApiProperty(TIME_OR_NULL)
  readonly list_tested_at: string | null;

  @ApiProperty(TEXT_OR_NULL)
  readonly explanation: string | null;

  @ApiProperty({ enum: LISTED_ACTIONS, type: String, nullable: true })
  readonly action: string | null;

  @ApiProperty(TEXT_OR_NULL)
  readonly advice: string | null;

  @ApiProperty(TEXT_OR_NULL)
  readonly lookup_url: string | null;

  @ApiProperty(TEXT_OR_NULL)
  readonly delist_url: string | null;
}

export class ListCountsReply {
  @ApiProperty(COUNT)
  readonly asked: number;

  @ApiProperty(COUNT)
  readonly listed: number;

  @ApiProperty(COUNT)
  readonly not_listed: number;

  @ApiProperty({ ...COUNT, description: 'No answer that counts, whatever the reason.' })
  readonly no_answer: number;

  @ApiProperty(COUNT)
  readonly not_asked: number;
}

export class CoverageReply {
  @ApiProperty({ ...COUNT, description: 'Lists that have entries of this kind of target.' })
  readonly lists: number;

  @ApiProperty({ ...COUNT, description: 'Those of them that have answered.' })
  readonly answered: number;

  @ApiProperty({ description: 'A list that matters was not asked, or has not answered.' })
  readonly partial: boolean;

  @ApiProperty({ type: [String], description: 'Lists that matter and have not answered.', example: ['spamhaus-zen'] })
  readonly missing: readonly string[];
}

export class TargetResultReply implements TargetResult {
  @ApiProperty()
  readonly target: string;

  @ApiProperty({ enum: TARGET_KINDS })
  readonly kind: string;

  @ApiProperty({ enum: ['given'] })
  readonly role: string;

  @ApiProperty({
    enum: ['listed', 'clean', 'unknown'],
    description: '`unknown`: a list that matters, and that may be asked, has not answered.',
  })
  readonly status: TargetResult['status'];

  @ApiProperty({ enum: SEVERITIES, type: String, nullable: true })
  readonly worst: TargetResult['worst'];

  @ApiProperty({ type: CoverageReply, ...SINCE_COVERAGE })
  readonly coverage: TargetResult['coverage'];

  @ApiProperty({ type: ListCountsReply })
  readonly counts: TargetResult['counts'];

  @ApiProperty({ type: [ListResultReply] })
  readonly lists: readonly ListResultReply[];
}

export class BlacklistCheckReply {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;

  @ApiProperty({ enum: ['completed'] })
  readonly status: string;

  @ApiProperty({ enum: SEVERITIES, type: String, nullable: true, description: 'The worst listing of all targets.' })
  readonly worst: string | null;

  @ApiProperty({ type: [TargetResultReply] })
  readonly results: readonly TargetResultReply[];

  @ApiProperty(COUNT)
  readonly credits_charged: number;

  @ApiProperty(COUNT)
  readonly latency_ms: number;

  @ApiProperty({ format: 'date-time' })
  readonly checked_at: string;

  @ApiProperty()
  readonly request_id: string;
}

export class KeptTargetReply {
  @ApiProperty()
  readonly target: string;

  @ApiProperty({ enum: ['listed', 'clean', 'unknown'] })
  readonly status: string;

  @ApiProperty({ enum: SEVERITIES, type: String, nullable: true })
  readonly worst: string | null;
}

export class KeptCheckReply {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;

  @ApiProperty({ type: [KeptTargetReply] })
  readonly targets: readonly KeptTargetReply[];

  @ApiProperty(COUNT)
  readonly credits_charged: number;

  @ApiProperty({ format: 'date-time' })
  readonly checked_at: string;
}

export class BlacklistCheckPageReply extends PageOf(KeptCheckReply, 'checks') {}
