import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '../../src/lib/durations.js';
import { KeyLookupStore } from '../../src/keys/access/caller-keys.js';
import { generateToken, hashToken } from '../../src/keys/access/token.js';
import { call, register } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';

const START = Date.parse('2026-11-21T10:00:00.000Z');
const clock = { time: START, now: () => clock.time };

let service: TestService;

beforeAll(async () => {
  service = await startService({
    clock,
    env: { registrationsPerHour: 1000, registrationsPerDay: 1000 },
  });
});

beforeEach(() => {
  clock.time = START;
});

afterAll(() => service.close());

const sql = (text: string, parameters: unknown[] = []) => service.app.get(DataSource).query(text, parameters);
const credits = (authorization?: string) =>
  call(service, '/api/v1/credits', authorization === undefined ? {} : { headers: { authorization } });

describe('a request is refused with 401', () => {
  it.each([
    ['nothing', undefined],
    ['another scheme', 'Basic YTpi'],
    ['no token', 'Bearer '],
  ])('a request is refused with 401 key_missing for %s', async (_, authorization) => {
    const { status, headers, body } = await credits(authorization);
    expect(status).toBe(401);
    expect(body).toEqual({
      success: false,
      error: expect.any(String),
      code: 'key_missing',
      request_id: headers.get('x-request-id'),
    });
    expect(headers.get('www-authenticate')).toMatch(/^Bearer\b/);
  });

  it.each([
    ['a foreign token', 'sk_live_51H8'],
    ['a wrong checksum', `${generateToken('agent').slice(0, -1)}!`],
    ['a token cut short', generateToken('live').slice(0, -1)],
  ])('a request is refused with 401 key_malformed for %s', async (_, token) => {
    const { status, headers, body } = await credits(`Bearer ${token}`);
    expect([status, body.code]).toEqual([401, 'key_malformed']);
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('a request is refused with 401 key_malformed without a question to the database', async () => {
    const find = vi.spyOn(service.app.get(KeyLookupStore, { strict: false }), 'findByHash');
    const asked = () => find.mock.calls.length;
    await credits('Bearer nonsense');
    expect(asked()).toBe(0);
    await credits(`Bearer ${generateToken('agent')}`);
    expect(asked()).toBe(1);
    find.mockRestore();
  });

  it('a request is refused with 401 key_unknown for a token that was never given', async () => {
    const { status, headers, body } = await credits(`Bearer ${generateToken('agent')}`);
    expect([status, body.code]).toEqual([401, 'key_unknown']);
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('a request is refused with 401 key_expired from 30 days after issue on, and says how to register again', async () => {
    const key = await register(service);
    clock.time = START + 30 * DAY_MS - 1;
    expect((await credits(`Bearer ${key}`)).status).toBe(200);
    clock.time = START + 30 * DAY_MS;
    const { status, headers, body } = await credits(`Bearer ${key}`);
    expect([status, body.code]).toEqual([401, 'key_expired']);
    expect(body.error).toContain(`POST ${service.url}/agent-gateway/register`);
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('a request is refused with 401 key_revoked from its revocation on, which may lie ahead', async () => {
    const key = await register(service);
    await sql('UPDATE api_keys SET revoked_at = $2 WHERE token_hash = $1', [hashToken(key), new Date(START + 60_000)]);
    expect((await credits(`Bearer ${key}`)).status).toBe(200);
    clock.time = START + 60_000;
    expect((await credits(`Bearer ${key}`)).body.code).toBe('key_revoked');
  });

  it('a request is refused with 401 before its body is looked at', async () => {
    const reply = await fetch(`${service.url}/api/v1/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect(reply.status).toBe(401);
  });
});

it('the guard takes the scheme in any case', async () => {
  expect((await credits(`bearer ${await register(service)}`)).status).toBe(200);
});

it('no reply shows the key', async () => {
  const token = generateToken('agent');
  const { headers, body } = await credits(`Bearer ${token}`);
  expect(JSON.stringify([...headers, body])).not.toContain(token.slice(9));
});

it('the last use of a key costs no request a write, and is written when the process stops', async () => {
  const database = { url: service.env.databaseUrl, drop: async () => {} };
  const stopping = await startService({ clock, database });
  const key = await register(service);
  const lastUsed = async () =>
    (await sql('SELECT last_used_at AS at FROM api_keys WHERE token_hash = $1', [hashToken(key)]))[0].at?.getTime();
  await call(stopping, '/api/v1/credits', { key });
  clock.time = START + 59_000;
  await call(stopping, '/api/v1/credits', { key });
  expect(await lastUsed()).toBeUndefined();
  await stopping.close();
  expect(await lastUsed()).toBe(START + 59_000);
});

it('an admin key is refused where an account is needed', async () => {
  const key = generateToken('admin');
  await sql(`INSERT INTO api_keys (kind, token_hash, last_four, created_at) VALUES ('admin', $1, $2, now())`, [
    hashToken(key),
    key.slice(-4),
  ]);
  const { status, body } = await credits(`Bearer ${key}`);
  expect([status, body.code]).toEqual([403, 'full_account_required']);
});

it('health and documents need no key', async () => {
  for (const path of ['/healthz', '/readyz', '/docs', '/api/v1/openapi.json'])
    expect((await fetch(service.url + path)).status, path).toBe(200);
});
