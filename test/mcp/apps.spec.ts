import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type McpReply, post, request } from '../support/mcp.js';
import { startService, type TestService } from '../support/service.js';

const MAX_APP_BYTES = 30_000;
const MIME_TYPE = 'text/html;profile=mcp-app';
const URI = 'ui://mailsonde/card';
const WITH_CARD = ['verify_email', 'get_list', 'get_batch_status'];
const SHOWS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [MIME_TYPE] } } };

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.close());

/** How a client of either kind sends a method, once it has told what it can. */
type Ask = (capabilities: unknown, method: string, params?: object) => Promise<McpReply>;

const modern: Ask = (capabilities, method, params = {}) => {
  const version = '2026-07-28';
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const name = (params as { uri?: string }).uri;
  const headers = {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  };
  return post(service, request(method, { ...params, _meta: meta }), { headers });
};

const older: Ask = async (capabilities, method, params = {}) => {
  const hello = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'test', version: '1' } };
  const { headers } = await post(service, request('initialize', hello));
  const session = headers.get('mcp-session-id');
  return post(service, request(method, params), {
    headers: { ...(session !== null && { 'mcp-session-id': session }) },
  });
};

describe.each([
  ['2026-07-28', modern],
  ['an older version', older],
])('a client of %s', (_, ask) => {
  it('a client that shows apps is told of the card with the tools whose results it shows, in 16,000 bytes', async () => {
    const { body } = await ask(SHOWS, 'tools/list');
    const told = body.result.tools.filter((tool: object) => '_meta' in tool);
    expect(told.map(({ name }: { name: string }) => name)).toEqual(WITH_CARD);
    for (const tool of told) expect(tool).toMatchObject({ _meta: { ui: { resourceUri: URI } } });
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(16_000);
  });

  it('a client that shows apps reads the card, one page that loads nothing and has at most 30 KB', async () => {
    const { resources } = (await ask(SHOWS, 'resources/list')).body.result;
    expect(resources).toEqual([expect.objectContaining({ uri: URI, mimeType: MIME_TYPE })]);
    const { contents } = (await ask(SHOWS, 'resources/read', { uri: URI })).body.result;
    expect(contents).toEqual([
      { uri: URI, mimeType: MIME_TYPE, text: expect.any(String), _meta: { ui: { csp: {}, prefersBorder: true } } },
    ]);
    const { text } = contents[0];
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_APP_BYTES);
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).toContain("default-src 'none'; script-src 'sha256-");
    expect(text.match(/(src|href)=|url\(|@import/g)).toBeNull();
  });

  it('a client that shows apps is told that there is no other resource', async () => {
    for (const uri of ['ui://mailsonde/other.html', 'file:///etc/passwd', '../card', '']) {
      const { error } = (await ask(SHOWS, 'resources/read', { uri })).body;
      expect([uri, error?.code]).toEqual([uri, -32602]);
    }
  });

  it.each([
    ['nothing', {}],
    ['no extensions', { extensions: null }],
    ['another extension', { extensions: { 'com.example/ui': { mimeTypes: [MIME_TYPE] } } }],
    ['no types', { extensions: { 'io.modelcontextprotocol/ui': {} } }],
    ['other types', { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html'] } } }],
    [
      'the prototype of all',
      { extensions: { 'io.modelcontextprotocol/ui': { constructor: { mimeTypes: [MIME_TYPE] } } } },
    ],
  ])('a client that tells of %s hears nothing of apps', async (_name, capabilities) => {
    const listed = await ask(capabilities, 'tools/list');
    if (listed.body.error === undefined)
      expect(listed.body.result.tools.filter((tool: object) => '_meta' in tool)).toEqual([]);
    else expect(listed.body.error.code).toBe(-32602);
    const { error } = (await ask(capabilities, 'resources/read', { uri: URI })).body;
    expect([-32601, -32602]).toContain(error.code);
  });
});

it('a client of an older version gets a session id only when it shows apps, and any other is taken as none', async () => {
  const hello = { protocolVersion: '2025-11-25', clientInfo: { name: 'test', version: '1' } };
  const plain = await post(service, request('initialize', { ...hello, capabilities: {} }));
  expect(plain.headers.get('mcp-session-id')).toBeNull();
  const shows = await post(service, request('initialize', { ...hello, capabilities: SHOWS }));
  expect(shows.headers.get('mcp-session-id')).toMatch(/^apps-[0-9a-f-]{36}$/);
  expect(shows.body.result.capabilities).toEqual({ tools: { listChanged: false }, resources: {} });
  const headers = { 'mcp-session-id': 'mine' };
  expect((await post(service, request('resources/list'), { headers })).body.error.code).toBe(-32601);
});
