import { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RegistrationService } from '../../src/keys/accounts/registration.service.js';
import { hashToken } from '../../src/keys/access/token.js';
import { call, register } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');
const PATH = '/agent-gateway/register';

let service: TestService;
let redis: Redis;

beforeAll(async () => {
  service = await startService({ clock: { now: () => NOW } });
  redis = new Redis(service.env.redisUrl);
});

afterAll(async () => {
  redis.disconnect();
  await service.close();
});

// Nobody has registered yet.
beforeEach(async () => {
  await redis.flushdb();
  await rows('TRUNCATE accounts CASCADE');
});

const rows = (sql: string) => service.app.get(DataSource).query(sql);

const EMAILS = { emails: ['jane@example.com', 'john@example.com'] };

describe('a registration', () => {
  it('a registration answers the named fields at the top level, with endpoints and quota', async () => {
    const { status, body } = await call(service, PATH, { body: { name: 'Scout' } });
    expect(status).toBe(201);
    expect(body).toEqual({
      api_key: expect.stringMatching(/^ms_agent_[0-9A-Za-z]{38}$/),
      expires_at: '2026-12-21T10:00:00.000Z',
      daily_free_credits: 25,
      claim_url: `${service.url}/claim`,
      claim_token: expect.stringMatching(/^ms_claim_[0-9A-Za-z]{38}$/),
      endpoints: {
        register: { method: 'POST', url: `${service.url}/agent-gateway/register` },
        verify: { method: 'POST', url: `${service.url}/api/v1/verify`, body: { email: 'jane@example.com' } },
        verify_batch: { method: 'POST', url: `${service.url}/api/v1/verify/batch`, body: EMAILS },
        batch_status: { method: 'GET', url: `${service.url}/api/v1/verify/batch/{id}` },
        batch_results: { method: 'GET', url: `${service.url}/api/v1/verify/batch/{id}/results` },
        estimate: { method: 'POST', url: `${service.url}/api/v1/estimate`, body: EMAILS },
        credits: { method: 'GET', url: `${service.url}/api/v1/credits` },
        mcp: { method: 'POST', url: `${service.url}/mcp` },
        mcp_card: { method: 'GET', url: `${service.url}/.well-known/mcp.json` },
        agent_card: { method: 'GET', url: `${service.url}/.well-known/agent.json` },
        openapi: { method: 'GET', url: `${service.url}/agent-gateway/openapi.json` },
        guide: { method: 'GET', url: `${service.url}/llms.txt` },
      },
      quota: {
        daily_free_credits: 25,
        rate: { requests: 10, window_seconds: 60 },
        concurrent_requests: 1,
        batch_size: 25,
        key_life_days: 30,
      },
    });
  });

  it('a registration names endpoints that answer', async () => {
    const { body } = await call(service, PATH, { method: 'POST' });
    for (const { method, url } of Object.values<{ method: string; url: string }>(body.endpoints)) {
      const asked = url.replace('{id}', '1');
      const reply = await fetch(asked, { method, headers: { authorization: `Bearer ${body.api_key}` } });
      const text = await reply.text();
      const { code } = text.startsWith('{') ? (JSON.parse(text) as { code?: string }) : {};
      expect(
        [undefined, 'invalid_input', 'unsupported_media_type', 'batch_not_found'],
        `${reply.status} ${url}`,
      ).toContain(code);
    }
  });

  it.each([
    ['no body', { method: 'POST' }],
    ['no body in spite of a content type', { method: 'POST', headers: { 'content-type': 'application/json' } }],
    ['an empty object', { body: {} }],
    ['nulls', { body: { name: null, purpose: null, contact: null } }],
    ['unknown fields', { body: { colour: 'blue' } }],
    [
      'the longest values',
      { body: { name: 'é'.repeat(80), purpose: 'p'.repeat(500), contact: `https://example.com/${'c'.repeat(235)}` } },
    ],
    ['an address as contact', { body: { contact: 'Ops+agents@Example.com' } }],
    ['a page with port and query as contact', { body: { contact: 'http://example.com:8080/contact?from=agent' } }],
  ])('a registration takes %s', async (_, request) => {
    expect((await call(service, PATH, request)).status).toBe(201);
  });

  it.each([
    ['name', 'n'.repeat(81)],
    ['purpose', 'p'.repeat(501)],
    ['contact', `https://example.com/${'c'.repeat(236)}`],
    ['contact', 'Jane of Example Ltd'],
    ['contact', ''],
    ['contact', 'example.com'],
    ['contact', 'javascript:alert(1)'],
    ['contact', 'http://localhost/'],
    ['contact', 'a\ud800b'],
    ['name', 'a\udc00b'],
    ['name', 7],
    ['contact', ['a@example.com']],
    ['purpose', 'a\0b'],
  ])('a registration refuses %s %j and counts nothing', async (field, value) => {
    for (let i = 0; i < 6; i++) {
      const { status, body } = await call(service, PATH, { body: { [field]: value } });
      expect(status).toBe(422);
      expect(body).toMatchObject({ success: false, code: 'invalid_input', fields: [{ field }] });
    }
    await register(service);
  });

  it('a registration stores the input and the caller’s address, but not the token', async () => {
    const details = { name: 'Scout', purpose: 'Newsletters', contact: 'https://example.com' };
    const { body } = await call(service, PATH, { body: details });
    const [stored] = await rows(
      `SELECT a.kind, a.policy, a.name, r.purpose, r.contact, host(r.client_address) AS address, k.kind AS key_kind,
              k.token_hash, k.last_four, k.expires_at, k.last_used_at
         FROM accounts a JOIN agent_registrations r ON r.account_id = a.id JOIN api_keys k ON k.account_id = a.id`,
    );
    expect(stored).toEqual({
      ...details,
      kind: 'agent',
      policy: 'agent',
      address: '127.0.0.1',
      key_kind: 'agent',
      token_hash: hashToken(body.api_key),
      last_four: body.api_key.slice(-4),
      expires_at: new Date('2026-12-21T10:00:00.000Z'),
      last_used_at: null,
    });
    const [{ everything }] = await rows(
      `SELECT string_agg(t::text, ' ') AS everything FROM (SELECT k::text AS t FROM api_keys k UNION ALL SELECT a::text FROM accounts a) all_rows`,
    );
    expect(everything).not.toContain(body.api_key.slice(9, 41));
  });
});

