import { HttpException } from '@nestjs/common';
import { AppError } from './app-error.js';
import { ERROR_CATALOG, type ErrorCode } from './error-catalog.js';
import { isContention, isOutage } from './outage.js';

/** Errors that Nest and Fastify raise on their own, by their status. */
const CODE_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_input',
  // The error of the static files of `/docs` for a path that leads out of them.
  403: 'not_found',
  404: 'not_found',
  405: 'method_not_allowed',
  // A precondition or a range that no page of `/docs` meets.
  412: 'malformed_header',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  416: 'malformed_header',
  422: 'invalid_input',
  429: 'rate_limited',
  503: 'unavailable',
};

/* The `Retry-After` of an outage: long enough for a restart of PostgreSQL or Redis, short enough not to keep callers away. */
const OUTAGE_RETRY_SECONDS = 5;
const CONTENTION_RETRY_SECONDS = 1;

/** Who took a wrong way finds the right one in the text for programs (RFC 8288). */
const HELP_LINK = '</llms.txt>; rel="help"';

/** Turns every error into one of the catalogue; an unknown one becomes `internal_error` with the error as its cause. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof HttpException) {
    const code = CODE_BY_STATUS[error.getStatus()];
    if (code) return new AppError(code, { cause: error });
  }
  if (isOutage(error)) return new AppError('unavailable', { retryAfterSeconds: OUTAGE_RETRY_SECONDS, cause: error });
  if (isContention(error))
    return new AppError('unavailable', { retryAfterSeconds: CONTENTION_RETRY_SECONDS, cause: error });
  return new AppError('internal_error', { cause: error });
}

interface ErrorReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * The reply to an error (docs/errors.md).
 * @param keySent whether the request carried a key: by RFC 6750 section 3.1 the challenge has no error code otherwise
 */
export function errorReply({ code, details }: AppError, requestId: string, keySent: boolean): ErrorReply {
  const [status, sentence] = ERROR_CATALOG[code];
  const text = details.message ?? sentence;
  const headers: Record<string, string> = { ...details.headers };
  if (details.retryAfterSeconds !== undefined) headers['Retry-After'] = String(details.retryAfterSeconds);
  if (status === 404) headers['Link'] ??= HELP_LINK;
  if (status === 401) headers['WWW-Authenticate'] = challenge(text, keySent);
  return {
    status,
    headers,
    body: {
      success: false,
      error: text,
      code,
      request_id: requestId,
      ...(details.fields && { fields: details.fields }),
      ...details.body,
    },
  };
}

function challenge(text: string, keySent: boolean): string {
  const realm = 'Bearer realm="mailsonde"';
  if (!keySent) return realm;
  // The text of a challenge's description, without quotes, backslashes and letters beyond ASCII (RFC 6750 section 3).
  return `${realm}, error="invalid_token", error_description="${text.replace(/[^\x20-\x7e]|["\\]/g, "'")}"`;
}
