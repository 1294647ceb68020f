import { isIP } from 'node:net';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength, ValidateBy } from 'class-validator';
import { MaxCreditsInQuery, OptionalMaxCredits } from '../../credits/max-credits.decorator.js';
import { PageQuery } from '../../platform/http/page.js';
import { OptionalInteger, OptionalOneOf, OptionalText } from '../../platform/http/fields.js';
import { TEST_STATES, type TestState, type SeedSelection } from './placement-test.js';
import { ID_SCHEMA } from '../../platform/http/ids.js';

const PROVIDER = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MAX_PROVIDERS = 50;
export const DEFAULT_SETTLE_MINUTES = 30;
export const DEFAULT_EXPIRES_MINUTES = 60;
const MAX_MINUTES = 1_440;

function isSeeds(value: unknown): boolean {
  if (value === 'all' || value === 'none') return true;
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MAX_PROVIDERS &&
    value.every((one) => typeof one === 'string' && one.length <= 40 && PROVIDER.test(one))
  );
}

const Minutes = (fallback: number, description: string): PropertyDecorator =>
  OptionalInteger({ minimum: 1, maximum: MAX_MINUTES, default: fallback, description });

export class PlacementTestRequest {
  @OptionalText(200, 'In test mode some names are played: `all-inbox`, `gmail-spam`, `promotions`, `missing`, …')
  readonly name?: string | null;

  @ApiPropertyOptional({
    oneOf: [
      { type: 'string', enum: ['all', 'none'] },
      {
        type: 'array',
        minItems: 1,
        maxItems: MAX_PROVIDERS,
        items: { type: 'string', pattern: PROVIDER.source, maxLength: 40 },
      },
    ],
    default: 'all',
    description: 'Mailboxes beside our own: all that can be used now, none, or those of some providers.',
  })
  @IsOptional()
  @ValidateBy({
    name: 'isSeeds',
    validator: {
      validate: isSeeds,
      defaultMessage: () => `$property must be all, none, or 1 to ${MAX_PROVIDERS} names such as gmail`,
    },
  })
  readonly seeds?: SeedSelection | null;

  @Minutes(DEFAULT_SETTLE_MINUTES, 'So long after the first arrival what has not come is missing.')
  readonly settle_minutes?: number | null;

  @Minutes(DEFAULT_EXPIRES_MINUTES, 'So long the first arrival is waited for.')
  readonly expires_minutes?: number | null;

  @OptionalMaxCredits()
  readonly max_credits?: number | null;
}

export class PlacementTestsQuery extends PageQuery {
  @OptionalOneOf(TEST_STATES, { description: 'Only tests in this state.' })
  readonly status?: TestState;
}

export class PlacementDiffQuery {
  @ApiProperty({ ...ID_SCHEMA, description: 'The test that it is compared with.' })
  // The service asks for it: whose test it is not is told nothing else.
  @IsOptional()
  @IsString()
  @MaxLength(20)
  readonly to?: string;
}

export class AnalyzeQuery {
  @ApiPropertyOptional({
    maxLength: 45,
    description: 'The IP address from which it was sent, for SPF and block lists.',
  })
  @IsOptional()
  @ValidateBy({
    name: 'isAddress',
    validator: {
      validate: (value) => typeof value === 'string' && !value.includes('%') && isIP(value) !== 0,
      defaultMessage: () => '$property must be an IP address',
    },
  })
  readonly client_address?: string;

  @OptionalText(253, 'What the client called itself in HELO or EHLO.')
  readonly helo?: string;

  @OptionalText(320, 'The address of MAIL FROM; without one that of Return-Path is not used either.')
  readonly mail_from?: string;

  @MaxCreditsInQuery()
  readonly max_credits?: number;
}