describe('the registration limit', () => {
  it('the registration limit lets 5 of 200 from one address at once succeed', async () => {
    const replies = await Promise.all(Array.from({ length: 200 }, () => call(service, PATH, { method: 'POST' })));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = replies.filter(({ status }) => status !== 201);
    for (const { status, headers, body } of refused) {
      expect(status).toBe(429);
      expect(body).toMatchObject({ success: false, code: 'registration_limited' });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(3540);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3600);
    }
    expect(await rows('SELECT count(*)::integer AS keys FROM api_keys')).toEqual([{ keys: 5 }]);
  });

  it('the registration limit is not evaded by headers of no trusted proxy', async () => {
    const from = (address: string) => call(service, PATH, { method: 'POST', headers: { 'x-forwarded-for': address } });
    const statuses = [];
    for (let i = 1; i <= 6; i++) statuses.push((await from(`192.0.2.${i}`)).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  });

  it('the registration limit counts an IPv6 network as one caller and another as another', async () => {
    const registration = service.app.get(RegistrationService);
    for (let i = 1; i <= 5; i++) await registration.register({}, `2001:db8:0:1::${i}`);
    await expect(registration.register({}, '2001:db8:0:1:ffff::1')).rejects.toMatchObject({
      code: 'registration_limited',
    });
    await expect(registration.register({}, '2001:db8:0:2::1')).resolves.toMatchObject({ token: expect.any(String) });
  });
});

describe('the limits of a service that is configured otherwise', () => {
  const statusesOf = async (env: object, count: number) => {
    const other = await startService({ env });
    try {
      const replies = [];
      for (let i = 0; i < count; i++)
        replies.push(
          await call(other, PATH, {
            method: 'POST',
            headers: { 'x-forwarded-for': `192.0.2.${1 + Math.floor(i / 2)}` },
          }),
        );
      return replies;
    } finally {
      await other.close();
    }
  };

  it('the limits of a service that is configured otherwise hold for a day too, and name the time when both have room again', async () => {
    const [, , third] = await statusesOf({ registrationsPerHour: 2, registrationsPerDay: 2 }, 3);
    expect(third!.status).toBe(429);
    expect(Number(third!.headers.get('retry-after'))).toBeGreaterThan(86_000);
  });

  it('the limits of a service that is configured otherwise hold for all addresses together, as named by trusted proxies', async () => {
    const env = { registrationsPerHour: 2, registrationsPerHourGlobal: 3, trustedProxies: ['127.0.0.1'] };
    const replies = await statusesOf(env, 4);
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 429]);
  });

  it('the limits of a service that is configured otherwise close registration when they are 0', async () => {
    expect((await statusesOf({ registrationsPerHour: 0 }, 1))[0]!.status).toBe(429);
  });
});
