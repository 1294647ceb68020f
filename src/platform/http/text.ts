import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsOptional, IsString, Matches, MaxLength, buildMessage, ValidateBy } from 'class-validator';

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
