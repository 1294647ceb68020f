import { AppError, invalidField } from '../../platform/errors/app-error.js';
import type { StreamedRequest } from '../../platform/http/caller-stream.js';

/** As our receiver takes. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

export const MESSAGE_TYPE = 'message/rfc822';
const TYPES: readonly string[] = [MESSAGE_TYPE, 'text/plain', 'application/octet-stream', ''];

/**
 * The message that a request carries.
 * @throws AppError `unsupported_media_type`, `body_too_large`, `invalid_input` for none
 */
export async function readRawMessage({ body, sentContentType }: StreamedRequest): Promise<Buffer> {
  const type = (sentContentType.split(';')[0] ?? '').trim().toLowerCase();
  if (!TYPES.includes(type)) throw new AppError('unsupported_media_type');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_MESSAGE_BYTES) throw new AppError('body_too_large');
    chunks.push(chunk);
  }
  if (size === 0) throw invalidField('body', 'must be a message');
  return Buffer.concat(chunks);
}
