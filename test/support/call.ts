import { checkDescribed } from './described.js';
import { type Answer, send } from './send.js';

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
  const answer = await send(service.url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const { status, text } = answer;
  if (answer.headers['content-type'] === 'application/x-ndjson') {
    const rows = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    return replyWith(answer, rows);
  }
  const read = text === '' ? null : JSON.parse(text);
  checkDescribed({ method, path, key, status, body: read });
  return replyWith(answer, read);
}

/** Most tests ask for no header: they are read when one does. */
function replyWith({ status, headers }: Answer, body: unknown): Reply {
  let read: Headers | undefined;
  return {
    status,
    get headers() {
      return (read ??= headersOf(headers));
    },
    body,
  };
}

function headersOf(told: Answer['headers']): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(told))
    for (const value of [values ?? []].flat()) headers.append(name, value);
  return headers;
}

/** A new agent's key. */
export async function register(service: { readonly url: string }): Promise<string> {
  const { status, body } = await call(service, '/agent-gateway/register', { method: 'POST' });
  if (status !== 201) throw new Error(`registration answered ${status}: ${JSON.stringify(body)}`);
  return body.api_key as string;
}
