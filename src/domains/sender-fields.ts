import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsOptional, IsString, Matches, MaxLength } from 'class-validator';

/** Selectors, addresses or areas that somebody may name of one domain. */
export const MAX_NAMED = 20;
const SELECTOR = '^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9_])?$';

interface Documented {
  readonly description: string;
  /** Whether null is documented, which takes away what was chosen before. */
  readonly nullable?: true;
}

/** Selectors of the DKIM keys of a domain. */
export const OptionalSelectors = (documented: Documented): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'array',
      items: { type: 'string', pattern: SELECTOR, maxLength: 63 },
      maxItems: MAX_NAMED,
      ...documented,
    }),
    IsOptional(),
    IsArray(),
    ArrayMaxSize(MAX_NAMED),
    Matches(new RegExp(SELECTOR), { each: true, message: '$property must be names such as s1' }),
  );

/** Addresses that send the mail of a domain; `readSenders` says which of them are none. */
export const OptionalSenders = (documented: Partial<Documented> = {}): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 100 },
      maxItems: MAX_NAMED,
      description: 'IPv4 and IPv6 addresses that send its mail.',
      ...documented,
    }),
    IsOptional(),
    IsArray(),
    ArrayMaxSize(MAX_NAMED),
    IsString({ each: true }),
    MaxLength(100, { each: true }),
  );
