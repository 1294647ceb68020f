import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  buildMessage,
  isRFC3339,
} from 'class-validator';

/** PostgreSQL's `text` holds every character but NUL, its `jsonb` no half of a surrogate pair either. */
const STORABLE = /^[^\0\p{Cs}]*$/u;
export const NOT_STORABLE = 'must not contain NUL characters or halves of surrogate pairs';

export function isStorable(text: string): boolean {
  return STORABLE.test(text);
}

/** Text that is stored as it was sent. */
const StoredText = (maxCharacters: number): PropertyDecorator =>
  applyDecorators(IsString(), MaxLength(maxCharacters), Matches(STORABLE, { message: `$property ${NOT_STORABLE}` }));

export const OptionalText = (maxCharacters: number, description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, maxLength: maxCharacters, description }),
    IsOptional(),
    StoredText(maxCharacters),
  );

export const RequiredText = (maxCharacters: number): PropertyDecorator =>
  applyDecorators(ApiProperty({ minLength: 1, maxLength: maxCharacters }), IsNotEmpty(), StoredText(maxCharacters));

/** Text that is not stored, which may be left out. */
export const OptionalString = (maxCharacters: number, documented: ApiPropertyOptions): PropertyDecorator =>
  applyDecorators(MaxLength(maxCharacters), IsString(), IsOptional(), ApiPropertyOptional(documented));

/** The id of a thing in a query, which may be left out. */
export const OptionalUuid = (documented: Documented = {}): PropertyDecorator =>
  applyDecorators(ApiPropertyOptional({ format: 'uuid', ...documented }), IsOptional(), IsUUID());

/** RFC 3339 has leap seconds and years before the first, which `Date` or PostgreSQL do not take. */
function isTime(value: unknown): boolean {
  return isRFC3339(value) && new Date(value as string).getTime() >= 0;
}

export const IsTime = (): PropertyDecorator =>
  ValidateBy({
    name: 'isTime',
    validator: {
      validate: isTime,
      defaultMessage: () => '$property must be a time such as 2027-01-31T12:00:00Z',
    },
  });

/** A day that the calendar has, from 1970 on. */
function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^(19[7-9]|[2-9]\d\d)\d-\d\d-\d\d$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

/** A day (UTC) that a query may name. */
export const OptionalDay = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, format: 'date', example: '2026-11-01', description }),
    IsOptional(),
    ValidateBy({
      name: 'isDay',
      validator: { validate: isDay, defaultMessage: () => '$property must be a day such as 2027-01-31' },
    }),
  );

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
  readonly format?: string;
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

/** Several texts, at least one, which may be left out. @param items the schema of each, which the caller checks */
export const OptionalTexts = (items: object, maxItems: number, documented: Documented): PropertyDecorator =>
  applyDecorators(
    ArrayMaxSize(maxItems),
    ArrayNotEmpty(),
    IsArray(),
    IsOptional(),
    ApiPropertyOptional({ type: 'array', items, minItems: 1, maxItems, ...documented }),
  );

/**
 * A whole number of a query, where numbers are text, which may be left out.
 * @param read gives what is no number of the query back as it is
 */
export const IntegerInQuery = (range: Range, read: (text: string) => unknown = numberOf): PropertyDecorator =>
  applyDecorators(
    OptionalInteger(range),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? read(value) : value)),
  );

function numberOf(text: string): unknown {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

/** One of these values, which may be left out. */
export const OptionalOneOf = (values: readonly string[], documented: Documented = {}): PropertyDecorator =>
  applyDecorators(IsIn(values), IsOptional(), ApiPropertyOptional({ enum: values, ...documented }));

/** Some of these values, one at least, which may be left out. */
export const OptionalSomeOf = (
  values: readonly string[],
  maxItems: number,
  documented: Documented,
): PropertyDecorator =>
  applyDecorators(
    IsIn(values, { each: true }),
    ArrayMaxSize(maxItems),
    ArrayNotEmpty(),
    IsArray(),
    IsOptional(),
    ApiPropertyOptional({ enum: values, isArray: true, minItems: 1, maxItems, ...documented }),
  );

/** A boolean of a body, which may be left out. */
export const OptionalFlag = (documented: Documented): PropertyDecorator =>
  applyDecorators(IsBoolean(), IsOptional(), ApiPropertyOptional({ type: Boolean, ...documented }));

/** A time of a body, which may be left out. */
export const OptionalTime = (documented: Documented): PropertyDecorator =>
  applyDecorators(IsTime(), IsOptional(), ApiPropertyOptional({ type: String, format: 'date-time', ...documented }));

/** `true` or `false` in a query; `false` when left out. */
export const OptionalBoolean = (description: string): PropertyDecorator =>
  applyDecorators(
    IsIn(['true', 'false'], { message: '$property must be true or false' }),
    IsOptional(),
    ApiPropertyOptional({ type: Boolean, default: false, description }),
  );
