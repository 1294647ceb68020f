import { ApiExtraModels, ApiProperty, ApiPropertyOptional, OmitType, PickType } from '@nestjs/swagger';
import { MAX_CREDITS } from '../../credits/max-credits.js';
import { RETENTION, RETRY_WINDOW } from '../formats/sent-body.js';
import { MAX_PEOPLE } from '../model/batch-kind.js';
import { BATCH_STATES } from '../model/batch.js';
import { BatchReply, BatchTakenReply, COMPLETE, PendingRow, QuoteReply, replyOrNull, rowsOf } from './batch.reply.js';
import { FindingReply } from '../../finder/finder.reply.js';
import { Extended, field, Reply } from '../../platform/http/reply.js';

/* Bodies of requests and replies for batches of people, for the documents. */

const UNIQUE_PEOPLE = field.integer('Without repeated people: who is searched for and charged.');

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

export class PeopleQuoteReply extends Extended(OmitType(QuoteReply, ['unique_emails']), {
  unique_people: UNIQUE_PEOPLE,
}) {}

export class PeopleBatchTakenReply extends Extended(
  OmitType(BatchTakenReply, ['total_emails', 'unique_emails', 'quote']),
  {
    quote: field.optional(field.one(PeopleQuoteReply, 'Of a held batch.')),
    total_people: field.integer(),
    unique_people: UNIQUE_PEOPLE,
  },
) {}

@ApiExtraModels(PeopleQuoteReply)
export class PeopleBatchReply extends Extended(OmitType(BatchReply, ['total_emails', 'unique_emails', 'quote']), {
  quote: replyOrNull(PeopleQuoteReply, 'Of a held batch, by the balance of now; null for others.'),
  total_people: field.integer(),
  unique_people: UNIQUE_PEOPLE,
}) {}

export class PeopleBatchPageReply extends Reply({
  batches: field.listOf(PeopleBatchReply),
  next_cursor: field.textOrNull(),
}) {}

export class FoundRow extends Extended(FindingReply, {
  columns: field.optional(field.textsByName('What was sent in this row.')),
}) {}

/** A row without an answer, in the results of a batch that still runs. */
export class PendingPersonRow extends Extended(PickType(PendingRow, ['verdict', 'pending']), {
  domain: field.text(),
  columns: field.optional(field.textsByName()),
}) {}

@ApiExtraModels(FoundRow, PendingPersonRow)
export class PeopleResultsReply extends Reply({
  id: field.id(),
  status: field.oneOf(BATCH_STATES),
  total_people: field.integer(),
  complete: COMPLETE,
  results: rowsOf(FoundRow, PendingPersonRow),
  next_cursor: field.textOrNull(),
}) {}
