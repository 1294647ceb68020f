import type { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AccountAdministrationService } from '../../src/admin/account-administration.service.js';
import { KeyTransaction } from '../../src/keys/access/key-transaction.js';
import { generateToken, hashToken } from '../../src/keys/access/token.js';
import { RateLimiter } from '../../src/platform/redis/rate-limiter.js';
import { REDIS } from '../../src/platform/redis/redis.js';
import { createFullAccount } from '../support/accounts.js';
import { createAdminKey, TESTER } from '../support/admin.js';
import { call, type Call, register, type Reply } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';

/* Every status and code of `docs/errors.md` that a key can meet, for each kind of key that can meet it. */

const KINDS = ['agent', 'live', 'test', 'admin'] as const;
type Kind = (typeof KINDS)[number];
const OF_ACCOUNTS = ['agent', 'live', 'test'] as const;
const OF_FULL_ACCOUNTS = ['live', 'test'] as const;

/** Looking costs nothing and changes nothing. */
const LOOK: Record<Kind, string> = {
  agent: '/api/v1/credits',
  live: '/api/v1/credits',
  test: '/api/v1/credits',
  admin: '/admin/v1/pool',
};
const POST: Record<Kind, string> = {
  agent: '/api/v1/verify',
  live: '/api/v1/verify',
  test: '/api/v1/verify',
  admin: '/admin/v1/accounts',
};
/** What such a route takes, with a word of its own. */
const bodyOf = (kind: Kind, word: string): object =>
  kind === 'admin' ? { name: word } : { email: `${word}@nowhere.invalid` };
const IN_FLIGHT: Record<Kind, number> = { agent: 1, live: 50, test: 50, admin: 50 };
const RATE: Record<Kind, number> = { agent: 10, live: 20, test: 20, admin: 100 };

let service: TestService;
let keys: Record<Kind, string>;
let accountId: string;

beforeAll(async () => {
  service = await startService({ env: { registrationsPerHour: 1000, registrationsPerDay: 1000 } });
});

beforeEach(async () => {
  await service.app.get<Redis>(REDIS).flushdb();
  const account = await createFullAccount({ url: service.env.databaseUrl }, { plan: 'free', credits: 0 });
  accountId = account.accountId;
  keys = {
    agent: await register(service),
    live: account.liveKey,
    test: account.testKey,
    admin: await createAdminKey(service),
  };
});

afterAll(() => service.close());

const sql = (text: string, parameters: unknown[] = []) => service.app.get(DataSource).query(text, parameters);
const look = (kind: Kind, key = keys[kind]) => call(service, LOOK[kind], { key });
const send = (kind: Kind, options: Call) => call(service, POST[kind], { key: keys[kind], method: 'POST', ...options });
const raw = async (kind: Kind, body: string, type = 'application/json'): Promise<Reply> => {
  const headers = { authorization: `Bearer ${keys[kind]}`, 'content-type': type };
  const reply = await fetch(service.url + POST[kind], { method: 'POST', headers, body });
  return { status: reply.status, headers: reply.headers, body: await reply.json() };
};

