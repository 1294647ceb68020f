import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsRFC3339, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { GRACE_SECONDS } from './keys.service.js';

/** PostgreSQL's text holds every character but this one. */
const WITHOUT_NUL = /^[^\0]*$/;

/** What is said of a key by its owner and by an administrator alike. */

export const OptionalText = (mostCharacters: number, description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, maxLength: mostCharacters, description }),
    IsOptional(),
    IsString(),
    MaxLength(mostCharacters),
    Matches(WITHOUT_NUL, { message: 'must not contain NUL characters' }),
  );

export const OptionalTime = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, format: 'date-time', description }),
    IsOptional(),
    IsRFC3339({ message: 'must be a time such as 2027-01-31T12:00:00Z' }),
  );

export const OptionalGrace = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'integer',
      minimum: 0,
      maximum: GRACE_SECONDS.most,
      default: GRACE_SECONDS.default,
      description: 'How long the old key keeps working.',
    }),
    IsOptional(),
    IsInt(),
    Min(0),
    Max(GRACE_SECONDS.most),
  );

/** @param text an RFC 3339 time, checked at the edge */
export function timeOrNull(text: string | null | undefined): Date | null {
  return text ? new Date(text) : null;
}
