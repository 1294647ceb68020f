import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { BatchReply, BatchTakenReply } from './batch-schemas.js';
import { FindingReply } from './finder-schemas.js';

/* What is sent and answered about batches of people, for the documents. */

const COUNT = { type: 'integer' } as const;
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
  @ApiProperty({ type: [PersonBody], minItems: 1, maxItems: 10_000 })
  readonly people: readonly PersonBody[];

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 200 })
  readonly name?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'Told when the batch ends.' })
  readonly webhook_url?: string | null;
}

export class PeopleBatchTakenReply extends OmitType(BatchTakenReply, ['total_emails', 'unique_emails']) {
  @ApiProperty(COUNT)
  readonly total_people: number;

  @ApiProperty(COUNT_OF_DISTINCT)
  readonly unique_people: number;
}

export class PeopleBatchReply extends OmitType(BatchReply, ['total_emails', 'unique_emails']) {
  @ApiProperty(COUNT)
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

export class PeopleResultsReply {
  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1 })
  readonly id: number;

  @ApiProperty({ enum: ['completed', 'failed', 'cancelled'] })
  readonly status: string;

  @ApiProperty(COUNT)
  readonly total_people: number;

  @ApiProperty({ type: [FoundRow] })
  readonly results: readonly FoundRow[];

  @ApiProperty({ type: String, nullable: true })
  readonly next_cursor: string | null;
}
