import { buildMessage, ValidateBy } from 'class-validator';

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
