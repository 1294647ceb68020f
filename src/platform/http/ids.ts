import { AppError } from '../errors/app-error.js';
import type { ErrorCode } from '../errors/error-catalog.js';

/** How the documents describe an id that is a number. */
export const ID_SCHEMA = { type: 'integer', format: 'int64', minimum: 1 } as const;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A number that both JavaScript and PostgreSQL hold exactly, in the one form in which it is written. */
export const NUMBER_PATTERN = '^[1-9][0-9]{0,15}$';
const NUMBER = new RegExp(NUMBER_PATTERN);

/** @returns null for a text that is no such id */
export function numberIn(text: string): number | null {
  return NUMBER.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;
}

/** Refuses a text that is no id like an unknown id. @throws AppError `refusal` */
export function readId(text: string, refusal: ErrorCode): number {
  const id = numberIn(text);
  if (id === null) throw new AppError(refusal);
  return id;
}

/** Refuses a text that is no UUID like an unknown id. @throws AppError `refusal` */
export function readUuid(text: string, refusal: ErrorCode): string {
  if (!UUID.test(text)) throw new AppError(refusal);
  return text;
}
