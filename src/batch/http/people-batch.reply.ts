import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath, OmitType, PickType } from '@nestjs/swagger';
import { MAX_CREDITS } from '../../credits/max-credits.js';
import { RETENTION, RETRY_WINDOW } from '../formats/intake-row.js';
import { MAX_PEOPLE } from '../model/batch-kind.js';
import { BATCH_STATES } from '../model/batch.js';
import { BatchReply, BatchTakenReply, COMPLETE, PendingRow, QuoteReply, rowsOf } from './batch.reply.js';
import { FindingReply } from '../../finder/finder.reply.js';
import { ID_SCHEMA, INTEGER } from '../../platform/http/schemas.js';

/* Bodies of requests and replies for batches of people, for the documents. */

const COUNT_OF_DISTINCT = {
  type: 'integer',
  description: 'Without repeated people: who is searched for and charged.',
} as const;

export class PersonBody {
  @ApiPropertyOptional({ type: String, nullable: true })
  readonly first_name?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true })
  readonly last_name?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'Instead of the two.' })
  readonly full_name?: string | null;

  @ApiProperty({ minLength: 1 })
  readonly domain: string;
}

export class PeopleBatchRequest {
  @ApiProperty({ type: [PersonBody], minItems: 1, maxItems: MAX_PEOPLE })
  readonly people: readonly PersonBody[];

  @ApiPropertyOptional({ type: String, nullable: true, minLength: 1, maxLength: 200 })
  readonly name?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'Told when the batch ends.' })
  readonly webhook_url?: string | null;

  @ApiPropertyOptional(MAX_CREDITS)
  readonly max_credits?: number | null;

  @ApiPropertyOptional(RETRY_WINDOW)
  readonly retry_window_seconds?: number | null;

  @ApiPropertyOptional(RETENTION)
  readonly retention_days?: number | null;
}

export class PeopleQuoteReply extends OmitType(QuoteReply, ['unique_emails']) {
  @ApiProperty(COUNT_OF_DISTINCT)
  readonly unique_people: number;
}

export class PeopleBatchTakenReply extends OmitType(BatchTakenReply, ['total_emails', 'unique_emails', 'quote']) {
  @ApiPropertyOptional({ type: PeopleQuoteReply, description: 'Of a held batch.' })
  readonly quote?: PeopleQuoteReply;

  @ApiProperty(INTEGER)
  readonly total_people: number;

  @ApiProperty(COUNT_OF_DISTINCT)
  readonly unique_people: number;
}

@ApiExtraModels(PeopleQuoteReply)
export class PeopleBatchReply extends OmitType(BatchReply, ['total_emails', 'unique_emails', 'quote']) {
  @ApiProperty({
    oneOf: [{ $ref: getSchemaPath(PeopleQuoteReply) }, { type: 'null' }],
    description: 'Of a held batch, by the balance of now; null for others.',
  })
  readonly quote: PeopleQuoteReply | null;

  @ApiProperty(INTEGER)
  readonly total_people: number;

  @ApiProperty(COUNT_OF_DISTINCT)
  readonly unique_people: number;
}

export class PeopleBatchPageReply {
  @ApiProperty({ type: [PeopleBatchReply] })
  readonly batches: readonly PeopleBatchReply[];

  @ApiProperty({ type: String, nullable: true })
  readonly next_cursor: string | null;
}

export class FoundRow extends FindingReply {
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'What was sent in this row.',
  })
  readonly columns?: Readonly<Record<string, string>>;
}

/** A row without an answer, in the results of a batch that still runs. */
export class PendingPersonRow extends PickType(PendingRow, ['verdict', 'pending']) {
  @ApiProperty()
  readonly domain: string;

  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' } })
  readonly columns?: Readonly<Record<string, string>>;
}

@ApiExtraModels(FoundRow, PendingPersonRow)
export class PeopleResultsReply {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;

  @ApiProperty({ enum: BATCH_STATES })
  readonly status: string;

  @ApiProperty(INTEGER)
  readonly total_people: number;

  @ApiPropertyOptional(COMPLETE)
  readonly complete?: boolean;

  @ApiProperty(rowsOf(FoundRow, PendingPersonRow))
  readonly results: readonly (FoundRow | PendingPersonRow)[];

  @ApiProperty({ type: String, nullable: true })
  readonly next_cursor: string | null;
}
