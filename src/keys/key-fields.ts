import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
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

/** @param text an RFC 3339 time, checked at the edge */
export function timeOrNull(text: string | null | undefined): Date | null {
  return text ? new Date(text) : null;
}
