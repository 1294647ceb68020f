import { ApiProperty } from '@nestjs/swagger';
import { ERROR_CATALOG } from './error-catalog.js';

export class FieldErrorBody {
  @ApiProperty({ example: 'emails[3]' })
  readonly field: string;

  @ApiProperty()
  readonly error: string;
}

/** The body of every error, for the documents. */
export class ErrorBody {
  @ApiProperty({ enum: [false] })
  readonly success: boolean;

  @ApiProperty({ description: 'A sentence for people; it may change.' })
  readonly error: string;

  @ApiProperty({ enum: Object.keys(ERROR_CATALOG), description: 'Stable: decide by it.' })
  readonly code: string;

  @ApiProperty({ description: 'Also the header `X-Request-Id`.' })
  readonly request_id: string;

  @ApiProperty({ type: [FieldErrorBody], required: false, description: '422: what is wrong, at most 100 of them.' })
  readonly fields?: readonly FieldErrorBody[];

  @ApiProperty({
    required: false,
    description: '`permission_missing`: the one that the key lacks.',
    example: 'results',
  })
  readonly permission?: string;

  @ApiProperty({ type: 'integer', required: false, description: '402: the credits that the request costs at most.' })
  readonly required?: number;

  @ApiProperty({ type: 'integer', required: false, description: '402: the credits that are left.' })
  readonly remaining?: number;

  @ApiProperty({
    required: false,
    description: '`key_ceiling_reached`: the one that is reached, of several the one that lasts the longest.',
    example: 'credits_per_day',
  })
  readonly ceiling?: string;

  @ApiProperty({ type: 'integer', required: false, description: '`key_ceiling_reached`: what the ceiling allows.' })
  readonly credits?: number;

  @ApiProperty({ type: 'integer', required: false, description: '`key_ceiling_reached`: what is used of it.' })
  readonly used?: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    required: false,
    description: '402 of agents and of ceilings: when credits start again; null: never.',
  })
  readonly resets_at?: string | null;

  @ApiProperty({
    format: 'uri',
    required: false,
    description: '402 of agents: where a person reads how to let them go on.',
  })
  readonly claim_url?: string;

  @ApiProperty({ type: 'integer', required: false, description: '`too_many_emails`: how many one batch may hold.' })
  readonly limit?: number;
}
