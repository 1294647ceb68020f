import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFullAccount } from '../support/accounts.js';
import { callTool, type McpPost, type McpReply, post, request } from '../support/mcp.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;
let key: string;
let agent: string;

beforeAll(async () => {
  service = await startService({ env: { registrationsPerHour: 100 } });
  key = (await createFullAccount({ url: service.env.databaseUrl })).testKey;
  agent = (await callTool(service, 'get_api_key', {})).result.api_key;
});

afterAll(() => service.close());

const VERSION = '2026-07-28';
const OLDER = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

type Sent = Omit<McpPost, 'headers'> & { readonly headers?: Readonly<Record<string, string | undefined>> };

/** A message of 2026-07-28 under the headers that belong to it; those that are given as undefined are left out. */
function send(method: string, params: Json = {}, more: Sent = {}) {
  const told = { _meta: META, ...params };
  const headers = {
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    'mcp-name': told.name,
    ...more.headers,
  };
  const kept = Object.entries(headers).filter((header): header is [string, string] => typeof header[1] === 'string');
  return post(service, request(method, told, 'm-1'), { ...more, headers: Object.fromEntries(kept) });
}

const call = (name: string, given: object, more: McpPost = {}) => send('tools/call', { name, arguments: given }, more);

const answered = ({ status, body }: McpReply) => [status, body.error?.code ?? null, body.id];

describe('a client of 2026-07-28', () => {
  it('a client of 2026-07-28 discovers versions, capabilities and instructions, and may keep them for an hour', async () => {
    const { status, headers, body } = await send('server/discover');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toMatchObject({
      id: 'm-1',
      result: {
        resultType: 'complete',
        supportedVersions: [VERSION],
        capabilities: { tools: { listChanged: false } },
        instructions: expect.stringContaining('get_api_key'),
        ttlMs: 3_600_000,
        cacheScope: 'public',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'mailsonde', title: 'Mailsonde' } },
      },
    });
    expect(Object.keys(body.result.capabilities)).toEqual(['tools']);
  });

  it('a client of 2026-07-28 lists the tools that older versions list, which it may keep to itself for five minutes', async () => {
    const { body } = await send('tools/list');
    const { tools, ttlMs, cacheScope, resultType } = body.result;
    expect(tools).toEqual((await post(service, request('tools/list'))).body.result.tools);
    expect([ttlMs, cacheScope, resultType]).toEqual([300_000, 'private', 'complete']);
  });

  it('a client of 2026-07-28 calls tools without a key, with one, and with wrong arguments, and is answered as by older versions', async () => {
    const none = (await call('verify_email', { email: 'valid@example.com' })).body.result;
    expect(none).toMatchObject({ isError: true, structuredContent: { code: 'key_missing', action: 'get_api_key' } });
    const { result } = (await call('verify_email', { email: 'valid@example.com' }, { key })).body;
    const older = await callTool(service, 'verify_email', { email: 'valid@example.com' }, { key });
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: older.result });
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(result.structuredContent) }]);
    expect(result.isError ?? false).toBe(false);
    const wrong = (await call('verify_email', { email: 7 }, { key })).body.result;
    expect(wrong).toMatchObject({ isError: true, structuredContent: { code: 'invalid_input' } });
  });

  it('a client of 2026-07-28 uses the rate of its key, and is told so in the headers', async () => {
    const { headers } = await call('get_credit_balance', {}, { key: agent });
    expect(headers.get('ratelimit-policy')).toContain('"requests";q=10;w=60');
    const before = Number(headers.get('x-ratelimit-remaining'));
    await send('tools/list', {}, { key: agent });
    const after = (await callTool(service, 'get_credit_balance', {}, { key: agent })).headers;
    expect(Number(after.get('x-ratelimit-remaining'))).toBe(before - 1);
  });

  it('a client of 2026-07-28 gets a kept result of an idempotency key, whatever version first asked', async () => {
    const given = { email: 'valid@example.com', idempotency_key: 'modern-1' };
    const first = await callTool(service, 'verify_email', given, { key });
    const again = (await call('verify_email', given, { key })).body.result;
    expect(again.structuredContent).toEqual(first.result);
    expect(again).toMatchObject({ _meta: { 'mailsonde/idempotent-replayed': true } });
  });

  it('a client of 2026-07-28 needs not say who it is, nor say its name in the header when it can be said in Base64', async () => {
    const { 'io.modelcontextprotocol/clientInfo': _, ...meta } = META;
    expect(answered(await send('tools/list', { _meta: meta }))).toEqual([200, null, 'm-1']);
    const headers = { 'mcp-name': `=?base64?${Buffer.from('explain_result').toString('base64')}?=` };
    const { body } = await call('explain_result', { result: 'valid' }, { headers });
    expect(body.result.structuredContent.success).toBe(true);
  });

  it('a client of 2026-07-28 is answered 202 to a notification', async () => {
    const headers = { 'mcp-protocol-version': VERSION };
    const { status } = await post(
      service,
      { jsonrpc: '2.0', method: 'notifications/anything', params: {} },
      { headers },
    );
    expect(status).toBe(202);
  });
});

