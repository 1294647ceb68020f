import type { ErrorCode } from './error-catalog.js';

export interface FieldError {
  /** Path of the field, such as `emails[3]`. */
  readonly field: string;
  readonly error: string;
}

interface AppErrorDetails {
  /** A sentence in place of the catalogue's, when it explains the case better. */
  readonly message?: string;
  /** The faults by field, for 422. */
  readonly fields?: readonly FieldError[];
  /** Seconds until another try makes sense; rounded up, at least 1, it becomes `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Further members of the body, such as `required` and `remaining` of a 402. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Further headers of the reply, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The fault underneath: logged, never shown. */
  readonly cause?: unknown;
}

/** A fault that the caller learns of: a code of the catalogue, which has its status and text. */
export class AppError extends Error {
  readonly details: AppErrorDetails;

  constructor(
    readonly code: ErrorCode,
    details: AppErrorDetails = {},
  ) {
    super(details.message ?? code, { cause: details.cause });
    this.name = 'AppError';
    const { retryAfterSeconds: seconds } = details;
    this.details = seconds === undefined ? details : { ...details, retryAfterSeconds: Math.max(1, Math.ceil(seconds)) };
  }
}

/** Fields that one refusal names: more would only make it as long as the request. */
export const MAX_FIELD_ERRORS = 100;

/** Refuses the value of one field: `email` and `must not be empty`. */
export function invalidField(field: string, error: string): AppError {
  return new AppError('invalid_input', { fields: [{ field, error: `${field} ${error}` }] });
}
