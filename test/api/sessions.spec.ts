import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/lib/durations.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { onDatabase } from '../support/batches.js';
import { call, type Call, register } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { ManualClock } from '../support/manual-clock.js';
import { makeScopedKey } from '../support/scoped-keys.js';
import { startService, type TestService } from '../support/service.js';

const PATH = '/console/session';
const OURS = { 'sec-fetch-site': 'same-origin' };

let database: TestDatabase;
let service: TestService;
let account: FullAccount;
const clock = new ManualClock(Date.parse('2026-12-01T10:00:00Z'));

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({ database, clock, env: { trustedProxies: ['127.0.0.1'] } });
});

beforeEach(async () => {
  account = await createFullAccount(database);
});

afterAll(async () => {
  await service.close();
  await database.drop();
});

const open = (apiKey: unknown, headers: Record<string, string> = OURS, of: TestService = service) =>
  call(of, PATH, { body: { api_key: apiKey }, headers });

let clients = 0;

/** Each time from another network. */
const elsewhere = () => ({ ...OURS, 'x-forwarded-for': `10.0.${clients >> 8}.${clients++ & 255}` });

async function signIn(apiKey: string, of = service): Promise<string> {
  const { status, headers } = await open(apiKey, elsewhere(), of);
  expect(status).toBe(204);
  return headers.get('set-cookie')!.split(';')[0]!;
}

const withCookie = (cookie: string, path: string, { headers, ...options }: Call = {}) =>
  call(service, path, { ...options, headers: { cookie, ...OURS, ...headers } });

