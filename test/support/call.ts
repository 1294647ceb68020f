import { checkDescribed } from './described.js';

/** A reply as a caller sees it. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export interface Call {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly signal?: AbortSignal;
}

/** One request to a test service: POST when there is a body, else GET. The reply must be one that the documents describe. */
export async function call(service: { readonly url: string }, path: string, options: Call = {}): Promise<Reply> {
  const { key, body, method = body === undefined ? 'GET' : 'POST', signal } = options;
  const headers = {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...options.headers,
  };
  const response = await fetch(service.url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  if (response.headers.get('content-type') === 'application/x-ndjson') {
    const body = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    return { status: response.status, headers: response.headers, body };
  }
  const reply = { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  checkDescribed({ method, path, key, ...reply });
  return reply;
}

/** A new agent's key. */
export async function register(service: { readonly url: string }): Promise<string> {
  const { status, body } = await call(service, '/agent-gateway/register', { method: 'POST' });
  if (status !== 201) throw new Error(`registration answered ${status}: ${JSON.stringify(body)}`);
  return body.api_key as string;
}
