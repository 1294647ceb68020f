import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMinSize, IsArray, IsBoolean, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import type { Verdict } from '../batch/model/chunk-result.js';
import { OptionalMaxCredits } from '../credits/max-credits.decorator.js';
import { MAX_REUSE_DAYS } from '../reuse/reuse.service.js';
import { OptionalInteger, UniqueItems } from '../platform/http/fields.js';

const MAX_EVERY_DAYS = 365;
const VERDICTS = ['valid', 'invalid', 'risky', 'unknown'] as const;

export class ListScheduleRequest {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_EVERY_DAYS, description: 'Days from one run to the next.' })
  // The service asks for it: whose list it is not is told nothing else.
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_EVERY_DAYS)
  readonly every_days?: number | null;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', enum: [...VERDICTS] },
    minItems: 1,
    uniqueItems: true,
    nullable: true,
    description: 'Addresses with these verdicts are asked about again, and `unknown` ones always; null: all.',
  })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @UniqueItems()
  @IsIn([...VERDICTS], { each: true })
  readonly verdicts?: readonly Verdict[] | null;

  @OptionalInteger({
    minimum: 0,
    maximum: MAX_REUSE_DAYS,
    default: 0,
    nullable: true,
    description: "The account's own verdicts of the addresses, at most so many days old, are given again for nothing.",
  })
  readonly reuse_days?: number | null;

  @OptionalMaxCredits()
  readonly max_credits?: number | null;

  @ApiPropertyOptional({ type: Boolean, default: true, nullable: true, description: 'False: no further run begins.' })
  @IsOptional()
  @IsBoolean()
  readonly enabled?: boolean | null;
}
