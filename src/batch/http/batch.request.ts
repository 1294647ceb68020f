import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MAX_CREDITS } from '../../credits/max-credits.js';
import { MAX_REUSE_DAYS } from '../../reuse/reuse.service.js';
import { RETENTION, RETRY_WINDOW } from '../formats/intake-row.js';

/* Bodies of requests for batches of addresses, for the documents. */

export class AgentBatchRequest {
  @ApiProperty({
    type: 'array',
    items: { type: 'string', maxLength: 1000 },
    minItems: 1,
    description: 'Malformed addresses are answered with `invalid`; repeated ones are charged once.',
  })
  readonly emails: readonly string[];

  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: 200, nullable: true })
  readonly name?: string | null;

  @ApiPropertyOptional(MAX_CREDITS)
  readonly max_credits?: number | null;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_REUSE_DAYS,
    default: 0,
    nullable: true,
    description: "The account's own verdicts of the addresses, at most so many days old, are given again for nothing.",
  })
  readonly reuse_days?: number | null;

  @ApiPropertyOptional(RETRY_WINDOW)
  readonly retry_window_seconds?: number | null;

  @ApiPropertyOptional(RETENTION)
  readonly retention_days?: number | null;
}

export class BatchRequest extends AgentBatchRequest {
  @ApiPropertyOptional({ type: String, format: 'uri', maxLength: 2048, nullable: true })
  readonly webhook_url?: string | null;
}
