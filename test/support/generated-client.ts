import { readFileSync } from 'node:fs';
import createClient, { type Client, type Middleware } from 'openapi-fetch';
import { checkDescribed } from './described.js';
import { goldenFile } from './golden.js';
import type { TestService } from './service.js';

/** A client with the generated types, and a set that names each operation that it has called with success. */
export function startClient<Paths extends object>(
  { url }: TestService,
  called: Set<string>,
  key?: string,
): Client<Paths> {
  const client = createClient<Paths>({ baseUrl: url, ...(key && { headers: { authorization: `Bearer ${key}` } }) });
  const watch: Middleware = {
    async onResponse({ request, response, schemaPath }) {
      const { method } = request;
      const text = await response.clone().text();
      if (!response.ok) throw new Error(`${method} ${request.url} answered ${response.status}: ${text}`);
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      const path = request.url.slice(url.length);
      if (isJson || text === '')
        checkDescribed({ method, path, key, status: response.status, body: isJson ? JSON.parse(text) : null });
      called.add(`${method} ${schemaPath}`);
    },
  };
  client.use(watch);
  return client;
}

/** The operations of a document, such as `GET /api/v1/keys`. */
export function documentedOperations(name: string): string[] {
  const { paths } = JSON.parse(readFileSync(goldenFile(`${name}.json`), 'utf8')) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

/** What a call has brought; every other reply has thrown already. */
export async function dataOf<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T;
}
