import { hash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Redis } from 'ioredis';
import { DAY_MS } from '../../src/lib/durations.js';
import { generateToken } from '../../src/keys/access/token.js';
import { REDIS } from '../../src/platform/redis/redis.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call, register } from '../support/call.js';
import { type DnsReply, type DnsServer, startDnsServer } from '../support/dns-server.js';
import { held } from '../support/held.js';
import { callTool, post, request } from '../support/mcp.js';
import { startService, type TestService } from '../support/service.js';

let dns: DnsServer;
let answer = held<DnsReply>();
let service: TestService;
let account: FullAccount;
let key: string;
let later = 0;

beforeAll(async () => {
  dns = await startDnsServer({ answer: () => answer.promise });
  service = await startService({
    env: { dnsServers: [dns.address], registrationsPerHour: 1000, registrationsPerDay: 1000 },
    clock: { now: () => Date.now() + later },
  });
  account = await createFullAccount({ url: service.env.databaseUrl });
});

beforeEach(async () => {
  answer = held();
  later = 0;
  key = await register(service);
});

afterAll(async () => {
  answer.resolve('nxdomain');
  await service.close();
  await dns.close();
});

const sql = (text: string, values: unknown[] = []) => service.app.get(DataSource).query(text, values);
const NEED_A_KEY = [
  ['verify_email', { email: 'a@example.com' }],
  ['verify_batch', { emails: ['a@example.com'] }],
  ['get_credit_balance', {}],
  ['list_lists', {}],
  ['get_list', { list_id: 1 }],
  ['get_batch_status', { batch_id: 1 }],
] as const;

async function issue(kind: 'agent' | 'admin', more: string): Promise<string> {
  const token = generateToken(kind);
  const { accountId } = account;
  await sql(
    `INSERT INTO api_keys (account_id, kind, token_hash, last_four, created_at, ${more}) VALUES ($1, $2, $3, 'abcd', now(), now())`,
    [kind === 'admin' ? null : accountId, kind, hash('sha256', token, 'buffer')],
  );
  return token;
}

describe('without a key', () => {
  it.each(NEED_A_KEY)('%s is a result that says how to get one', async (name, given) => {
    const { isError, result } = await callTool(service, name, given);
    expect([isError, result.code, result.action]).toEqual([true, 'key_missing', 'get_api_key']);
    expect(result.next_step).toContain(`reconnect to ${service.url}/mcp with the header "Authorization: Bearer`);
  });

  it('a client lists all nine tools', async () => {
    expect((await post(service, request('tools/list'))).body.result.tools).toHaveLength(9);
  });
});

describe('with a key that is no good', () => {
  it.each([
    ['nonsense', 'key_malformed', () => 'nonsense'],
    ['one that nobody was given', 'key_unknown', () => generateToken('agent')],
    ['a revoked one', 'key_revoked', () => issue('agent', 'revoked_at')],
  ])(
    'a client whose key is %s connects, lists and explains, and gets %s where a key is needed',
    async (_, code, make) => {
      const bad = await make();
      expect((await post(service, request('tools/list'), { key: bad })).body.result.tools).toHaveLength(9);
      expect((await callTool(service, 'explain_result', { result: 'valid' }, { key: bad })).isError).toBe(false);
      const { result, headers } = await callTool(service, 'verify_email', { email: 'a@example.com' }, { key: bad });
      expect(result).toMatchObject({ code, action: 'get_api_key' });
      expect(headers.get('ratelimit')).toBeNull();
    },
  );

  it('an agent whose key has expired gets the advice to register again', async () => {
    later = 31 * DAY_MS;
    const { result } = await callTool(service, 'get_credit_balance', {}, { key });
    expect(result).toMatchObject({ code: 'key_expired', action: 'get_api_key' });
    expect(result.error).toContain('/agent-gateway/register');
  });

  it('an administrator cannot work here, because the key belongs to no account', async () => {
    const admin = await issue('admin', 'last_used_at');
    const { result } = await callTool(service, 'verify_email', { email: 'a@example.com' }, { key: admin });
    expect(result).toMatchObject({ code: 'full_account_required', action: 'none' });
  });

  it('a suspended account gets an error that says so', async () => {
    const suspended = await createFullAccount({ url: service.env.databaseUrl });
    await sql('UPDATE accounts SET suspended_at = now() WHERE id = $1', [suspended.accountId]);
    const { result } = await callTool(service, 'get_credit_balance', {}, { key: suspended.liveKey });
    expect(result).toMatchObject({ code: 'account_suspended', action: 'none' });
  });
});

