import { STATUS_CODES } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { AppError } from '../errors/app-error.js';
import { errorReply } from '../errors/error-reply.js';

/** The reply to a connection that has no request to answer, after which it ends. */
export function rawReply(error: AppError): string {
  const requestId = requestIdFrom(undefined);
  const { status, headers, body } = errorReply(error, requestId, false);
  const text = JSON.stringify(body);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    text,
  ].join('\r\n');
}

/**
 * The caller's request id when it is 1 to 128 letters, digits or `-_.:/+=`, else a new one: the log holds it, and a caller may write an
 * email address where no `@` or percent-encoding is refused.
 */
export function requestIdFrom(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[\w.:/+=-]{1,128}$/.test(header) ? header : randomUUID();
}
