import createOpenApiClient, { type Client } from 'openapi-fetch';
import { MailsondeError, refusalOf, unreachable } from './mailsonde-error.js';

/** Waits, and rejects with the signal's reason once it is aborted. */
export type Wait = (ms: number, signal: AbortSignal | null) => Promise<void>;

export interface ClientOptions {
  /** Of the installation, such as `https://verify.example.com`. */
  readonly baseUrl: string;
  /** `ms_live_…`, `ms_test_…`, `ms_agent_…`, `ms_admin_…`; none in a browser that is signed in. */
  readonly apiKey?: string;
  /** How often a request is sent at most; default 4, and 1 repeats nothing. */
  readonly maxAttempts?: number;
  /** What a `Retry-After` may ask for at most; a longer one is thrown at once. Default 60,000. */
  readonly maxRetryAfterMs?: number;
  /** For one attempt, until its reply is there; default 90,000. */
  readonly timeoutMs?: number;
  /** Takes the place of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Takes the place of a timer between attempts. */
  readonly wait?: Wait;
}

export interface SendOptions {
  readonly signal?: AbortSignal | null;
  readonly maxAttempts?: number;
  readonly timeoutMs?: number;
}

const MAX_ATTEMPTS = 4;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8_000;
/* Callers who were told the same time come back in this part of it more, not all at once. */
const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = 60_000;
/* A verification may take 60 s by itself. */
const TIMEOUT_MS = 90_000;
/* Bytes of a key that nobody has used before. */
const IDEMPOTENCY_KEY_BYTES = 16;

/** Statuses of proxies and of a service in trouble, which say nothing of whether the work was done. */
const IN_TROUBLE: readonly number[] = [0, 408, 500, 502, 503, 504];

/** Sends requests until they are answered for good: repeats what may be repeated, and throws what is refused. */
export class Requests {
  readonly baseUrl: string;
  readonly wait: Wait;
  private readonly authorization: string | null;

  constructor(private readonly options: ClientOptions) {
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.wait = options.wait ?? waitForTime;
    this.authorization = options.apiKey === undefined ? null : `Bearer ${options.apiKey}`;
  }

  /**
   * A request to a path of the API, with the key; a POST gets an idempotency key, so that it may be repeated.
   * @param path with its query
   */
  request(path: string, init: RequestInit = {}): Request {
    const request = new Request(`${this.baseUrl}${path}`, init);
    this.sign(request);
    return request;
  }

  /** Puts the key on a request, and on a POST that has no idempotency key a new one. */
  sign(request: Request): void {
    const { headers, method } = request;
    if (this.authorization !== null) headers.set('authorization', this.authorization);
    if (method === 'POST' && !headers.has('idempotency-key')) headers.set('idempotency-key', newIdempotencyKey());
  }

  /**
   * @param asked the request, or what makes it anew for each attempt
   * @throws MailsondeError for every reply that is no success; what `signal` was aborted with
   */
  async send(asked: Request | (() => Request), how: SendOptions = {}): Promise<Response> {
    const maxAttempts = how.maxAttempts ?? this.options.maxAttempts ?? MAX_ATTEMPTS;
    const maxRetryAfterMs = this.options.maxRetryAfterMs ?? MAX_RETRY_AFTER_MS;
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= maxAttempts;
      const request = typeof asked === 'function' ? asked() : asked;
      const signal = how.signal ?? request.signal;
      const isKept = asked instanceof Request && !isLast;
      const answer = await this.attempt(isKept ? request.clone() : request, signal, how);
      if (!(answer instanceof MailsondeError)) return answer;
      const delayMs = isLast ? null : retryDelayMs(answer, request, attempt, maxRetryAfterMs);
      if (delayMs === null) throw answer;
      await this.wait(delayMs, signal);
    }
  }

  private async attempt(
    request: Request,
    signal: AbortSignal,
    { timeoutMs }: SendOptions,
  ): Promise<Response | MailsondeError> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs ?? this.options.timeoutMs ?? TIMEOUT_MS);
    try {
      const send = this.options.fetch ?? fetch;
      const response = await send(new Request(request, { signal: AbortSignal.any([signal, deadline.signal]) }));
      // Files and events are read as they come, for as long as that takes.
      if (response.ok && !isJson(response)) return response;
      const whole = await response.arrayBuffer();
      return isSuccess(response) ? withBody(response, whole) : refusalOf(response, new TextDecoder().decode(whole));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      return unreachable(error, new URL(request.url).origin);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** 304: what the caller has is still right. */
function isSuccess({ ok, status }: Response): boolean {
  return ok || status === 304;
}

function isJson({ headers, status }: Response): boolean {
  return status === 204 || headers.get('content-type')?.startsWith('application/json') === true;
}

function withBody({ status, headers }: Response, whole: ArrayBuffer): Response {
  return new Response(whole.byteLength === 0 ? null : whole, { status, headers });
}

export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(IDEMPOTENCY_KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * When a refused request may be sent again.
 * @param failures so many attempts that have failed
 * @returns null when it must not be, or when nobody should wait so long
 */
function retryDelayMs(
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

const waitForTime: Wait = (ms, signal) =>
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

/** The typed routes of a document, with the key, repeated like every request; what is refused is thrown. */
export function createApi<Paths extends object>(requests: Requests): Client<Paths> {
  return createOpenApiClient<Paths>({
    baseUrl: requests.baseUrl,
    fetch: (request) => {
      requests.sign(request);
      return requests.send(request);
    },
  });
}
