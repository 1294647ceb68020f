import type { Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath, PickType } from '@nestjs/swagger';
import { NEXT_CURSOR, PageOf } from '../../platform/http/page.js';
import { TIME_OR_NULL, ID_SCHEMA } from '../../platform/http/schemas.js';
import { RETENTION } from '../formats/intake-row.js';
import { BATCH_STATES } from '../model/batch.js';
import { RETRIED_REASONS } from '../model/retry-window.js';
import { FullVerificationReply, VerificationData } from '../../presenting/verification.reply.js';

/* Replies about batches, for the documents. */

/** What a held batch would cost. */
export class QuoteReply {
  @ApiProperty({ type: 'integer' })
  readonly rows: number;

  @ApiProperty({ type: 'integer', description: 'Without repeated addresses: what is verified and charged.' })
  readonly unique_emails: number;

  @ApiProperty({ type: 'integer', description: 'Rows that repeat an address.' })
  readonly duplicates: number;

  @ApiProperty({
    type: 'integer',
    description: 'Distinct addresses that will be `invalid_syntax`; they cost nothing, except for agents.',
  })
  readonly malformed: number;

  @ApiProperty({ type: 'integer', description: 'Distinct addresses that are answered without new work, for nothing.' })
  readonly reusable: number;

  @ApiProperty({ type: 'integer', description: 'The most that it costs: `start` reserves it.' })
  readonly max_credits: number;

  @ApiProperty({ type: 'integer', description: 'What would be left now; below 0 when the credits do not suffice.' })
  readonly balance_after: number;
}

export class BatchTakenData {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;

  @ApiProperty({ enum: BATCH_STATES })
  readonly status: string;

  @ApiProperty({ type: 'integer' })
  readonly total_emails: number;

  @ApiPropertyOptional({ type: QuoteReply, description: 'Of a held batch.' })
  readonly quote?: QuoteReply;
}

export class BatchWebhookReply {
  @ApiProperty({ format: 'uuid', description: 'Of the endpoint, as under `/api/v1/webhooks`.' })
  readonly id: string;

  @ApiProperty({ format: 'uri' })
  readonly url: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'whsec_…',
    description: 'Signs what is sent to the URL. Shown when the URL is first named; later batches have the same one.',
  })
  readonly secret: string | null;
}

@ApiExtraModels(BatchWebhookReply)
export class BatchTakenReply extends BatchTakenData {
  @ApiProperty({ type: 'integer', description: 'Without repeated addresses: what is verified and charged.' })
  readonly unique_emails: number;

  @ApiProperty({ type: String, nullable: true })
  readonly name: string | null;

  @ApiProperty({
    oneOf: [{ $ref: getSchemaPath(BatchWebhookReply) }, { type: 'null' }],
    description: 'Of `webhook_url`; null without one.',
  })
  readonly webhook: BatchWebhookReply | null;
}

export class VerdictCounts {
  @ApiProperty({ type: 'integer' })
  readonly valid: number;

  @ApiProperty({ type: 'integer' })
  readonly invalid: number;

  @ApiProperty({ type: 'integer' })
  readonly risky: number;

  @ApiProperty({ type: 'integer' })
  readonly unknown: number;
}

/** What of a batch waits for its next try. */
export class WaitingReply {
  @ApiProperty({ type: 'integer', description: 'Distinct addresses.' })
  readonly count: number;

  @ApiProperty({ format: 'date-time', description: 'When the first of them are tried; past while they are.' })
  readonly next_try_at: string;

  @ApiProperty({ format: 'date-time', description: 'Nothing of the batch is put off beyond it.' })
  readonly until: string;

  @ApiProperty({
    type: 'object',
    properties: Object.fromEntries(RETRIED_REASONS.map((reason) => [reason, { type: 'integer', minimum: 1 }])),
    additionalProperties: false,
    description: 'How many have which answer so far.',
  })
  readonly reasons: Readonly<Record<string, number>>;
}

@ApiExtraModels(QuoteReply, WaitingReply)
export class BatchReply {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;

  @ApiProperty({ enum: BATCH_STATES })
  readonly status: string;

  @ApiProperty({ type: String, nullable: true })
  readonly name: string | null;

  @ApiProperty({ ...ID_SCHEMA, nullable: true, description: 'The list that it verifies again; null for others.' })
  readonly list_id: number | null;

