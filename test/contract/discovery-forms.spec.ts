import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLIC_DOCUMENTS } from '../../src/discovery/documents.service.js';
import { post, request } from '../support/mcp.js';
import { createFullAccount } from '../support/accounts.js';
import { type FormName, formFaults } from '../support/published-forms.js';
import { startService, type TestService } from '../support/service.js';

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

const URL_OF_OTHERS = 'https://mailsonde.example';

let service: TestService;
/** Installed without a domain, as `npm start` does. */
let local: TestService;

beforeAll(async () => {
  [service, local] = await Promise.all([startService({ env: { publicUrl: URL_OF_OTHERS } }), startService()]);
});

afterAll(() => Promise.all([service.close(), local.close()]));

const get = (path: string, init: RequestInit = {}, at = service) => fetch(at.url + path, init);
const read = async (path: string, at = service): Promise<Json> => (await get(path, {}, at)).json();

const DOCUMENTS: readonly (readonly [path: string, form: FormName, type: string])[] = [
  ['/mcp/server-card', 'server card', 'application/mcp-server-card+json'],
  ['/server.json', 'registry entry', 'application/json'],
  ['/.well-known/ai-catalog.json', 'AI catalog', 'application/ai-catalog+json'],
  ['/.well-known/agent-card.json', 'A2A card', 'application/json'],
  ['/.well-known/agent-skills/index.json', 'skill index', 'application/json'],
  [
    '/.well-known/api-catalog',
    'linkset',
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  ],
];

describe.each(DOCUMENTS)('%s', (path, form, type) => {
  it('a discovery document has the form that its publisher states, with a domain and without', async () => {
    expect(formFaults(form, await read(path))).toEqual([]);
    expect(formFaults(form, await read(path, local))).toEqual([]);
    expect((await get(path)).headers.get('content-type')).toBe(`${type}; charset=utf-8`);
  });
});

it('a member of another name, or one that is missing, is no form of anything', async () => {
  const card = await read('/mcp/server-card');
  expect(formFaults('server card', { ...card, tools: [] })[0]).toContain('tools');
  expect(formFaults('server card', { ...card, description: 'x'.repeat(101) })[0]).toContain('/description');
  const { name: _, ...nameless } = card;
  expect(formFaults('server card', nameless)[0]).toContain('name');
});

describe.each(Object.keys(PUBLIC_DOCUMENTS))('%s', (path) => {
  it('a discovery document answers HEAD as GET, pages of any origin, and what they ask before', async () => {
    const [whole, head] = await Promise.all([get(path), get(path, { method: 'HEAD' })]);
    for (const header of ['etag', 'content-type', 'cache-control', 'access-control-allow-origin'])
      expect(head.headers.get(header), header).toBe(whole.headers.get(header));
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(whole.headers.get('access-control-expose-headers')).toBe('ETag, Link');
    const headers = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Headers': 'if-none-match' };
    const asked = await get(path, { method: 'OPTIONS', headers });
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(asked.headers.get('access-control-allow-headers')).toContain('If-None-Match');
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('a discovery document is refused with another method, and no page may send one', async () => {
    const { testKey } = await createFullAccount({ url: service.env.databaseUrl });
    const headers = { authorization: `Bearer ${testKey}` };
    const reply = await get(path, { method: 'DELETE', headers });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the server card', () => {
  it('the server card says what the server says of itself to who connects', async () => {
    const card = await read('/mcp/server-card');
    const [remote] = card.remotes;
    expect(remote.url).toBe(`${URL_OF_OTHERS}/mcp`);
    const { body } = await post(
      service,
      request('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 't', version: '1' },
      }),
      { headers: { host: 'mailsonde.example' } },
    );
    const { name, title, version } = body.result.serverInfo;
    expect(card).toMatchObject({ name: `example.mailsonde/${name}`, title, version });
    expect(remote.supportedProtocolVersions).toContain(body.result.protocolVersion);
    expect(remote.headers).toMatchObject([{ name: 'Authorization', isRequired: false, isSecret: true }]);
  });

  it('the server card is found where drafts had it', async () => {
    const { status, headers } = await get('/.well-known/mcp/server-card.json', { redirect: 'manual' });
    expect([status, headers.get('location'), headers.get('access-control-allow-origin')]).toEqual([
      308,
      '/mcp/server-card',
      '*',
    ]);
  });
});

it('server.json and every card have the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  for (const card of [
    '/server.json',
    '/mcp/server-card',
    '/.well-known/mcp.json',
    '/.well-known/agent.json',
    '/.well-known/agent-card.json',
  ])
    expect((await read(card)).version, card).toBe(version);
});

describe('the AI catalog', () => {
  it('the AI catalog names what is there, each thing once, by the domain that publishes it', async () => {
    const { entries } = await read('/.well-known/ai-catalog.json');
    const identifiers = entries.map(({ identifier }: Json) => identifier);
    expect(new Set(identifiers).size).toBe(identifiers.length);
    for (const { identifier, type, url } of entries) {
      expect(identifier).toMatch(/^urn:air:mailsonde\.example:[a-z-]+:[a-z-]+$/);
      const reply = await get(new URL(url).pathname);
      expect(reply.status, url).toBe(200);
      // Neither skills nor OpenAPI documents have registered the type by which catalogs call them.
      if (type.startsWith('application/mcp')) expect(reply.headers.get('content-type')).toContain(type);
    }
  });

  it('the AI catalog names them by their addresses where there is no domain', async () => {
    const { entries } = await read('/.well-known/ai-catalog.json', local);
    for (const { identifier, url } of entries) expect(identifier).toBe(url);
  });
});

describe('neither card of an agent', () => {
  it('neither card of an agent has a client of A2A take an address for one that speaks A2A', async () => {
    const { supportedInterfaces } = await read('/.well-known/agent-card.json');
    for (const { protocolBinding } of supportedInterfaces) {
      expect(['JSONRPC', 'GRPC', 'HTTP+JSON']).not.toContain(protocolBinding);
      expect(() => new URL(protocolBinding)).not.toThrow();
    }
    // Before 1.0 an address without a transport means JSON-RPC.
    const former = await read('/.well-known/agent.json');
    expect(former).toMatchObject({ url: `${URL_OF_OTHERS}/mcp`, preferredTransport: 'MCP' });
    expect(former.protocolVersion).toBeUndefined();
  });
});

it('the front door names every catalog in the head of its reply', async () => {
  const links = (await get('/', { method: 'HEAD' })).headers.get('link')!;
  const targets = [...links.matchAll(/<([^>]+)>; rel="([^"]+)"/g)].map(([, path, rel]) => [rel, path]);
  expect(targets.map(([rel]) => rel)).toEqual(['api-catalog', 'ai-catalog', 'service-desc', 'service-doc', 'help']);
  for (const [, path] of targets) expect((await get(path!)).status, path).toBe(200);
});
