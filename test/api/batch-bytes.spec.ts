import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { register } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange, head } from '../support/raw-exchange.js';
import { startService, type TestService } from '../support/service.js';

const VERIFY = '/api/v1/verify';
const BATCH = '/api/v1/verify/batch';
const PEOPLE = '/api/v1/finder/batch';

let database: TestDatabase;
let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({ database, env: { registrationsPerHour: 1000 } });
  account = await createFullAccount(database);
});

afterAll(async () => {
  await service.close();
  await database.drop();
});

/** Sends bytes as they are. */
async function send(path: string, body: Buffer, type: string, more: Record<string, string> = {}) {
  const headers = { authorization: `Bearer ${account.testKey}`, 'content-type': type, ...more };
  const response = await fetch(service.url + path, { method: 'POST', headers, body });
  const text = await response.text();
  return { status: response.status, text, code: (JSON.parse(text) as { code?: string }).code };
}

describe('bytes that are not UTF-8', () => {
  const latin1 = (text: string) => Buffer.from(text, 'latin1');
  const people = '{"people":[{"full_name":"J\xf6rg Maier","domain":"a.example"}]}';

  it.each([
    ['an address', VERIFY, '{"email":"j\xf6rg@a.example"}'],
    ['a list', BATCH, '{"emails":["a@a.example","j\xf6rg@a.example"]}'],
    ['a list’s last text', BATCH, '{"emails":["a@a.example"],"name":"\xc3"}'],
    ['what a list ends with', BATCH, '{"emails":["a@a.example"]}\xe2\x82'],
    ['people', PEOPLE, people],
  ])('bytes that are not UTF-8 in the JSON of %s are 400 malformed_json', async (_, path, body) => {
    expect(await send(path, latin1(body), 'application/json')).toMatchObject({ status: 400, code: 'malformed_json' });
    const packed = gzipSync(latin1(body));
    if (path === VERIFY) return;
    const reply = await send(path, packed, 'application/json', { 'content-encoding': 'gzip' });
    expect(reply).toMatchObject({ status: 400, code: 'malformed_json' });
  });

  it('bytes that are not UTF-8 in a message to the MCP endpoint are what JSON-RPC calls a parse error', async () => {
    const message = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"\xf6"}}';
    const { status, text } = await send('/mcp', latin1(message), 'application/json');
    expect([status, JSON.parse(text)]).toMatchObject([400, { error: { code: -32_700 } }]);
  });

  it.each([
    ['text/csv', PEOPLE, 'name,domain\nJ\xf6rg Maier,a.example\n'],
    ['text/csv', BATCH, 'email\nj\xf6rg@a.example\n'],
    ['application/x-ndjson', PEOPLE, '{"full_name":"J\xf6rg Maier","domain":"a.example"}\n'],
  ])('bytes that are not UTF-8 in %s to %s are 422, and read where its charset is named', async (type, path, body) => {
    const refused = await send(path, latin1(body), type);
    expect(refused).toMatchObject({ status: 422, code: 'invalid_input' });
    expect(refused.text).toContain('name its charset');
    expect(await send(path, latin1(body), `${type}; charset=iso-8859-1`)).toMatchObject({ status: 201 });
  });
});

describe('a deeply nested body', () => {
  it.each([VERIFY, BATCH, PEOPLE, '/agent-gateway/register', '/api/v1/webhooks', '/mcp'])(
    'a deeply nested body is refused as a mistake of the caller by %s, with and without a key',
    async (path) => {
      for (const body of ['['.repeat(100_000), '['.repeat(100_000) + ']'.repeat(100_000)])
        for (const authorization of [`Bearer ${account.liveKey}`, '']) {
          const { status } = await send(path, Buffer.from(body), 'application/json', { authorization });
          expect([400, 401, 422]).toContain(status);
          if (path === '/agent-gateway/register') expect(status).toBe(400);
        }
    },
  );
});

describe('an upload that is refused before it has come', () => {
  const line = 'a@a.example\n';
  const csv = Buffer.from(`email\n${line.repeat(1_000_000)}`);
  const json = Buffer.from(`{"emails":[${'"a@a.example",'.repeat(900_000)}"a@a.example"]}`);
  const form = Buffer.from(
    `--X\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n${csv.toString()}\r\n--X--\r\n`,
  );

  it.each([
    ['CSV', 'text/csv', csv],
    ['JSON', 'application/json', json],
    ['lines', 'text/plain', csv],
    ['a form', 'multipart/form-data; boundary=X', form],
    ['something else', 'application/zip', csv],
  ])(
    'an upload that is refused before it has come as %s gets its reply though it is sent to its end first, and the connection goes on',
    async (_, type, body) => {
      const key = await register(service);
      for (const more of [{}, { 'Idempotency-Key': 'k' }] as Record<string, string>[]) {
        const headers = {
          Authorization: `Bearer ${key}`,
          'Content-Type': type,
          'Content-Length': body.length,
          ...more,
        };
        const next = head('GET /healthz', { Connection: 'close' });
        const { text, end } = await exchange(service.url, [head(`POST ${BATCH}`, headers), ...cut(body), next]);
        const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
        expect([statuses, end]).toEqual([[type === 'application/zip' ? 415 : 422, 200], 'closed']);
      }
    },
  );
});

function cut(body: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(body.length / 65_536) }, (_, i) => body.subarray(i * 65_536, (i + 1) * 65_536));
}