  @ApiProperty({ type: 'integer' })
  readonly total_emails: number;

  @ApiProperty({ type: 'integer', description: 'Without repeated addresses: what is verified and charged.' })
  readonly unique_emails: number;

  @ApiProperty({
    type: 'integer',
    description: 'Rows that are answered; repeated addresses as often as they were sent.',
  })
  readonly processed: number;

  @ApiProperty({ minimum: 0, maximum: 1 })
  readonly progress: number;

  @ApiProperty({ type: VerdictCounts })
  readonly counts: VerdictCounts;

  @ApiProperty({
    oneOf: [{ $ref: getSchemaPath(QuoteReply) }, { type: 'null' }],
    description: 'Of a held batch, by the balance of now; null for others.',
  })
  readonly quote: QuoteReply | null;

  @ApiProperty({
    oneOf: [{ $ref: getSchemaPath(WaitingReply) }, { type: 'null' }],
    description: 'Answers that time may change and that are tried again; null when nothing waits.',
  })
  readonly waiting: WaitingReply | null;

  @ApiProperty({ type: 'integer' })
  readonly credits_reserved: number;

  @ApiProperty({ type: 'integer' })
  readonly credits_charged: number;

  @ApiProperty({ type: 'integer', description: 'Addresses that are given a verdict again for nothing (`reuse_days`).' })
  readonly reused: number;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty(TIME_OR_NULL)
  readonly started_at: string | null;

  @ApiProperty(TIME_OR_NULL)
  readonly completed_at: string | null;

  @ApiProperty({ ...TIME_OR_NULL, description: 'From the pace so far; null before the first answer.' })
  readonly estimated_completion_at: string | null;

  @ApiProperty({ ...TIME_OR_NULL, description: 'When it is deleted with every address; null while it runs.' })
  readonly expires_at: string | null;

  @ApiProperty({ ...RETENTION, nullable: false })
  readonly retention_days: number;
}

export class BatchPageReply extends PageOf(BatchReply, 'batches') {}

export class BatchDeletedReply {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;

  @ApiProperty({ enum: [true] })
  readonly deleted: boolean;
}

export class FullRow extends FullVerificationReply {
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'The other columns of the CSV that was sent.',
  })
  readonly columns?: Readonly<Record<string, string>>;
}

const PENDING_VERDICT = { type: String, nullable: true, enum: [null] } as const;
const PENDING = { enum: [true], description: 'It waits for its answer, and the batch still runs.' } as const;

/** A row without an answer, in the results of a batch that still runs. */
export class PendingRow extends PickType(FullRow, ['email', 'columns']) {
  @ApiProperty(PENDING_VERDICT)
  readonly verdict: null;

  @ApiProperty(PENDING)
  readonly pending: boolean;
}

export class AgentPendingRow extends PickType(VerificationData, ['email']) {
  @ApiProperty(PENDING_VERDICT)
  readonly result: null;

  @ApiProperty(PENDING)
  readonly pending: boolean;
}

export const COMPLETE = {
  description: 'Whether the batch has ended and no row will change; only with `partial=true`.',
} as const;

/** The rows of a page, of either class. */
export const rowsOf = (...classes: readonly Type[]) => ({
  type: 'array' as const,
  items: { oneOf: classes.map((one) => ({ $ref: getSchemaPath(one) })) },
  description: 'In the order of submission.',
});

class ResultsPage {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;

  @ApiProperty({ enum: BATCH_STATES })
  readonly status: string;

  @ApiProperty({ type: 'integer' })
  readonly total_emails: number;

  @ApiPropertyOptional(COMPLETE)
  readonly complete?: boolean;

  @ApiProperty(NEXT_CURSOR)
  readonly next_cursor: string | null;
}

@ApiExtraModels(VerificationData, AgentPendingRow)
export class AgentResultsData extends ResultsPage {
  @ApiProperty(rowsOf(VerificationData, AgentPendingRow))
  readonly results: readonly (VerificationData | AgentPendingRow)[];
}

@ApiExtraModels(FullRow, PendingRow)
export class ResultsReply extends ResultsPage {
  @ApiProperty(rowsOf(FullRow, PendingRow))
  readonly results: readonly (FullRow | PendingRow)[];
}
