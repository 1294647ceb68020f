import { AppError } from '../platform/errors/app-error.js';

/** 1 to 255 visible ASCII characters. */
export const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;
/** A string of RFC 8941 section 3.3.3, as draft-ietf-httpapi-idempotency-key-header spells the field. */
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;

/**
 * The key of an `Idempotency-Key` field: bare or quoted, 1 to 255 visible ASCII characters.
 * @throws AppError `malformed_header`
 */
export function parseIdempotencyKey(field: string | readonly string[]): string {
  const text = [field].flat().join(', ').trim();
  const quoted = QUOTED.exec(text)?.[1];
  const key = quoted === undefined ? text : quoted.replace(/\\(.)/g, '$1');
  if (KEY_PATTERN.test(key) && (quoted !== undefined || !text.startsWith('"'))) return key;
  throw new AppError('malformed_header', {
    message: 'Idempotency-Key must be 1 to 255 visible ASCII characters, bare or in double quotes.',
  });
}