/** As `docs/errors.md` describes every error, with what each status adds. */
function expectRefusal({ status, headers, body }: Reply, wantedStatus: number, code: string): void {
  expect([status, body.code]).toEqual([wantedStatus, code]);
  expect(body).toMatchObject({ success: false, error: expect.any(String), request_id: headers.get('x-request-id') });
  if (status === 401) expect(headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/);
  if (status === 429 || status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  if (status === 405) expect(headers.get('allow')).toContain('POST');
  if (status === 422) expect(body.fields.length).toBeGreaterThan(0);
  if (status !== 401 && status !== 503 && !['account_suspended', 'admin_required'].includes(code))
    expect(JSON.stringify(body)).not.toMatch(/ms_(agent|live|test|admin)_\w/);
}

describe.each(KINDS)('an %s key', (kind) => {
  it('a key works', async () => {
    const { status, headers } = await look(kind);
    expect(status).toBe(200);
    expect(headers.get('x-ratelimit-limit')).toBe(String(RATE[kind]));
    expect(headers.get('ratelimit-policy')).toContain(`"in-flight";q=${IN_FLIGHT[kind]}`);
  });

  it('a key is 401 when it is mistyped, unknown, expired or revoked', async () => {
    const mistyped = keys[kind].slice(0, -1) + (keys[kind].endsWith('0') ? '1' : '0');
    expectRefusal(await look(kind, mistyped), 401, 'key_malformed');
    expectRefusal(await look(kind, generateToken(kind)), 401, 'key_unknown');
    const hash = hashToken(keys[kind]);
    await sql('UPDATE api_keys SET expires_at = now() WHERE token_hash = $1', [hash]);
    expectRefusal(await look(kind), 401, 'key_expired');
    await sql('UPDATE api_keys SET revoked_at = now() WHERE token_hash = $1', [hash]);
    await service.app.get(KeyTransaction).run(async ({ touch }) => touch([hash]), null);
    expectRefusal(await look(kind), 401, 'key_revoked');
  });

  it('a key is 400 for a body that is no JSON, and for an idempotency key that cannot be one', async () => {
    expectRefusal(await raw(kind, '{'), 400, 'malformed_json');
    const headers = { 'idempotency-key': '"' };
    expectRefusal(await send(kind, { headers, body: {} }), 400, 'malformed_header');
  });

  it('a key is 404 where there is nothing, 405 where there is, by another method', async () => {
    expectRefusal(await call(service, '/api/v1/nothing', { key: keys[kind] }), 404, 'not_found');
    expectRefusal(await call(service, POST[kind], { key: keys[kind], method: 'PUT' }), 405, 'method_not_allowed');
  });

  it('a key is 401 where there is nothing, and by another method, when it is no good', async () => {
    for (const [path, method] of [
      ['/api/v1', 'GET'],
      ['/api/v1/nothing?at=all', 'GET'],
      ['/api/v1/nothing/below', 'POST'],
      ['/admin/v1/nothing', 'DELETE'],
      // As the router reads them.
      ['/%61dmin/v1/nothing', 'GET'],
      ['/api/%76%31/nothing', 'GET'],
      // What it cannot decode, and what is longer than any id.
      ['/api/v1/%zz', 'GET'],
      ['/api/v1/lists/%ff', 'GET'],
      ['/%61pi/v1/%', 'POST'],
      ['/admin/v1/accounts/%ed%a0%80', 'GET'],
      [`/api/v1/lists/${'1'.repeat(10_000)}`, 'GET'],
      [POST[kind], 'PUT'],
    ] as const) {
      expectRefusal(await call(service, path, { key: generateToken(kind), method }), 401, 'key_unknown');
      const none = await call(service, path, { method });
      expect([none.status, none.body.code, none.headers.get('allow')]).toEqual([401, 'key_missing', null]);
      expect(none.headers.get('www-authenticate')).toBe('Bearer realm="mailsonde"');
    }
  });

  it('a key is 413 and 415 for bodies that are too large or of another type', async () => {
    expectRefusal(await raw(kind, JSON.stringify('x'.repeat(1_100_000))), 413, 'body_too_large');
    expectRefusal(await raw(kind, 'email=x', 'application/x-www-form-urlencoded'), 415, 'unsupported_media_type');
  });

  it('a key is 422 for wrong input', async () => {
    expectRefusal(await send(kind, { body: kind === 'admin' ? { name: 7 } : { email: 7 } }), 422, 'invalid_input');
  });

  it('a key is 422 for an idempotency key with another body', async () => {
    const headers = { 'idempotency-key': `reused-${kind}` };
    await send(kind, { headers, body: bodyOf(kind, 'valid') });
    const { status, body } = await send(kind, { headers, body: bodyOf(kind, 'other') });
    // Without credits the first was refused and nothing is kept of it.
    if (kind === 'live') expect([status, body.code]).toEqual([402, 'credits_insufficient']);
    else expect([status, body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('a key is 409 for an idempotency key whose first request still runs', async () => {
    await sql('UPDATE credit_balances SET available = 1 WHERE account_id = $1', [accountId]);
    const copy = { headers: { 'idempotency-key': `running-${kind}` }, body: bodyOf(kind, 'no address') };
    await send(kind, copy);
    await sql(
      `UPDATE idempotency_keys SET status = NULL, reply = NULL, lease_expires_at = now() + interval '1 minute'`,
    );
    expectRefusal(await send(kind, copy), 409, 'idempotency_in_progress');
  });

  it(`is 429 after ${RATE[kind]} requests at once`, async () => {
    // Used up with a token in 10 s, so that none comes back meanwhile.
    const key = `rate:{${await ownerOf(kind)}}`;
    const limit =
      kind === 'agent'
        ? ({ kind: 'window', key, requests: 10, windowMs: 60_000 } as const)
        : ({ kind: 'bucket', key, perSecond: 0.1, burst: RATE[kind] } as const);
    const limiter = service.app.get(RateLimiter);
    await Promise.all(Array.from({ length: RATE[kind] }, () => limiter.admit([limit])));
    expectRefusal(await look(kind), 429, 'rate_limited');
  });

  it(`is 429 while ${IN_FLIGHT[kind]} of its requests run`, async () => {
    const limiter = service.app.get(RateLimiter);
    const limit = { kind: 'permits', key: `flight:{${await ownerOf(kind)}}`, permits: IN_FLIGHT[kind] } as const;
    const admissions = await Promise.all(Array.from({ length: IN_FLIGHT[kind] }, () => limiter.admit([limit])));
    const refused = await look(kind);
    await limiter.release(admissions[0]!);
    const admitted = await look(kind);
    await Promise.all(admissions.map((admission) => limiter.release(admission)));
    expectRefusal(refused, 429, 'request_in_flight');
    expect(refused.headers.get('x-ratelimit-remaining')).toBe(String(RATE[kind]));
    expect(admitted.status).toBe(200);
  });
});

/** Whose limits they are. */
async function ownerOf(kind: Kind): Promise<string> {
  const rows = await sql('SELECT coalesce(account_id, id) AS owner FROM api_keys WHERE token_hash = $1', [
    hashToken(keys[kind]),
  ]);
  return `${kind}:${rows[0].owner}`;
}

describe.each(OF_ACCOUNTS)('an %s key', (kind) => {
  it('a key is 403 for administration, and while its account is suspended', async () => {
    expectRefusal(await call(service, '/admin/v1/accounts', { key: keys[kind] }), 403, 'admin_required');
    const id = (await ownerOf(kind)).split(':')[1]!;
    await service.app.get(AccountAdministrationService).suspend(TESTER, id, 'test');
    expectRefusal(await look(kind), 403, 'account_suspended');
  });
});

describe('refusals of one kind of key only', () => {
  it('an agent key is 403 where a full account is needed', async () => {
    expectRefusal(await call(service, '/api/v1/keys', { key: keys.agent }), 403, 'full_account_required');
  });

  it('an admin key is 403 where an account is needed, and its error says so', async () => {
    const routes = ['/api/v1/credits', '/api/v1/keys', '/api/v1/credits/history'];
    for (const route of routes) {
      const reply = await call(service, route, { key: keys.admin });
      expectRefusal(reply, 403, 'full_account_required');
      expect(reply.body.error).toContain('admin key');
    }
  });

  it('a test key is 403 for live ones', async () => {
    for (const body of [{}, { kind: 'live' }]) {
      const reply = await call(service, '/api/v1/keys', { key: keys.test, body });
      expectRefusal(reply, 403, 'live_key_required');
      expect(reply.body.error).toContain('Say "kind":"test"');
    }
    expect((await call(service, '/api/v1/keys', { key: keys.test, body: { kind: 'test' } })).status).toBe(201);
  });

  it.each(OF_FULL_ACCOUNTS)('a %s key is 404 for keys that are not there', async (kind) => {
    const path = '/api/v1/keys/00000000-0000-4000-8000-000000000000';
    expectRefusal(await call(service, path, { key: keys[kind], method: 'DELETE' }), 404, 'key_not_found');
  });

  it('a live key is 409 for the revocation of the last one', async () => {
    const { body } = await call(service, '/api/v1/keys', { key: keys.live });
    const { id } = body.keys.find(({ kind }: { kind: string }) => kind === 'live');
    const reply = await call(service, `/api/v1/keys/${id}`, { key: keys.live, method: 'DELETE' });
    expectRefusal(reply, 409, 'last_live_key');
  });

  it('an admin key is 404 for accounts and keys that are not there, and 409 for what cannot be', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000';
    const get = (path: string) => call(service, `/admin/v1/${path}`, { key: keys.admin });
    expectRefusal(await get(`accounts/${nobody}`), 404, 'account_not_found');
    const rotate = await call(service, `/admin/v1/keys/${nobody}/rotate`, { key: keys.admin, body: {} });
    expectRefusal(rotate, 404, 'key_not_found');
    const body = { amount: -1, reason: 'slip' };
    const adjust = await call(service, `/admin/v1/accounts/${accountId}/credits/adjust`, { key: keys.admin, body });
    expectRefusal(adjust, 409, 'balance_too_low');
  });

  it('a live key without credits is 402, and a test key by a magic address', async () => {
    expectRefusal(await send('live', { body: { email: 'a@example.com' } }), 402, 'credits_insufficient');
    const email = 'insufficient-credits@example.com';
    expectRefusal(await send('test', { body: { email } }), 402, 'credits_insufficient');
    expectRefusal(await send('test', { body: { email: 'rate-limited@example.com' } }), 429, 'rate_limited');
  });
});

describe('when Redis is away', () => {
  it('every key is 503, none is let in unlimited, and a wrong one is still 401', async () => {
    const away = await startService({ database: { url: service.env.databaseUrl, drop: async () => undefined } });
    away.app.get<Redis>(REDIS).disconnect();
    for (const kind of KINDS) {
      expectRefusal(await call(away, LOOK[kind], { key: keys[kind] }), 503, 'unavailable');
      expectRefusal(await call(away, LOOK[kind], { key: generateToken(kind) }), 401, 'key_unknown');
    }
    await away.close();
  });
});
