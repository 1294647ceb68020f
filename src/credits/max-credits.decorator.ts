import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { isDigits, MAX_CREDITS, MAX_MAX_CREDITS } from './max-credits.js';

/** `max_credits` of a JSON body. */
export const OptionalMaxCredits = (): PropertyDecorator =>
  applyDecorators(ApiPropertyOptional(MAX_CREDITS), IsOptional(), IsInt(), Min(0), Max(MAX_MAX_CREDITS));

/** `max_credits` of a query, where numbers are text. */
export const MaxCreditsInQuery = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ ...MAX_CREDITS, nullable: false }),
    Transform(({ value }: { value: unknown }) => (isDigits(value) ? Number(value) : value)),
    IsOptional(),
    IsInt(),
    Min(0),
    Max(MAX_MAX_CREDITS),
  );
