import type { MailsondeError } from './mailsonde-error.js';

/** Waits, and rejects with the signal's reason once it is aborted. */
export type Wait = (ms: number, signal: AbortSignal | null) => Promise<void>;

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8_000;
/* Callers who were told the same time come back in this part of it more, not all at once. */
const JITTER = 0.2;

/** Statuses of proxies and of a service in trouble, which say nothing of whether the work was done. */
const IN_TROUBLE: readonly number[] = [0, 408, 500, 502, 503, 504];

/**
 * When a refused request may be sent again.
 * @param failures so many attempts that have failed
 * @returns null when it must not be, or when nobody should wait so long
 */
export function retryDelayMs(
  error: MailsondeError,
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  failures: number,
  maxRetryAfterMs: number,
): number | null {
  const isHarmless = method === 'GET' || method === 'HEAD' || headers.has('idempotency-key');
  if (!(isRefusedUndone(error) || (isHarmless && isInTrouble(error)))) return null;
  if (error.retryAfterMs !== null && error.retryAfterMs > maxRetryAfterMs) return null;
  return error.retryAfterMs === null ? backoffMs(failures) : error.retryAfterMs * (1 + Math.random() * JITTER);
}

export function backoffMs(failures: number): number {
  const longest = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1));
  return longest * (1 - Math.random() / 2);
}

/** The service has done nothing, and has said when it will. */
function isRefusedUndone({ status, code, retryAfterMs }: MailsondeError): boolean {
  return retryAfterMs !== null && (status === 429 || status === 503 || code === 'idempotency_in_progress');
}

function isInTrouble({ status }: MailsondeError): boolean {
  return IN_TROUBLE.includes(status);
}

export const wait: Wait = (ms, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
