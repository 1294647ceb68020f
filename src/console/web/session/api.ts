import type { paths as AccountPaths } from '../../../client/documents/account.js';
import type { paths as AdminPaths } from '../../../client/documents/admin.js';
import type { paths as AgentPaths } from '../../../client/documents/agent.js';
import { createApi, Requests } from '../../../client/requests.js';

export type { components as Account } from '../../../client/documents/account.js';
export type { components as Agent } from '../../../client/documents/agent.js';
export type { components as Admin } from '../../../client/documents/admin.js';

/** A person waits for no longer than this without being told why. */
const MAX_RETRY_AFTER_MS = 2_000;
const MAX_ATTEMPTS = 2;

let onEnd: () => void = () => undefined;

/** What happens once the service knows this session no more: its key was revoked, or nobody used it for long. */
export function onSessionEnd(act: () => void): void {
  onEnd = act;
}

const requests = new Requests({
  baseUrl: location.origin,
  maxAttempts: MAX_ATTEMPTS,
  maxRetryAfterMs: MAX_RETRY_AFTER_MS,
  fetch: async (request) => {
    const response = await fetch(request);
    if (response.status === 401) onEnd();
    return response;
  },
});

/* The API of full accounts, of agents and of administrators: one service, three documents. A call that they do not know does not compile. */
export const api = apiOf<AccountPaths>();
export const agentApi = apiOf<AgentPaths>();
export const adminApi = apiOf<AdminPaths>();

/** A request that the documents do not describe, such as that of the session itself. @throws MailsondeError */
export function send(path: string, init: RequestInit = {}): Promise<Response> {
  return requests.send(requests.request(path, init));
}

interface Json<Body> {
  readonly content: { readonly 'application/json': Body };
}

interface Operation {
  readonly parameters: object;
  readonly requestBody?: unknown;
  readonly responses: object;
}

type BodyOf<Asked> = Asked extends { requestBody: Json<infer Body> }
  ? { readonly body: Body }
  : Asked extends { requestBody?: Json<infer Body> }
    ? { readonly body?: Body }
    : object;

/** Beside one another: `path`, `query` and `header` as the document has them, the body, and what the call ends with. */
type AskOf<Asked extends Operation> = Omit<Asked['parameters'], 'cookie'> &
  BodyOf<Asked> & { readonly signal?: AbortSignal | undefined };

/** The JSON of a success; a reply without a body has none. */
type ReplyOf<Asked extends Operation> = {
  [Status in keyof Asked['responses']]: Status extends 200 | 201 | 202 | 204
    ? Asked['responses'][Status] extends Json<infer Body>
      ? Body
      : undefined
    : never;
}[keyof Asked['responses']];

type Method = 'get' | 'post' | 'patch' | 'delete';
type OperationOf<Paths, Path extends keyof Paths, M extends Method> =
  Paths[Path] extends Record<M, infer Asked> ? (Asked extends Operation ? Asked : never) : never;

/** @throws MailsondeError what the service refused, in its own sentence */
type Call<Paths, M extends Method> = <Path extends keyof Paths>(
  path: Path,
  ...ask: object extends AskOf<OperationOf<Paths, Path, M>>
    ? [ask?: AskOf<OperationOf<Paths, Path, M>>]
    : [ask: AskOf<OperationOf<Paths, Path, M>>]
) => Promise<ReplyOf<OperationOf<Paths, Path, M>>>;

type Api<Paths> = { readonly [M in Method]: Call<Paths, M> };

interface Ask {
  readonly path?: object;
  readonly query?: object;
  readonly header?: object;
}

function apiOf<Paths extends object>(): Api<Paths> {
  const client = createApi<Record<string, never>>(requests) as unknown as Readonly<
    Record<string, (path: string, init: object) => Promise<{ readonly data: unknown }>>
  >;
  const call =
    (method: string) =>
    async (at: string, { path, query, header, ...rest }: Ask = {}) =>
      (await client[method]!(at, { params: { path, query, header }, ...rest })).data;
  return { get: call('GET'), post: call('POST'), patch: call('PATCH'), delete: call('DELETE') } as Api<Paths>;
}
