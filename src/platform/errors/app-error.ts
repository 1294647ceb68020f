import type { ErrorCode } from './error-catalog.js';

export interface FieldError {
  /** Path of the field, such as `emails[3]`. */
  readonly field: string;
  readonly error: string;
}

export interface AppErrorDetails {
  /** Replaces the catalogue's sentence where this case can be told better. */
  readonly message?: string;
  /** For 422: what is wrong with which field. */
  readonly fields?: readonly FieldError[];
  /** Whole seconds until another try makes sense; becomes `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Further members of the body, such as `required` and `remaining` of a 402. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Further headers of the reply, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The fault underneath: logged, never shown. */
  readonly cause?: unknown;
}

/** A fault that the caller is told of: a code of the catalogue, which knows status and text. */
export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly details: AppErrorDetails = {},
  ) {
    super(details.message ?? code, { cause: details.cause });
    this.name = 'AppError';
  }
}
