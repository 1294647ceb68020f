import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFullAccount } from '../support/accounts.js';
import { callTool, post, request } from '../support/mcp.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startService();
  key = (await createFullAccount({ url: service.env.databaseUrl })).testKey;
});

afterAll(() => service.close());

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};
const initialize = (protocolVersion: unknown) => request('initialize', { ...INITIALIZE, protocolVersion });
const tool = (name: unknown, given?: unknown) =>
  request('tools/call', { name, ...(given !== undefined && { arguments: given }) });

describe('a body that is no message', () => {
  it.each([
    ['an array with one call', [request('ping')], 400, -32600],
    ['an array with two calls', [request('ping', undefined, 1), request('ping', undefined, 2)], 400, -32600],
    ['an empty array', [], 400, -32600],
    ['an id that is null', request('ping', undefined, null), 400, -32600],
    ['an id that is an object', request('ping', undefined, {}), 400, -32600],
    ['an id that is true', request('ping', undefined, true), 400, -32600],
    ['an id with a fraction', request('ping', undefined, 1.5), 400, -32600],
    ['another version of JSON-RPC', { ...request('ping'), jsonrpc: '1.0' }, 400, -32600],
    ['no version of JSON-RPC', { id: 1, method: 'ping' }, 400, -32600],
    ['a method that is a number', request(7 as never), 400, -32600],
    ['no method', { jsonrpc: '2.0', id: 1 }, 400, -32600],
    ['parameters in an array', { ...request('ping'), params: [1] }, 400, -32600],
    ['a text', '"ping"', 400, -32600],
    ['a number', '7', 400, -32600],
    ['null', 'null', 400, -32600],
    ['nothing', '', 400, -32700],
    ['half of a message', '{"jsonrpc": "2.0", "id"', 400, -32700],
    ['a message with a prototype', '{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{"a":1}}', 400, -32700],
  ])('a body that is no message is refused as no message: %s', async (_, body, status, code) => {
    const reply = await post(service, body);
    expect([reply.status, reply.body.error?.code]).toEqual([status, code]);
    expect(reply.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { message: expect.any(String) } });
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  });
});

describe('a message that asks wrongly', () => {
  it.each([
    ['an unknown method', request('tools/delete', {}, 'a-1'), -32601],
    ['a method of capabilities that are not told', request('resources/list', {}, 'a-1'), -32601],
    ['logging, which is not told', request('logging/setLevel', { level: 'info' }, 'a-1'), -32601],
    ['an unknown tool', { ...tool('verify_phone', {}), id: 'a-1' }, -32602],
    ['a tool named as a member of every object', { ...tool('constructor', {}), id: 'a-1' }, -32602],
    ['no tool', { ...tool(undefined, {}), id: 'a-1' }, -32602],
    ['a tool whose name is a number', { ...tool(7, {}), id: 'a-1' }, -32602],
    ['arguments in an array', { ...tool('verify_email', ['a@example.com']), id: 'a-1' }, -32602],
    ['arguments that are a text', { ...tool('verify_email', 'a@example.com'), id: 'a-1' }, -32602],
    ['initialize without a version', { ...request('initialize', { capabilities: {} }), id: 'a-1' }, -32602],
    ['initialize without parameters', request('initialize', undefined, 'a-1'), -32602],
    ['a cursor that is a number', request('tools/list', { cursor: 7 }, 'a-1'), -32602],
  ])('a message that asks wrongly gets an error under its id: %s', async (_, body, code) => {
    const reply = await post(service, body, { key });
    expect([reply.status, reply.body.id, reply.body.error?.code]).toEqual([200, 'a-1', code]);
  });
});