describe('a session', () => {
  it('a session opens with a key, in a cookie that no script and no other site gets', async () => {
    const { status, headers, body } = await open(account.testKey);
    expect([status, body]).toEqual([204, null]);
    expect(headers.get('set-cookie')).toMatch(/^ms_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('a session is bound to its host and to https by the name of its cookie, where the service is public over https', async () => {
    const secure = await startService({ database, env: { publicUrl: 'https://mail.example.com' } });
    try {
      const { headers } = await open(account.testKey, OURS, secure);
      const cookie = headers.get('set-cookie')!;
      expect(cookie).toMatch(/^__Host-ms_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
      const plain = cookie.split(';')[0]!.replace('__Host-', '');
      expect((await call(secure, PATH, { headers: { cookie: plain } })).status).toBe(401);
      const good = { cookie: cookie.split(';')[0]!, origin: 'https://mail.example.com' };
      expect((await call(secure, PATH, { headers: good })).status).toBe(200);
      expect((await call(secure, PATH, { method: 'DELETE', headers: good })).status).toBe(204);
    } finally {
      await secure.close();
    }
  });

  it.each([
    ['test', async () => account.testKey, 'test', 'Test account'],
    ['live', async () => account.liveKey, 'live', 'Test account'],
    ['agent', () => register(service), 'agent', null],
    ['admin', () => createAdminKey(service), 'admin', undefined],
  ])('a session of a key of the kind %s tells who is signed in', async (_, key, kind, name) => {
    const { status, headers, body } = await withCookie(await signIn(await key()), PATH);
    expect([status, body.key.kind, body.account?.name]).toEqual([200, kind, name]);
    expect(JSON.stringify(body)).not.toContain('hash');
    expect(headers.get('vary')).toBe('Sec-Fetch-Site, Origin, Cookie');
  });

  it('a session is told to caches beside what else a download depends on', async () => {
    const key = account.testKey;
    const { body } = await call(service, '/api/v1/verify/batch', { key, body: { emails: ['valid@a.example'] } });
    const path = `/api/v1/verify/batch/${body.id}/results?format=ndjson&partial=true`;
    const { status, headers } = await withCookie(await signIn(key), path);
    expect(status).toBe(200);
    expect(headers.get('vary')).toBe('Sec-Fetch-Site, Origin, Cookie, Accept-Encoding');
    expect((await call(service, path, { key })).headers.get('vary')).toBe('Accept-Encoding');
  });

  it('a session may what its key may, and no more', async () => {
    const cookie = await signIn(account.testKey);
    expect((await withCookie(cookie, '/api/v1/lists')).status).toBe(200);
    const made = await withCookie(cookie, '/api/v1/keys', { body: { kind: 'test', name: 'made in a browser' } });
    expect([made.status, made.body.name]).toEqual([201, 'made in a browser']);
    expect((await withCookie(cookie, '/admin/v1/accounts')).status).toBe(403);
    const scoped = await makeScopedKey(service, account.testKey, { kind: 'test', permissions: ['lists'] });
    const narrow = await signIn(scoped);
    expect((await withCookie(narrow, PATH)).body.permissions).toEqual(['lists']);
    expect((await withCookie(narrow, '/api/v1/webhooks')).body).toMatchObject({ code: 'permission_missing' });
    const admin = await signIn(await createAdminKey(service));
    expect((await withCookie(admin, '/admin/v1/accounts')).status).toBe(200);
    expect((await withCookie(admin, '/api/v1/credits')).status).toBe(403);
  });

  it('a session yields to a key in the header, and knows nobody at /mcp', async () => {
    const cookie = await signIn(account.testKey);
    const other = await createFullAccount(database);
    const { body } = await withCookie(cookie, PATH, { key: other.testKey });
    expect(body.account.id).toBe(other.accountId);
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_credit_balance', arguments: {} },
    };
    const headers = { accept: 'application/json', 'content-type': 'application/json', cookie, ...OURS };
    const reply = await fetch(`${service.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) });
    expect(await reply.text()).toMatch(/get_api_key|API key/);
  });

  it('a session cannot be made up, and holds nothing that a copy of the database opens', async () => {
    const cookie = await signIn(account.testKey);
    const [row] = await onDatabase(
      database.url,
      `SELECT encode(id_hash, 'hex') AS hash, actor_kind FROM console_sessions ORDER BY created_at DESC LIMIT 1`,
    );
    expect(row).toMatchObject({ actor_kind: 'key' });
    for (const value of ['', 'x', 'a'.repeat(43), cookie.slice(11, -1), row!['hash'] as string, '%00', '__proto__'])
      expect((await withCookie(`ms_session=${value}`, '/api/v1/credits')).body.code).toBe('key_missing');
    expect((await withCookie('a'.repeat(10_000), PATH)).status).toBe(401);
  });
});

describe('the end of a session', () => {
  it('the end of a session comes when its person signs out, here or everywhere', async () => {
    const [one, two] = [await signIn(account.testKey), await signIn(account.testKey)];
    const out = await withCookie(one, PATH, { method: 'DELETE' });
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      204,
      'ms_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    ]);
    expect((await withCookie(one, PATH)).status).toBe(401);
    expect((await withCookie(two, PATH)).status).toBe(200);
    const three = await signIn(account.testKey);
    await withCookie(three, `${PATH}?everywhere=true`, { method: 'DELETE' });
    expect((await withCookie(two, PATH)).status).toBe(401);
    expect((await withCookie(two, `${PATH}?everywhere=maybe`, { method: 'DELETE' })).status).toBe(401);
  });

  it('the end of a session comes with the end of its key, within the second', async () => {
    const { body } = await call(service, '/api/v1/keys', { key: account.testKey, body: { kind: 'test' } });
    const cookie = await signIn(body.api_key);
    expect((await withCookie(cookie, PATH)).status).toBe(200);
    const revoked = await call(service, `/api/v1/keys/${body.id}`, { key: account.testKey, method: 'DELETE' });
    expect(revoked.status).toBe(204);
    expect((await withCookie(cookie, PATH)).body.code).toBe('key_revoked');
  });

  it('the end of a session comes with the grace of a key that was rotated', async () => {
    const { body } = await call(service, '/api/v1/keys', { key: account.testKey, body: { kind: 'test' } });
    const cookie = await signIn(body.api_key);
    const rotated = await call(service, `/api/v1/keys/${body.id}/rotate`, {
      key: account.testKey,
      body: { grace_seconds: 3600 },
    });
    expect(rotated.status).toBe(201);
    expect((await withCookie(cookie, PATH)).status).toBe(200);
    clock.advance(HOUR_MS + 1);
    expect((await withCookie(cookie, PATH)).body.code).toBe('key_revoked');
  });

  it('the end of a session comes after 12 hours without use, after 7 days at last, and for administrators after 30 minutes', async () => {
    const cookie = await signIn(account.testKey);
    const admin = await signIn(await createAdminKey(service));
    clock.advance(29 * MINUTE_MS);
    expect((await withCookie(admin, PATH)).status).toBe(200);
    clock.advance(29 * MINUTE_MS);
    expect((await withCookie(admin, PATH)).status).toBe(200);
    clock.advance(30 * MINUTE_MS);
    expect((await withCookie(admin, PATH)).status).toBe(401);
    clock.advance(10 * HOUR_MS);
    for (let hours = 11; hours < 7 * 24; hours += 11) {
      expect((await withCookie(cookie, PATH)).status).toBe(200);
      clock.advance(11 * HOUR_MS);
    }
    expect((await withCookie(cookie, PATH)).status).toBe(401);
    const idle = await signIn(account.testKey);
    clock.advance(12 * HOUR_MS);
    expect((await withCookie(idle, PATH)).status).toBe(401);
  });

  it('the end of a session comes to the oldest when a key has too many, and leaves no row behind', async () => {
    const { testKey } = await createFullAccount(database);
    const cookies: string[] = [];
    for (let i = 0; i < 2; i++) {
      cookies.push(await signIn(testKey));
      clock.advance(1);
    }
    const more = `INSERT INTO console_sessions
      SELECT sha256(n::text::bytea), key_id, actor_kind, created_at + interval '1 s', seen_at, expires_at
        FROM (SELECT * FROM console_sessions ORDER BY created_at DESC LIMIT 1) s, generate_series(1, 18) n`;
    await onDatabase(database.url, more);
    clock.advance(MINUTE_MS);
    await signIn(testKey);
    expect((await withCookie(cookies[0]!, PATH)).status).toBe(401);
    expect((await withCookie(cookies[1]!, PATH)).status).toBe(200);
    clock.advance(13 * HOUR_MS);
    await signIn(testKey);
    const [rows] = await onDatabase(database.url, 'SELECT count(*)::int AS count FROM console_sessions');
    expect(rows).toEqual({ count: 1 });
  });
});

describe('a page of another origin', () => {
  const sites: [string, Record<string, string>, number, number][] = [
    ['ours', { 'sec-fetch-site': 'same-origin' }, 200, 200],
    ['an address that was typed', { 'sec-fetch-site': 'none' }, 200, 401],
    ['a sibling of our host', { 'sec-fetch-site': 'same-site' }, 401, 401],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 401, 401],
    ['a header that is none', { 'sec-fetch-site': 'same-origin, cross-site' }, 401, 401],
    ['another site that names our origin', { 'sec-fetch-site': 'cross-site', origin: 'OURS' }, 401, 401],
    ['an old browser on our page', { origin: 'OURS' }, 200, 200],
    ['an old browser elsewhere', { origin: 'https://evil.example' }, 200, 401],
    ['a page without an origin', { origin: 'null' }, 200, 401],
    ['a program', {}, 200, 401],
  ];

  it.each(sites)('%s', async (_, given, reading, changing) => {
    const headers = Object.fromEntries(Object.entries(given).map(([k, v]) => [k, v.replace('OURS', service.url)]));
    const cookie = await signIn(account.testKey);
    const read = await call(service, '/api/v1/webhooks', { headers: { cookie, ...headers } });
    expect(read.status).toBe(reading);
    const change = { method: 'PATCH', headers: { cookie, ...headers }, body: { report_in_verify: true } };
    const changed = await call(service, '/api/v1/suppression-settings', change);
    expect(changed.status).toBe(changing);
    const opened = await open(account.testKey, headers);
    expect(opened.status).toBe(changing === 200 ? 204 : 400);
  });
});

describe('signing in', () => {
  it.each([
    ['ms_test_x', 401, 'key_malformed'],
    ['', 401, 'key_missing'],
    ['a b', 401, 'key_missing'],
    [7, 422, 'invalid_input'],
    [null, 422, 'invalid_input'],
    ['x'.repeat(201), 422, 'invalid_input'],
    ['\0', 401, 'key_malformed'],
  ])('signing in refuses %j', async (key, status, code) => {
    const reply = await open(key, { ...OURS, 'x-forwarded-for': '192.0.2.7' });
    expect([reply.status, reply.body.code, reply.headers.get('set-cookie')]).toEqual([status, code, null]);
  });

  it('signing in fails ten times a minute from one network; good keys work all the same', async () => {
    const from = (address: string) => ({ ...OURS, 'x-forwarded-for': address });
    for (let i = 0; i < 10; i++) expect((await open(`ms_test_${i}`, from('192.0.2.8'))).status).toBe(401);
    const refused = await open('ms_test_x', from('192.0.2.8'));
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await open(account.testKey, from('192.0.2.8'))).status).toBe(204);
    expect((await open('ms_test_x', from('192.0.2.9'))).status).toBe(401);
  });
});

describe('signing in with good keys', () => {
  it('signing in with good keys is for one key ten times a minute, wherever it comes from, and leaves the other keys alone', async () => {
    for (let i = 0; i < 10; i++) await signIn(account.testKey);
    const refused = await open(account.testKey, elsewhere());
    expect([refused.status, refused.body.code, refused.headers.get('set-cookie')]).toEqual([429, 'rate_limited', null]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await signIn(account.liveKey);
  });

  it('signing in with good keys shuts out nobody else of the same network, however many keys sign in there', async () => {
    const from = { ...OURS, 'x-forwarded-for': '192.0.2.30' };
    const accounts = await Promise.all(Array.from({ length: 4 }, () => createFullAccount(database)));
    const keys = Array.from({ length: 32 }, (_, i) => accounts[i % 4]!.testKey);
    const replies = await Promise.all(keys.map((key) => open(key, from)));
    expect(replies.map(({ status }) => status)).toEqual(keys.map(() => 204));
    expect((await open(account.testKey, from)).status).toBe(204);
  });

  it('signing in with good keys is for one account thirty times a minute in each mode, with whatever keys', async () => {
    const made = await Promise.all([1, 2, 3].map(() => makeScopedKey(service, account.testKey, { kind: 'test' })));
    const keys = Array.from({ length: 32 }, (_, i) => [account.testKey, ...made][i % 4]!);
    const replies = await Promise.all(keys.map((key) => open(key, elsewhere())));
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(30);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(2);
    await signIn(account.liveKey);
  });

  it('signing in with good keys at once, when sessions have expired and the key has as many as it may, fails for nobody', async () => {
    await onDatabase(database.url, 'DELETE FROM console_sessions');
    await signIn(account.testKey);
    const fill = `INSERT INTO console_sessions
      SELECT sha256((n::text || key_id)::bytea), key_id, actor_kind, created_at - interval '1 s', seen_at,
             CASE WHEN n > 20 THEN created_at - interval '1 s' ELSE expires_at END
        FROM console_sessions s, generate_series(1, 60) n`;
    await onDatabase(database.url, fill);
    await Promise.all(Array.from({ length: 9 }, () => signIn(account.testKey)));
    const [left] = await onDatabase(database.url, 'SELECT count(*)::int AS count FROM console_sessions');
    expect(left).toEqual({ count: 20 });
  });
});

describe('the rate of a session', () => {
  it("the rate of a session is the console's own for reading, and the key's for work", async () => {
    const cookie = await signIn(await register(service));
    const read = await withCookie(cookie, PATH);
    expect(read.headers.get('ratelimit-policy')).toContain('"requests";q=60;w=3,');
    const reads = Array.from({ length: 20 }, async () => (await withCookie(cookie, '/api/v1/credits')).status);
    expect(new Set(await Promise.all(reads))).toEqual(new Set([200]));
    const work = await withCookie(cookie, '/api/v1/verify', { body: { email: 'not an address' } });
    expect(work.headers.get('ratelimit-policy')).toContain('"requests";q=10;w=60,');
  });
});

describe('the page of the console', () => {
  it.each(['/console', '/console/', '/console/batches/7', '/console/nothing?x=1'])(
    'the page of the console is served at %s',
    async (path) => {
      const reply = await fetch(service.url + path);
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(reply.headers.get('cache-control')).toBe('no-cache');
      expect(reply.headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      );
      const again = await fetch(service.url + path, { headers: { 'if-none-match': reply.headers.get('etag')! } });
      expect(again.status).toBe(304);
      expect(await reply.text()).not.toMatch(/<script>|<style|style=|onclick/i);
    },
  );

  it('the page of the console is none of the API: what is not there is a 404 in JSON, and other methods are refused', async () => {
    expect((await call(service, '/api/v1/nothing', { key: account.testKey })).body.code).toBe('not_found');
    expect((await call(service, '/console/assets/none.js')).body.code).toBe('not_found');
    expect((await call(service, '/console/batches', { method: 'DELETE' })).status).toBe(405);
    expect((await call(service, `${PATH}/more`, { method: 'POST' })).status).toBe(405);
  });
});
