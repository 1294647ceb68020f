import { Param } from '@nestjs/common';
import { AppError } from '../errors/app-error.js';
import type { ErrorCode } from '../errors/error-catalog.js';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const BATCH_ID = /^[1-9]\d{0,14}$/;

/** What is no id names nothing of ours, so it is refused as what is not there. @throws AppError `refusal` */
export function readUuid(text: string, refusal: ErrorCode): string {
  if (!UUID.test(text)) throw new AppError(refusal);
  return text;
}

/** Of a batch or of the list that it becomes. @throws AppError `refusal` */
export function readBatchId(text: string, refusal: ErrorCode): number {
  if (!BATCH_ID.test(text)) throw new AppError(refusal);
  return Number(text);
}

/** The `:id` of a route, a UUID. */
export const UuidParam = (refusal: ErrorCode): ParameterDecorator =>
  Param('id', { transform: (text: string) => readUuid(text, refusal) });

/** The `:id` of a route, a batch's. */
export const BatchIdParam = (refusal: ErrorCode = 'batch_not_found'): ParameterDecorator =>
  Param('id', { transform: (text: string) => readBatchId(text, refusal) });
