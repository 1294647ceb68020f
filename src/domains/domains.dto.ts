import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { OptionalMaxCredits } from '../credits/max-credits.decorator.js';
import { FINDING_AREAS, type FindingArea } from '../engine/domain/finding.js';
import { PageQuery } from '../platform/http/page.js';

const MAX_NAMED = 20;
export const DEFAULT_CHECK_MS = 15_000;
const MAX_CHECK_MS = 30_000;
const MAX_DOMAIN = 1_000;
const SELECTOR = '^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9_])?$';

export class DomainCheckRequest {
  @ApiProperty({ minLength: 1, maxLength: MAX_DOMAIN, example: 'example.com' })
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_DOMAIN)
  readonly domain: string;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', pattern: SELECTOR, maxLength: 63 },
    maxItems: MAX_NAMED,
    description: 'Selectors of its DKIM keys; without one those that mail services use are looked for.',
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_NAMED)
  @Matches(new RegExp(SELECTOR), { each: true, message: '$property must be names such as s1' })
  readonly dkim_selectors?: readonly string[] | null;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 100 },
    maxItems: MAX_NAMED,
    description: 'IPv4 and IPv6 addresses that send its mail.',
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_NAMED)
  @IsString({ each: true })
  @MaxLength(100, { each: true })
  readonly sending_addresses?: readonly string[] | null;

  @ApiPropertyOptional({
    enum: FINDING_AREAS,
    isArray: true,
    minItems: 1,
    maxItems: MAX_NAMED,
    description:
      'Only findings and records of these; mail hosts, web servers and registries are asked only for these, and the DNS whatever they are.',
  })
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_NAMED)
  @IsIn(FINDING_AREAS, { each: true })
  readonly checks?: readonly FindingArea[] | null;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1000,
    maximum: MAX_CHECK_MS,
    default: DEFAULT_CHECK_MS,
    description: 'Milliseconds; what nobody has answered by then is `unanswered`, and no finding.',
  })
  @IsOptional()
  @IsInt()
  @Min(1000)
  @Max(MAX_CHECK_MS)
  readonly timeout_ms?: number | null;

  @OptionalMaxCredits()
  readonly max_credits?: number | null;
}

export class DomainChecksQuery extends PageQuery {
  @ApiPropertyOptional({ minLength: 1, maxLength: MAX_DOMAIN, description: 'Only checks of this domain.' })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_DOMAIN)
  readonly domain?: string;
}
