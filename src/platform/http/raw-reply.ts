import { STATUS_CODES } from 'node:http';
import type { AppError } from '../errors/app-error.js';
import { errorReply } from '../errors/error-reply.js';
import { requestIdFrom } from '../logging/trace.js';

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