describe('the rate of a key', () => {
  it('the rate of a key is used by calls of tools and by REST alike, shown on each, and not by looking around', async () => {
    for (let i = 0; i < 12; i++) {
      const { headers } = await post(service, request(i % 2 ? 'tools/list' : 'ping'), { key });
      expect(headers.get('ratelimit')).toBeNull();
    }
    await call(service, '/api/v1/credits', { key });
    for (let remaining = 8; remaining >= 0; remaining--) {
      const name = remaining % 2 ? 'get_credit_balance' : 'explain_result';
      const given = remaining % 2 ? {} : { result: 'valid' };
      const { headers, isError } = await callTool(service, name, given, { key });
      expect([isError, headers.get('x-ratelimit-remaining')]).toEqual([false, String(remaining)]);
      expect(headers.get('ratelimit-policy')).toContain('"requests";q=10;w=60');
    }
    const { headers, result } = await callTool(service, 'verify_email', { email: 'a@example.com' }, { key });
    expect(result).toMatchObject({ code: 'rate_limited', action: 'retry_later', retry_after: expect.any(Number) });
    expect(headers.get('retry-after')).toBe(String(result.retry_after));
    expect((await call(service, '/api/v1/credits', { key })).body.code).toBe('rate_limited');
  });

  it('the rate of a key is not used by get_api_key, nor by what is no tool', async () => {
    await callTool(service, 'get_api_key', {}, { key });
    await post(service, request('tools/call', { name: 'nothing' }), { key });
    const { headers } = await callTool(service, 'get_credit_balance', {}, { key });
    expect(headers.get('x-ratelimit-remaining')).toBe('9');
  });

  it('the rate of a key is used by wrong input too', async () => {
    expect((await callTool(service, 'verify_email', {}, { key })).headers.get('x-ratelimit-remaining')).toBe('9');
  });
});

describe('one call in flight', () => {
  it('one call in flight refuses a second one until it has ended, by REST too, and gives its permit back before its reply', async () => {
    const asked = dns.questions.length;
    const running = callTool(service, 'verify_email', { email: 'a@slow.example.com' }, { key });
    await expect.poll(() => dns.questions.length).toBeGreaterThan(asked);
    const { result } = await callTool(service, 'get_credit_balance', {}, { key });
    expect(result).toMatchObject({ code: 'request_in_flight', retry_after: 1 });
    expect((await call(service, '/api/v1/credits', { key })).body.code).toBe('request_in_flight');
    answer.resolve('nxdomain');
    expect((await running).result).toMatchObject({ result: 'invalid' });
    expect((await callTool(service, 'get_credit_balance', {}, { key })).isError).toBe(false);
  });
});

it('the interface is unavailable when Redis is away, never unlimited, and still explains itself', async () => {
  const alone = await startService();
  onTestFinished(() => alone.close());
  const ownKey = await register(alone);
  alone.app.get<Redis>(REDIS).disconnect();
  for (const [name, given] of [['get_credit_balance', {}] as const, ['get_api_key', {}] as const]) {
    const { result } = await callTool(alone, name, given, { key: ownKey });
    expect(result).toMatchObject({ code: 'unavailable', action: 'retry_later', retry_after: 5 });
  }
  expect((await callTool(alone, 'explain_result', { result: 'valid' })).isError).toBe(false);
});