describe('a message of 2026-07-28 that is wrong', () => {
  const without = (name: string) => Object.fromEntries(Object.entries(META).filter(([key]) => !key.endsWith(name)));
  const withMeta = (meta: object) => ({ _meta: { ...META, ...meta } });
  it.each<[string, () => Promise<McpReply>, number, number]>([
    ['has no _meta', () => send('tools/list', { _meta: undefined }), 400, -32602],
    ['has a _meta without a version', () => send('tools/list', { _meta: without('protocolVersion') }), 400, -32602],
    ['has no capabilities', () => send('tools/list', { _meta: without('clientCapabilities') }), 400, -32602],
    ['has a _meta that is a list', () => send('tools/list', { _meta: [META] }), 400, -32600],
    ['has a _meta that is null', () => send('tools/list', { _meta: null }), 400, -32600],
    [
      'has a version that is a number',
      () => send('tools/list', withMeta({ 'io.modelcontextprotocol/protocolVersion': 7 })),
      400,
      -32602,
    ],
    [
      'has a version that is null',
      () => send('tools/list', withMeta({ 'io.modelcontextprotocol/protocolVersion': null })),
      400,
      -32602,
    ],
    [
      'has capabilities that are a text',
      () => send('tools/list', withMeta({ 'io.modelcontextprotocol/clientCapabilities': 'all' })),
      400,
      -32602,
    ],
    [
      'has a clientInfo that is a number',
      () => send('tools/list', withMeta({ 'io.modelcontextprotocol/clientInfo': 7 })),
      400,
      -32602,
    ],
    [
      'has no header for its version',
      () => send('tools/list', {}, { headers: { 'mcp-protocol-version': undefined } }),
      400,
      -32020,
    ],
    [
      'has no header for its method',
      () => send('tools/list', {}, { headers: { 'mcp-method': undefined } }),
      400,
      -32020,
    ],
    [
      'has no header for its tool',
      () => send('tools/call', { name: 'explain_result' }, { headers: { 'mcp-name': undefined } }),
      400,
      -32020,
    ],
    [
      'has another version in the header',
      () => send('tools/list', {}, { headers: { 'mcp-protocol-version': '2025-11-25' } }),
      400,
      -32020,
    ],
    [
      'has an unknown version in the header',
      () => send('tools/list', {}, { headers: { 'mcp-protocol-version': '1999-01-01' } }),
      400,
      -32020,
    ],
    [
      'has another method in the header',
      () => send('tools/list', {}, { headers: { 'mcp-method': 'tools/call' } }),
      400,
      -32020,
    ],
    [
      'has two methods in the header',
      () => send('tools/list', {}, { headers: { 'mcp-method': 'tools/list, tools/list' } }),
      400,
      -32020,
    ],
    [
      'has another tool in the header',
      () => send('tools/call', { name: 'explain_result' }, { headers: { 'mcp-name': 'get_api_key' } }),
      400,
      -32020,
    ],
    [
      'has a tool in broken Base64',
      () => send('tools/call', { name: 'explain_result' }, { headers: { 'mcp-name': '=?base64?%%%?=' } }),
      400,
      -32020,
    ],
    ['asks for an unknown method', () => send('tools/delete'), 404, -32601],
    ['asks for a method that is a member of every object', () => send('constructor'), 404, -32601],
    ['asks for what only older versions have', () => send('ping'), 404, -32601],
    ['asks for capabilities that are not told', () => send('prompts/list'), 404, -32601],
    [
      'would listen to changes',
      () => send('subscriptions/listen', { notifications: { toolsListChanged: true } }),
      404,
      -32601,
    ],
    ['asks for an unknown tool', () => call('verify_phone', {}), 200, -32602],
    ['asks for a tool that is a member of every object', () => call('constructor', {}), 200, -32602],
  ])('a message of 2026-07-28 that is wrong gets its own error, with its id: %s', async (_, sent, status, code) => {
    expect(answered(await sent())).toEqual([status, code, 'm-1']);
  });

  it.each<[string, Json]>([
    ['method', { method: 'm'.repeat(100_000) }],
    ['tool', { method: 'tools/call', params: { name: 'n'.repeat(100_000), _meta: META } }],
    ['resource', { method: 'resources/read', params: { uri: 'u'.repeat(100_000), _meta: META } }],
    [
      'version',
      {
        method: 'tools/list',
        params: { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '9'.repeat(100_000) } },
      },
    ],
  ])(
    'a message of 2026-07-28 that is wrong is not told again at length: its %s',
    async (_, { method, params = { _meta: META } }) => {
      const headers = { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/list', 'mcp-name': 'explain_result' };
      const reply = await post(service, request(method, params, 'm-1'), { headers });
      expect([reply.status, reply.body.id]).toEqual([400, 'm-1']);
      expect(JSON.stringify(reply.body).length).toBeLessThan(600);
    },
  );

  it('a message of 2026-07-28 that is wrong is refused when it has more values than any tool takes', async () => {
    const meta = {
      ...META,
      'com.example/more': Array.from({ length: 900 }, () => Array.from({ length: 30 }, () => 0)),
    };
    expect(answered(await send('tools/list', { _meta: meta }))).toEqual([400, -32600, null]);
  });

  it('a message of 2026-07-28 that is wrong is refused as one of older versions is: an array, no JSON, another origin, another type', async () => {
    const headers = { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/list' };
    const message = request('tools/list', { _meta: META });
    expect(answered(await post(service, [message], { headers }))).toEqual([400, -32600, null]);
    expect(answered(await post(service, '{"jsonrpc": ', { headers }))).toEqual([400, -32700, null]);
    expect(answered(await post(service, '7', { headers }))).toEqual([400, -32600, null]);
    expect((await post(service, message, { headers: { ...headers, origin: 'https://evil.example' } })).status).toBe(
      403,
    );
    expect((await post(service, message, { headers: { ...headers, 'content-type': 'text/plain' } })).status).toBe(415);
    expect((await post(service, message, { headers: { ...headers, accept: 'text/html' } })).status).toBe(406);
    expect((await post(service, { jsonrpc: '2.0', id: 1, result: {} }, { headers })).status).toBe(400);
  });
});

describe('a version that nobody here speaks', () => {
  it.each(['1999-01-01', '2025-11-25', '2027-01-01', 'newest', ''])(
    '"%s" in _meta is refused with those that messages of that kind may speak',
    async (version) => {
      const meta = { ...META, 'io.modelcontextprotocol/protocolVersion': version };
      const reply = await send('tools/list', { _meta: meta }, { headers: { 'mcp-protocol-version': version } });
      expect(answered(reply)).toEqual([400, -32022, 'm-1']);
      expect(reply.body.error.data).toEqual({ supported: [VERSION], requested: version });
    },
  );

  it.each(['1999-01-01', '2024-10-07', '2027-01-01', 'newest', ''])(
    '"%s" in the header alone is refused with all that are spoken',
    async (version) => {
      const headers = { 'mcp-protocol-version': version };
      const reply = await post(service, request('tools/list', undefined, 'm-1'), { headers });
      expect(answered(reply)).toEqual([400, -32022, 'm-1']);
      expect(reply.body.error.data).toEqual({ supported: [VERSION, ...OLDER], requested: version });
    },
  );
});
