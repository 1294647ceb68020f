import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';

interface Documented {
  readonly description?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly example?: unknown;
}

interface Range extends Documented {
  readonly minimum: number;
  readonly maximum: number;
}

/** A whole number of a body that may be left out, or be null. */
export const OptionalInteger = (range: Range): PropertyDecorator =>
  applyDecorators(
    Max(range.maximum),
    Min(range.minimum),
    IsInt(),
    IsOptional(),
    ApiPropertyOptional({ type: 'integer', ...range }),
  );

/** One of these values, which may be left out. */
export const OptionalOneOf = (values: readonly string[], documented: Documented = {}): PropertyDecorator =>
  applyDecorators(IsIn(values), IsOptional(), ApiPropertyOptional({ enum: values, ...documented }));

/** `true` or `false` in a query; `false` when left out. */
export const OptionalTruth = (description: string): PropertyDecorator =>
  applyDecorators(
    IsIn(['true', 'false'], { message: '$property must be true or false' }),
    IsOptional(),
    ApiPropertyOptional({ type: Boolean, default: false, description }),
  );
