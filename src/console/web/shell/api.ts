import createClient, { type Middleware } from 'openapi-fetch';
import type { paths as AdminPaths } from '../../../client/documents/admin.js';
import type { paths as AgentPaths } from '../../../client/documents/agent.js';
import type { paths as AccountPaths } from '../../../client/documents/account.js';
import { Failure } from '../parts/failure.js';

export type { components as Account } from '../../../client/documents/account.js';
export type { components as Agent } from '../../../client/documents/agent.js';
export type { components as Admin } from '../../../client/documents/admin.js';

/* The types are those of the documents that the service serves; a call that they do not know does not compile. */
const baseUrl = location.origin;

/** The API of full accounts, of agents and of administrators: one service, three documents. */
export const api = createClient<AccountPaths>({ baseUrl });
export const agentApi = createClient<AgentPaths>({ baseUrl });
export const adminApi = createClient<AdminPaths>({ baseUrl });

let onEnd: () => void = () => undefined;

/** What happens once the service knows this session no more: its key was revoked, or nobody used it for long. */
export function onSessionEnd(act: () => void): void {
  onEnd = act;
}

const watch: Middleware = {
  async onResponse({ response }) {
    if (response.ok || response.status === 304) return;
    const failure = await failureOf(response);
    if (response.status === 401) onEnd();
    throw failure;
  },
  onError: ({ error }) => (error instanceof DOMException && error.name === 'AbortError' ? error : unreachable()),
};
for (const client of [api, agentApi, adminApi]) client.use(watch);

/** What a call brought. @throws Failure what the service refused, in its own sentence */
export async function take<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T;
}

/** A request that the documents do not describe, such as that of the session itself. @throws Failure */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, init).catch(() => {
    throw unreachable();
  });
  if (!response.ok) throw await failureOf(response);
  return response;
}

export async function failureOf(response: Response): Promise<Failure> {
  return failureFrom(response.status, await response.text());
}

/** @param text the body of a refusal */
export function failureFrom(status: number, text: string): Failure {
  try {
    return new Failure(status, JSON.parse(text) as object);
  } catch {
    return new Failure(status, { error: `The service answered with status ${status} and no explanation.` });
  }
}

export function unreachable(): Failure {
  return new Failure(0, { error: 'The service could not be reached. Is it running, and are you online?' });
}
