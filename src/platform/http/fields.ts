import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { buildMessage, IsIn, IsInt, IsOptional, Max, Min, ValidateBy } from 'class-validator';

/** No item of a list twice. class-validator's own `ArrayUnique` takes the square of the list's length, also of a list that is too long. */
export function UniqueItems(): PropertyDecorator {
  return ValidateBy({
    name: 'arrayUnique',
    validator: {
      validate: (value: unknown) => Array.isArray(value) && new Set(value).size === value.length,
      defaultMessage: buildMessage((each) => `${each}All $property's elements must be unique`),
    },
  });
}

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
