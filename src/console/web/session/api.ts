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
export const api = createApi<AccountPaths>(requests);
export const agentApi = createApi<AgentPaths>(requests);
export const adminApi = createApi<AdminPaths>(requests);

/** What a call brought. @throws MailsondeError what the service refused, in its own sentence */
export async function take<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T;
}

/** A request that the documents do not describe, such as that of the session itself. @throws MailsondeError */
export function send(path: string, init: RequestInit = {}): Promise<Response> {
  return requests.send(requests.request(path, init));
}
