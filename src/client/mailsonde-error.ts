/** What one refusal is made of. */
export interface Refusal {
  /** Stable: decide by it. One of the service's, or one of the client's own: `unreachable`, `unreadable_reply`, `batch_held`, `webhook_…`. */
  readonly code: string;
  /** A sentence for people. */
  readonly message: string;
  /** Of HTTP; 0 where there was no reply. */
  readonly status?: number;
  /** The name of the request in the service's log. */
  readonly requestId?: string | null;
  /** After this time the same request may succeed; null where waiting does not help. */
  readonly retryAfterMs?: number | null;
  /** The body of the reply, with what an error adds to it, such as `required` or `fields`. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The one error of this client: what the service refused, or that there was no reply. */
export class MailsondeError extends Error {
  override readonly name = 'MailsondeError';
  readonly code: string;
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  readonly details: Readonly<Record<string, unknown>>;

  constructor({ code, message, status = 0, requestId = null, retryAfterMs = null, details = {}, cause }: Refusal) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
    this.details = details;
  }
}

/** @param text the body of a reply that is no success */
export function refusalOf(response: Pick<Response, 'status' | 'headers'>, text: string): MailsondeError {
  const details = objectOf(text);
  const { code, error } = details;
  const isOurs = typeof code === 'string' && typeof error === 'string';
  return new MailsondeError({
    code: isOurs ? code : 'unreadable_reply',
    message: isOurs ? error : `The server answered with status ${response.status} and no explanation.`,
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
    details,
  });
}

/** @param server such as `https://api.example.com` */
export function unreachable(cause: unknown, server: string): MailsondeError {
  const message = `The service at ${server} could not be reached, or did not answer in time.`;
  return new MailsondeError({ code: 'unreachable', message, cause });
}

/** The service names seconds, and a proxy before it may name a date. */
function retryAfterMs(field: string | null): number | null {
  if (field === null) return null;
  const ms = /^\d{1,9}$/.test(field) ? Number(field) * 1_000 : Date.parse(field) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
