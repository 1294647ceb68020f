import { ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { MAX_ESTIMATED_COUNT, MAX_ESTIMATED_EMAILS, MAX_ESTIMATED_LENGTH } from '../estimate.service.js';

/** One of the two; the addresses decide where both come. */
export class EstimateRequest {
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', maxLength: MAX_ESTIMATED_LENGTH },
    minItems: 1,
    maxItems: MAX_ESTIMATED_EMAILS,
    nullable: true,
    description: 'The addresses themselves, so that repeated ones are counted once. Nothing is verified or kept.',
  })
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_ESTIMATED_EMAILS)
  @IsString({ each: true })
  @MaxLength(MAX_ESTIMATED_LENGTH, { each: true })
  readonly emails?: readonly string[] | null;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_ESTIMATED_COUNT,
    nullable: true,
    description: 'How many addresses; without effect beside `emails`.',
  })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_ESTIMATED_COUNT)
  readonly count?: number | null;
}
