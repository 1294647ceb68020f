import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import { AppError } from '../../platform/errors/app-error.js';
import { ERROR_CATALOG, type ErrorCode } from '../../platform/errors/error-catalog.js';
import { errorReply } from '../../platform/errors/fault.js';

/** A reply as it went out the first time. */
export interface KeptReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Refusals that are the work's own answer: the same request gets the same again. A 402 is not; a grant changes it. */
const FINAL_STATUSES: readonly number[] = [403, 404, 409];

/** The reply to keep for an error of the work; null when another try may end differently. */
export function finalRefusal(error: unknown, requestId: string): KeptReply | null {
  if (!(error instanceof AppError) || error.details.retryAfterSeconds !== undefined) return null;
  const { status, headers, body } = errorReply(error, requestId, true);
  return FINAL_STATUSES.includes(status) ? { status, headers, body: JSON.stringify(body) } : null;
}

/** The error that is answered with exactly the kept reply. */
export function refusalOf({ headers, body }: KeptReply, further: Readonly<Record<string, string>>): AppError {
  const { error, code, success: _, ...rest } = JSON.parse(body) as { error: string; code: string; success: false };
  const known: ErrorCode = code in ERROR_CATALOG ? (code as ErrorCode) : 'internal_error';
  return new AppError(known, { message: error, headers: { ...headers, ...further }, body: rest });
}

/* A reply may hold what is shown only once (the token of a new key) and the addresses of others, so a copy of the database must not tell it. */
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param secret known to the caller alone: a replay brings it again */
export function seal(reply: KeptReply, secret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, hash('sha256', secret, 'buffer'), nonce);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(reply)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

export function unseal(sealed: Buffer, secret: string): KeptReply {
  const decipher = createDecipheriv(ALGORITHM, hash('sha256', secret, 'buffer'), sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  return JSON.parse(text.toString()) as KeptReply;
}