describe('wrong arguments of a tool', () => {
  it.each([
    ['none', {}, ['email']],
    ['one of the wrong type', { email: 7 }, ['email']],
    ['one that is an array', { email: ['a@example.com'] }, ['email']],
    ['null', { email: null }, ['email']],
    ['a million characters', { email: 'a'.repeat(1_000_000) }, ['email']],
    ['an idempotency_key with a space', { email: 'a@example.com', idempotency_key: 'a b' }, ['idempotency_key']],
    ['an idempotency_key that is a number', { email: 'a@example.com', idempotency_key: 7 }, ['idempotency_key']],
  ])('wrong arguments of a tool are named in a result: %s', async (_, given, fields) => {
    const { isError, result } = await callTool(service, 'verify_email', given, { key });
    expect([isError, result.code, result.action]).toEqual([true, 'invalid_input', 'correct_input']);
    expect(result.fields.map(({ field }: { field: string }) => field)).toEqual(fields);
  });

  it('wrong arguments of a tool are named by their position in a list', async () => {
    const { result } = await callTool(service, 'verify_batch', { emails: ['a@example.com', 7] }, { key });
    expect(result.fields).toEqual([{ field: 'emails[1]', error: expect.any(String) }]);
  });

  it('wrong arguments of a tool do not include null, which means left out', async () => {
    const given = { email: 'valid@example.com', idempotency_key: null };
    expect((await callTool(service, 'verify_email', given, { key })).result).toMatchObject({ result: 'valid' });
  });

  it('a body of more than 1 MiB is refused as such', async () => {
    const { status, body } = await post(service, tool('verify_email', { email: 'a'.repeat(1_100_000) }), { key });
    expect([status, body.code]).toEqual([413, 'body_too_large']);
  });
});

describe('notifications and responses', () => {
  it.each([
    ['initialized', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['cancelled', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }],
    ['one that nobody knows', { jsonrpc: '2.0', method: 'notifications/anything', params: {} }],
    ['a call without an id', { jsonrpc: '2.0', method: 'tools/call', params: { name: 'get_api_key' } }],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }],
  ])('%s is taken without an answer', async (_, body) => {
    const { status, body: answer } = await post(service, body);
    expect([status, answer]).toEqual([202, null]);
  });
});

describe('versions', () => {
  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])('%s is spoken', async (version) => {
    const { body } = await post(service, initialize(version));
    expect(body.result).toMatchObject({ protocolVersion: version });
    expect(
      (await post(service, request('ping'), { headers: { 'mcp-protocol-version': version } })).body.result,
    ).toEqual({});
  });

  it('versions initialize promises no notification of changed tools, because a server without sessions can send none', async () => {
    const { body } = await post(service, initialize('2025-11-25'));
    expect(body.result.capabilities).toEqual({ tools: { listChanged: false } });
  });

  it.each(['1999-01-01', '2099-12-31', '2024-10-07', '2026-07-28', 'newest', ''])(
    '"%s" is answered with the newest of those that begin so',
    async (version) => {
      expect((await post(service, initialize(version))).body.result.protocolVersion).toBe('2025-11-25');
    },
  );

  it.each(['1999-01-01', '2024-10-07', ''])(
    'a header that names "%s" is refused, a missing one is not',
    async (version) => {
      const headers = { 'mcp-protocol-version': version };
      const { status, body } = await post(service, request('ping'), { headers });
      expect([status, body.error.code, body.id]).toEqual([400, -32022, 1]);
      expect((await post(service, request('ping'))).status).toBe(200);
      expect((await post(service, initialize('2025-11-25'), { headers })).status).toBe(200);
    },
  );
});

describe('HTTP', () => {
  it.each(['GET', 'DELETE', 'PUT', 'PATCH'])('%s is 405 with the allowed methods', async (method) => {
    const response = await fetch(`${service.url}/mcp`, { method, headers: { accept: 'text/event-stream' } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml'])('%s is 415', async (type) => {
    const { status, body } = await post(service, request('ping'), { headers: { 'content-type': type } });
    expect([status, body.error.code]).toEqual([415, -32000]);
  });

  it('a charset is no other content type', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expect((await post(service, request('ping'), { headers })).status).toBe(200);
  });

  it.each([
    ['application/json, text/event-stream', 200],
    ['application/json', 200],
    ['*/*', 200],
    ['application/*;q=0.5, text/html', 200],
    ['application/json;q=0.1', 200],
    ['', 200],
    ['text/event-stream', 406],
    ['text/html', 406],
    ['application/json;q=0', 406],
  ])('Accept: %s is %i', async (accept, status) => {
    expect((await post(service, request('ping'), { headers: { accept } })).status).toBe(status);
  });

  it('HTTP gives no session away and takes any', async () => {
    const { headers } = await post(service, initialize('2025-06-18'));
    expect(headers.get('mcp-session-id')).toBeNull();
    expect((await post(service, request('ping'), { headers: { 'mcp-session-id': 'mine' } })).status).toBe(200);
  });

  it('HTTP keeps the caller’s request id and forbids to keep the reply', async () => {
    const { headers } = await post(service, request('ping'), { headers: { 'x-request-id': 'r-1' } });
    expect([headers.get('x-request-id'), headers.get('cache-control')]).toEqual(['r-1', 'no-store']);
  });
});
