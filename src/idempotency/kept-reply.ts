import { AppError } from '../platform/errors/app-error.js';
import { ERROR_CATALOG, type ErrorCode } from '../platform/errors/error-catalog.js';
import { errorReply } from '../platform/errors/error-reply.js';

/** The first reply to a request. */
export interface KeptReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Statuses of refusals that the work itself decides, so that a repeated request gets them again. A 402 is none of them, because a
 * grant changes it.
 */
const FINAL_STATUSES: readonly number[] = [403, 404, 409];

/** The reply to keep for an error of the work; null when another try may end differently. */
export function finalRefusal(error: unknown, requestId: string): KeptReply | null {
  if (!(error instanceof AppError) || error.details.retryAfterSeconds !== undefined) return null;
  const { status, headers, body } = errorReply(error, requestId, true);
  return FINAL_STATUSES.includes(status) ? { status, headers, body: JSON.stringify(body) } : null;
}

/** An error that is answered with exactly the kept reply. */
export function refusalOf({ headers, body }: KeptReply, further: Readonly<Record<string, string>>): AppError {
  const { error, code, success: _, ...rest } = JSON.parse(body) as { error: string; code: string; success: false };
  const known: ErrorCode = code in ERROR_CATALOG ? (code as ErrorCode) : 'internal_error';
  return new AppError(known, { message: error, headers: { ...headers, ...further }, body: rest });
}

/** Members of replies that show a secret, which only the key that asked for it may see. */
export const SECRET_MEMBERS: readonly string[] = ['api_key', 'claim_token', 'secret'];

/** The reply as another key of the account may see it: byte for byte the same where it shows no secret. */
export function withoutSecrets(reply: KeptReply): KeptReply {
  if (reply.body === '') return reply;
  const body: unknown = JSON.parse(reply.body, (name, value: unknown) =>
    typeof value === 'string' && SECRET_MEMBERS.includes(name) ? null : value,
  );
  return { ...reply, body: JSON.stringify(body) };
}
