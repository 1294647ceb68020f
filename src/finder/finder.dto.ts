import { ApiPropertyOptional, ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { OptionalMaxCredits } from '../credits/max-credits.decorator.js';
import { OptionalInteger } from '../platform/http/fields.js';

export const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_NAME = 200;

export class FindEmailRequest {
  @ApiPropertyOptional({
    type: String,
    maxLength: MAX_NAME,
    example: 'Jane',
    description: 'Together with `last_name`.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_NAME)
  readonly first_name?: string | null;

  @ApiPropertyOptional({ type: String, maxLength: MAX_NAME, example: 'Doe' })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_NAME)
  readonly last_name?: string | null;

  @ApiPropertyOptional({
    type: String,
    maxLength: MAX_NAME,
    example: 'Jane Doe',
    description: 'Instead of the two, in any script: titles, suffixes and the order of names are understood.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_NAME)
  readonly full_name?: string | null;

  @ApiProperty({
    maxLength: 2048,
    example: 'example.com',
    description: 'Where the person works; a web address or an email address is reduced to its domain.',
  })
  @IsString()
  @MaxLength(2048)
  readonly domain: string;

  @OptionalInteger({
    minimum: 1000,
    maximum: 60_000,
    default: DEFAULT_TIMEOUT_MS,
    description: 'Milliseconds; when they run out the answer is the best guess so far, as `unknown`.',
  })
  readonly timeout_ms?: number | null;

  @OptionalMaxCredits()
  readonly max_credits?: number | null;
}
