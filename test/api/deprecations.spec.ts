import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPRECATIONS, type Deprecations } from '../../src/discovery/openapi/deprecations.js';
import { createFullAccount } from '../support/accounts.js';
import { startService, type TestService } from '../support/service.js';

const TABLE: Deprecations = {
  'GET /api/v1/lists/{id}': { since: '2026-12-01', sunset: '2027-07-01', instead: '/changelog' },
  'GET /api/v1/credits': { since: '2026-12-01', sunset: null, instead: '/changelog' },
};

let service: TestService;
let headers: Record<string, string>;

beforeAll(async () => {
  service = await startService({ deprecations: TABLE });
  headers = { Authorization: `Bearer ${(await createFullAccount({ url: service.env.databaseUrl })).liveKey}` };
});

afterAll(() => service.close());

const LIST = '/api/v1/lists/1';

const get = async (path: string, sent = headers, method = 'GET') => {
  const reply = await fetch(service.url + path, { method, headers: sent });
  await reply.arrayBuffer();
  return reply;
};

describe('an operation of the table of deprecations', () => {
  it('an operation of the table of deprecations says since when, until when and what to use instead, on refusals too', async () => {
    for (const [sent, method, status] of [
      [headers, 'GET', 404],
      [headers, 'HEAD', 404],
      [{}, 'GET', 401],
    ] as const) {
      const reply = await get(LIST, sent, method);
      expect(reply.status).toBe(status);
      expect(reply.headers.get('deprecation')).toBe('@1796083200');
      expect(reply.headers.get('sunset')).toBe('Thu, 01 Jul 2027 00:00:00 GMT');
      const help = status === 404 ? ', </llms.txt>; rel="help"' : '';
      expect(reply.headers.get('link')).toBe(`</changelog>; rel="deprecation"; type="text/html"${help}`);
    }
  });

  it('an operation of the table of deprecations has no Sunset while no day is decided', async () => {
    const reply = await get('/api/v1/credits');
    expect(reply.status).toBe(200);
    expect([reply.headers.has('deprecation'), reply.headers.has('sunset')]).toEqual([true, false]);
  });

  it('an operation of the table of deprecations is marked in the documents, and no other is', async () => {
    const { paths } = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { deprecated?: boolean }>>;
    };
    const marked = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { deprecated }]) => (deprecated ? `${method.toUpperCase()} ${path}` : [])),
    );
    expect(marked.toSorted()).toEqual(Object.keys(TABLE).toSorted());
  });

  it('an operation of the table of deprecations leaves other methods and paths alone', async () => {
    for (const [path, method] of [
      [LIST, 'DELETE'],
      ['/api/v1/lists', 'GET'],
      ['/healthz', 'GET'],
    ] as const)
      expect((await get(path, headers, method)).headers.has('deprecation'), `${method} ${path}`).toBe(false);
  });
});

it('every row of the table names an operation that is served, and gives half a year', async () => {
  const served = new Set<string>();
  for (const document of ['/api/v1/openapi.json', '/agent-gateway/openapi.json']) {
    const { paths } = (await (await fetch(service.url + document)).json()) as { paths: Record<string, object> };
    for (const [path, item] of Object.entries(paths))
      for (const method of Object.keys(item)) served.add(`${method.toUpperCase()} ${path}`);
  }
  for (const [operation, { since, sunset }] of [...Object.entries(DEPRECATIONS), ...Object.entries(TABLE)]) {
    expect(served).toContain(operation);
    if (sunset !== null) expect(Date.parse(sunset) - Date.parse(since)).toBeGreaterThanOrEqual(182 * 86_400_000);
  }
});
