import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, ArrayUnique, IsArray, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { IsTime } from '../platform/http/time.js';
import { GRACE_SECONDS } from './key-issuer.js';

/** The fields of a key that its owner and an administrator set alike. */

export const OptionalTime = (description: string): PropertyDecorator =>
  applyDecorators(ApiPropertyOptional({ type: String, format: 'date-time', description }), IsOptional(), IsTime());

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

/** @param every the permissions that a key of the kind can have */
export const OptionalPermissions = (every: readonly string[]): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      enum: every,
      isArray: true,
      minItems: 1,
      uniqueItems: true,
      description: 'What the key may do; all when left out.',
    }),
    IsOptional(),
    IsArray(),
    ArrayNotEmpty(),
    ArrayMaxSize(every.length),
    ArrayUnique(),
    IsIn(every, { each: true }),
  );

/** @param text an RFC 3339 time, checked at the edge */
export function timeOrNull(text: string | null | undefined): Date | null {
  return text ? new Date(text) : null;
}
