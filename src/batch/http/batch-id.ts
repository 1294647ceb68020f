import { Param } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import type { ErrorCode } from '../../platform/errors/error-catalog.js';

/** The schema of an id of a batch. */
export const BATCH_ID_SCHEMA = { type: 'integer', format: 'int64', minimum: 1 } as const;

const BATCH_ID = /^[1-9]\d{0,14}$/;

/** The id of a batch, or of the list that a batch becomes. @throws AppError `refusal` for a text that is no id */
export function readBatchId(text: string, refusal: ErrorCode): number {
  if (!BATCH_ID.test(text)) throw new AppError(refusal);
  return Number(text);
}

/** The `:id` of a route of batches. */
export const BatchIdParam = (refusal: ErrorCode = 'batch_not_found'): ParameterDecorator =>
  Param('id', { transform: (text: string) => readBatchId(text, refusal) });
