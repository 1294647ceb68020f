import { AppError, invalidField } from '../platform/errors/app-error.js';
import { counted } from '../platform/counted.js';

/** More than any work costs, and within the integers of every column. */
export const MAX_MAX_CREDITS = 1_000_000_000;

/** `max_credits` for the documents of bodies that no class checks. */
export const MAX_CREDITS = {
  type: 'integer',
  minimum: 0,
  maximum: MAX_MAX_CREDITS,
  nullable: true,
  description: 'When the work may cost more, it is refused with 402 `ceiling_reached` before anything is done.',
} as const;

/**
 * `max_credits` of a JSON body that no class checks.
 * @returns null when the caller has left it out
 * @throws AppError `invalid_input`
 */
export function readMaxCredits(value: unknown): number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_MAX_CREDITS) return value;
  throw invalidField('max_credits', `must be a whole number from 0 to ${MAX_MAX_CREDITS}`);
}

/** Refuses work that may cost more than its caller allows. @throws AppError `ceiling_reached` */
export function checkMaxCredits(requiredCredits: number, maxCredits: number | null = null): void {
  if (maxCredits === null || requiredCredits <= maxCredits) return;
  const message = `The work may cost ${counted(requiredCredits, 'credit')}, and max_credits allows ${maxCredits}.`;
  throw new AppError('ceiling_reached', { message, body: { required: requiredCredits } });
}

export function isDigits(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,10}$/.test(value);
}
