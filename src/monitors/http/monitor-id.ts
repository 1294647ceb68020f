import { Param } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import type { ErrorCode } from '../../platform/errors/error-catalog.js';

const ID = /^[1-9]\d{0,14}$/;

/** @throws AppError `refusal` for a text that is no id */
export function readId(text: string, refusal: ErrorCode): number {
  if (!ID.test(text)) throw new AppError(refusal);
  return Number(text);
}

/** The `:id` of a route of monitors. */
export const MonitorIdParam = (): ParameterDecorator =>
  Param('id', { transform: (text: string) => readId(text, 'monitor_not_found') });
