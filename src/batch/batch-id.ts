import { AppError } from '../platform/errors/app-error.js';

/** @throws AppError `batch_not_found` for what is no id of ours */
export function batchId(text: string): number {
  if (/^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new AppError('batch_not_found');
}
