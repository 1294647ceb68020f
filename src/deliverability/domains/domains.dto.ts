import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength, MinLength } from 'class-validator';
import { OptionalMaxCredits } from '../../credits/max-credits.decorator.js';
import { FINDING_AREAS, type FindingArea } from '../../engine/domain/finding.js';
import { PageQuery } from '../../platform/http/page.js';
import { MAX_NAMED, OptionalSelectors, OptionalSenders } from './sender-fields.js';
import { OptionalInteger, OptionalSomeOf } from '../../platform/http/fields.js';

export const DEFAULT_CHECK_MS = 15_000;
const MAX_CHECK_MS = 30_000;
const MAX_DOMAIN = 1_000;

export class DomainCheckRequest {
  @ApiProperty({ minLength: 1, maxLength: MAX_DOMAIN, example: 'example.com' })
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_DOMAIN)
  readonly domain: string;

  @OptionalSelectors({
    description: 'Selectors of its DKIM keys; without one those that mail services use are looked for.',
  })
  readonly dkim_selectors?: readonly string[] | null;

  @OptionalSenders()
  readonly sending_addresses?: readonly string[] | null;

  @OptionalSomeOf(FINDING_AREAS, MAX_NAMED, {
    description:
      'Only findings and records of these; mail hosts, web servers and registries are asked only for these, and the DNS whatever they are.',
  })
  readonly checks?: readonly FindingArea[] | null;

  @OptionalInteger({
    minimum: 1000,
    maximum: MAX_CHECK_MS,
    default: DEFAULT_CHECK_MS,
    description: 'Milliseconds; what nobody has answered by then is `unanswered`, and no finding.',
  })
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
