import { Param } from '@nestjs/common';
import { AppError } from '../errors/app-error.js';
import type { ErrorCode } from '../errors/error-catalog.js';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Refuses a text that is no UUID like an unknown id. @throws AppError `refusal` */
export function readUuid(text: string, refusal: ErrorCode): string {
  if (!UUID.test(text)) throw new AppError(refusal);
  return text;
}

/** The `:id` of a route, a UUID. */
export const UuidParam = (refusal: ErrorCode): ParameterDecorator =>
  Param('id', { transform: (text: string) => readUuid(text, refusal) });
