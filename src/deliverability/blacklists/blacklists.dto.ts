import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsString, MaxLength } from 'class-validator';
import { OptionalMaxCredits } from '../../credits/max-credits.decorator.js';
import { OptionalInteger, OptionalTexts } from '../../platform/http/fields.js';

/** No plan allows more. */
export const MAX_TARGETS = 25;
const MAX_LISTS = 50;
export const DEFAULT_CHECK_MS = 10_000;
const MAX_CHECK_MS = 30_000;

export class BlacklistCheckRequest {
  @ApiProperty({
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 1000 },
    minItems: 1,
    maxItems: MAX_TARGETS,
    description: 'IPv4 and IPv6 addresses and domains.',
  })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_TARGETS)
  @IsString({ each: true })
  @MaxLength(1000, { each: true })
  readonly targets: readonly string[];

  @OptionalTexts({ type: 'string', minLength: 1, maxLength: 60 }, MAX_LISTS, {
    description: 'Only these lists, by their ids.',
  })
  @IsString({ each: true })
  @MaxLength(60, { each: true })
  readonly lists?: readonly string[] | null;

  @OptionalInteger({
    minimum: 1000,
    maximum: MAX_CHECK_MS,
    default: DEFAULT_CHECK_MS,
    description: 'Milliseconds; lists that have not answered by then are `no_answer`.',
  })
  readonly timeout_ms?: number | null;

  @OptionalMaxCredits()
  readonly max_credits?: number | null;
}
