import { AppError } from '../../platform/errors/app-error.js';

const ID = /^[1-9]\d{0,14}$/;

/** The parameter of a route, as documents have it. */
export const MONITOR = { name: 'id', schema: { type: 'integer', format: 'int64', minimum: 1 } } as const;

/** @throws AppError `monitor_not_found` for what is no id */
export function readMonitorId(text: string): number {
  if (!ID.test(text)) throw new AppError('monitor_not_found');
  return Number(text);
}
