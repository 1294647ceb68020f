import type { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { AuditService } from '../../src/admin/audit.service.js';
import { hashToken } from '../../src/keys/access/token.js';
import { REDIS } from '../../src/platform/redis/redis.js';
import { createAdminKey } from '../support/admin.js';
import { call, type Call, register } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

let service: TestService;
let adminKey: string;

beforeAll(async () => {
  const env = { registrationsPerHour: 1000, registrationsPerDay: 1000, trustedProxies: ['127.0.0.1'] };
  service = await startService({ env });
  adminKey = await createAdminKey(service, 'alice');
});

let account: { id: string };

beforeEach(async () => {
  // More requests than an administrator's rate: each test begins with a full bucket.
  await service.app.get<Redis>(REDIS).flushdb();
  account = (await admin('/accounts', { body: { name: 'Example Ltd', plan: 'pro' } })).body;
});

afterAll(() => service.close());

const sql = (text: string, parameters: unknown[] = []) => service.app.get(DataSource).query(text, parameters);
const admin = (path: string, options: Call = {}) => call(service, `/admin/v1${path}`, { key: adminKey, ...options });
const post = (path: string, body: object = {}) => admin(path, { body });
const patch = (path: string, body: object) => admin(path, { method: 'PATCH', body });
const remove = (path: string) => admin(path, { method: 'DELETE' });
const newKey = async (id = account.id): Promise<{ id: string; api_key: string }> =>
  (await post(`/accounts/${id}/keys`)).body;
const credits = (key: string) => call(service, '/api/v1/credits', { key });
const lastEntry = async () => (await admin('/audit?limit=1')).body.entries[0];

async function registerFrom(address: string): Promise<string> {
  const headers = { 'x-forwarded-for': address };
  const body = { name: 'crawler', contact: 'ops@crawler.example' };
  return (await call(service, '/agent-gateway/register', { body, headers })).body.api_key;
}

describe('an administrator', () => {
  it.each([
    ['free', 100],
    ['pro', 0],
    ['scale', 0],
  ])('an administrator creates an account on the plan %s with %i credits, once', async (plan, granted) => {
    const { status, body } = await post('/accounts', { name: 'New Ltd', plan });
    expect(status).toBe(201);
    expect(body).toMatchObject({ kind: 'full', name: 'New Ltd', plan, status: 'active', suspended_at: null });
    const { api_key } = await newKey(body.id);
    expect((await credits(api_key)).body).toMatchObject({ plan, remaining: granted, free_granted: granted });
    expect((await admin(`/accounts/${body.id}`)).body.credits).toEqual({
      remaining: granted,
      reserved: 0,
      used_total: 0,
      free_granted: granted,
    });
    await patch(`/accounts/${body.id}`, { plan: 'free' });
    expect((await admin(`/accounts/${body.id}`)).body.credits.remaining).toBe(granted);
  });

  it('an administrator lists full accounts, newest first, by plan and page', async () => {
    const agent = await register(service);
    const { body } = await post('/accounts', { name: 'Scale Ltd', plan: 'scale' });
    const first = await admin('/accounts?limit=1');
    expect(first.body.accounts.map(({ id }: { id: string }) => id)).toEqual([body.id]);
    const second = await admin(`/accounts?limit=1&cursor=${first.body.next_cursor}`);
    expect(second.body.accounts[0].id).toBe(account.id);
    const ofScale = await admin('/accounts?plan=scale');
    expect(new Set(ofScale.body.accounts.map(({ plan }: { plan: string }) => plan))).toEqual(new Set(['scale']));
    const [{ accountId }] = await sql('SELECT account_id AS "accountId" FROM api_keys WHERE token_hash = $1', [
      hashToken(agent),
    ]);
    expect(JSON.stringify((await admin('/accounts?limit=100')).body)).not.toContain(accountId);
    expect((await admin(`/accounts/${accountId}`)).body).toMatchObject({ kind: 'agent', credits: null });
  });

  it('an administrator changes a plan, whose limits hold from the next request on', async () => {
    const { api_key } = await newKey();
    expect((await credits(api_key)).headers.get('x-ratelimit-limit')).toBe('100');
    expect((await patch(`/accounts/${account.id}`, { plan: 'scale' })).body.plan).toBe('scale');
    expect((await credits(api_key)).headers.get('x-ratelimit-limit')).toBe('400');
    expect(await lastEntry()).toMatchObject({ act: 'account.change_plan', details: { from: 'pro', to: 'scale' } });
  });

  it('an administrator suspends an account, whose keys are 403 until it is resumed', async () => {
    const { api_key } = await newKey();
    expect((await credits(api_key)).status).toBe(200);
    expect((await post(`/accounts/${account.id}/suspend`, { reason: 'unpaid' })).body.status).toBe('suspended');
    const refused = await credits(api_key);
    expect([refused.status, refused.body.code]).toEqual([403, 'account_suspended']);
    expect(await lastEntry()).toMatchObject({ act: 'account.suspend', details: { reason: 'unpaid' } });
    expect((await post(`/accounts/${account.id}/resume`)).body).toMatchObject({ status: 'active', suspended_at: null });
    expect((await credits(api_key)).status).toBe(200);
  });

  it('an administrator says of a revoked key that it is revoked, also where the account is suspended', async () => {
    const { id, api_key } = await newKey();
    await post(`/accounts/${account.id}/suspend`, { reason: 'unpaid' });
    await remove(`/keys/${id}`);
    expect((await credits(api_key)).body.code).toBe('key_revoked');
  });

  it('an administrator grants and adjusts credits for a reason, never below 0', async () => {
    const granted = await post(`/accounts/${account.id}/credits/grant`, { amount: 500, reason: 'invoice 7' });
    expect(granted.body.credits.remaining).toBe(500);
    const adjusted = await post(`/accounts/${account.id}/credits/adjust`, { amount: -200, reason: 'refund' });
    expect(adjusted.body.credits.remaining).toBe(300);
    const below = await post(`/accounts/${account.id}/credits/adjust`, { amount: -301, reason: 'slip' });
    expect([below.status, below.body.code]).toEqual([409, 'balance_too_low']);
    expect(await lastEntry()).toMatchObject({ act: 'credits.adjust', details: { amount: -200, reason: 'refund' } });
    const { api_key } = await newKey();
    const { body } = await call(service, '/api/v1/credits/history', { key: api_key });
    expect(JSON.stringify(body)).toContain('invoice 7');
  });

  it('an administrator grants once when the same request comes again with its idempotency key', async () => {
    const body = { amount: 500, reason: 'invoice 8' };
    const headers = { 'idempotency-key': 'invoice-8' };
    const first = await admin(`/accounts/${account.id}/credits/grant`, { body, headers });
    const again = await admin(`/accounts/${account.id}/credits/grant`, { body, headers });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect((await admin(`/accounts/${account.id}`)).body.credits.remaining).toBe(500);
  });

  it('an administrator manages any account’s keys, the last live one too', async () => {
    const { id, api_key } = await newKey();
    const rotated = await post(`/keys/${id}/rotate`, { grace_seconds: 0 });
    expect(rotated.status).toBe(201);
    expect((await credits(api_key)).body.code).toBe('key_revoked');
    expect((await credits(rotated.body.api_key)).status).toBe(200);
    expect((await remove(`/keys/${rotated.body.id}`)).status).toBe(204);
    expect((await credits(rotated.body.api_key)).body.code).toBe('key_revoked');
    const { body } = await admin(`/accounts/${account.id}/keys`);
    expect(body.keys.map(({ status }: { status: string }) => status)).toEqual(['revoked', 'revoked']);
    expect(JSON.stringify(body)).not.toContain('ms_live_');
  });

  it('an administrator makes, lists, rotates and revokes admin keys', async () => {
    const { status, body } = await post('/keys', { name: 'bob' });
    expect([status, body.kind]).toEqual([201, 'admin']);
    expect((await admin('/keys')).body.keys[0]).toMatchObject({ id: body.id, name: 'bob', status: 'active' });
    const rotated = (await post(`/keys/${body.id}/rotate`, { grace_seconds: 0 })).body;
    expect((await call(service, '/admin/v1/pool', { key: body.api_key })).body.code).toBe('key_revoked');
    expect((await call(service, '/admin/v1/pool', { key: rotated.api_key })).status).toBe(200);
    await remove(`/keys/${rotated.id}`);
    expect((await call(service, '/admin/v1/pool', { key: rotated.api_key })).body.code).toBe('key_revoked');
  });
});

describe('agents', () => {
  it('agents are found by address, network, words and last four', async () => {
    const key = await registerFrom('198.51.100.7');
    const other = await registerFrom('198.51.200.7');
    for (const query of [
      'address=198.51.100.7',
      'address=198.51.100.0/24',
      `last_four=${key.slice(-4)}&address=198.51.0.0/16`,
      `text=CRAWLER.example&address=198.51.100.0/24`,
    ]) {
      const { body } = await admin(`/agents?${query}`);
      expect(body.agents, query).toMatchObject([
        { name: 'crawler', client_address: '198.51.100.7', last_four: key.slice(-4), status: 'active' },
      ]);
    }
    expect((await admin('/agents?address=198.51.0.0/16&limit=1')).body.agents[0].last_four).toBe(other.slice(-4));
    expect((await admin('/agents?text=nobody')).body).toEqual({ agents: [], next_cursor: null });
    for (const address of ['nonsense', '198.51.100.0/33', 'fe80::1%25eth0'])
      expect((await admin(`/agents?address=${address}`)).body.code).toBe('invalid_input');
  });

  it('agents are revoked one by one, or all that an address has registered', async () => {
    const keys = [await registerFrom('2001:db8:1::1'), await registerFrom('2001:db8:1::2')];
    const other = await registerFrom('2001:db8:2::1');
    for (const key of [...keys, other]) expect((await credits(key)).status).toBe(200);
    const [{ key_id }] = (await admin('/agents?address=2001:db8:1::1')).body.agents;
    expect((await remove(`/keys/${key_id}`)).status).toBe(204);
    expect((await credits(keys[0]!)).body.code).toBe('key_revoked');
    expect((await post('/agents/revoke', { address: '2001:db8:1::/64' })).body).toEqual({
      address: '2001:db8:1::/64',
      revoked: 1,
    });
    expect((await credits(keys[1]!)).body.code).toBe('key_revoked');
    expect((await credits(other)).status).toBe(200);
    expect(await lastEntry()).toMatchObject({
      act: 'agents.revoke_by_address',
      details: { address: '2001:db8:1::/64', revoked: 1 },
    });
  });

  it('agents are taken to be on the plan that replies show of them, which is that of no other account', async () => {
    await registerFrom('203.0.113.10');
    const [{ account_id }] = (await admin('/agents?address=203.0.113.10')).body.agents;
    expect((await patch(`/accounts/${account_id}`, { plan: 'agent' })).body.plan).toBe('agent');
    const { status, body } = await patch(`/accounts/${account.id}`, { plan: 'agent' });
    expect([status, body.fields[0].field]).toEqual([422, 'plan']);
  });

  it('agents have no plan, no balance, and no second key', async () => {
    await registerFrom('203.0.113.9');
    const [{ account_id, key_id }] = (await admin('/agents?address=203.0.113.9')).body.agents;
    for (const { body } of [
      await patch(`/accounts/${account_id}`, { plan: 'scale' }),
      await post(`/accounts/${account_id}/credits/grant`, { amount: 1, reason: 'gift' }),
      await post(`/accounts/${account_id}/credits/adjust`, { amount: 1, reason: 'gift' }),
      await post(`/accounts/${account_id}/keys`),
      await post(`/keys/${key_id}/rotate`),
    ])
      expect(body.code).toBe('agent_account');
  });
});

describe('the shared pool', () => {
  it('the shared pool is seen, and changed for today', async () => {
    const key = await register(service);
    const before = (await admin('/pool')).body;
    expect(before).toMatchObject({ capacity: 10_000, configured_capacity: 10_000, remaining: 10_000 - before.used });
    const verify = () => call(service, '/api/v1/verify', { key, body: { email: 'jane@nowhere.invalid' } });
    expect((await verify()).status).toBe(200);
    const { body } = await patch('/pool', { capacity: before.used + 2 });
    expect(body).toMatchObject({ capacity: before.used + 2, used: before.used + 1, remaining: 1 });
    expect((await verify()).status).toBe(200);
    expect((await verify()).body.code).toBe('daily_capacity_exhausted');
    expect((await credits(key)).body.data.shared_capacity_available).toBe(false);
    await patch('/pool', { capacity: 0 });
    expect((await admin('/pool')).body).toMatchObject({ capacity: 0, remaining: 0 });
    expect((await patch('/pool', { capacity: null })).body.capacity).toBe(10_000);
    expect((await verify()).status).toBe(200);
  });
});

describe('the audit log', () => {
  it('the audit log names the actor, the action, the time and the address, and never a token', async () => {
    const { id, api_key } = (await post(`/accounts/${account.id}/keys`, { name: 'Shop' })).body;
    const entry = await lastEntry();
    const [{ id: adminId }] = await sql('SELECT id FROM api_keys WHERE token_hash = $1', [hashToken(adminKey)]);
    expect(entry).toEqual({
      id: expect.any(Number),
      at: expect.any(String),
      actor: { key_id: adminId, name: 'alice' },
      from: '127.0.0.1',
      act: 'key.create',
      account_id: account.id,
      mode: null,
      key_id: id,
      details: { kind: 'live', name: 'Shop', expires_at: null, permissions: null, networks: null },
    });
    expect(Math.abs(Date.now() - Date.parse(entry.at))).toBeLessThan(60_000);
    expect(JSON.stringify(await sql('SELECT * FROM audit_log'))).not.toContain(api_key.slice(8, -4));
  });

  it('the audit log is read for one account, page by page', async () => {
    await patch(`/accounts/${account.id}`, { plan: 'free' });
    await patch(`/accounts/${account.id}`, { plan: 'scale' });
    const first = (await admin(`/audit?account_id=${account.id}&limit=2`)).body;
    const second = (await admin(`/audit?account_id=${account.id}&limit=2&cursor=${first.next_cursor}`)).body;
    const acts = [...first.entries, ...second.entries].map(({ act }: { act: string }) => act);
    expect(acts).toEqual(['account.change_plan', 'account.change_plan', 'account.create']);
    expect(second.next_cursor).toBeNull();
  });

  it('the audit log has no line of refused requests, and nothing is done without its line', async () => {
    const count = async () => (await sql('SELECT count(*) AS n FROM audit_log'))[0].n;
    const before = await count();
    await patch(`/accounts/${NOBODY}`, { plan: 'free' });
    await post(`/accounts/${account.id}/credits/adjust`, { amount: -1, reason: 'slip' });
    expect(await count()).toBe(before);
    const { id, api_key } = await newKey();
    const record = vi.spyOn(service.app.get(AuditService), 'record').mockRejectedValue(new Error('disk full'));
    for (const refused of [
      await post('/accounts', { name: 'Ghost Ltd' }),
      await post(`/accounts/${account.id}/suspend`, { reason: 'unpaid' }),
      await post(`/accounts/${account.id}/credits/grant`, { amount: 5, reason: 'gift' }),
      await remove(`/keys/${id}`),
      await patch('/pool', { capacity: 1 }),
    ])
      expect(refused.status).toBe(500);
    record.mockRestore();
    expect((await credits(api_key)).body).toMatchObject({ remaining: 0 });
    expect((await admin('/accounts?limit=1')).body.accounts[0].name).not.toBe('Ghost Ltd');
    expect((await admin('/pool')).body.capacity).toBe(10_000);
  });

  it('the audit log cannot be changed, not even in the database', async () => {
    for (const statement of ['UPDATE audit_log SET actor = $$x$$', 'DELETE FROM audit_log', 'TRUNCATE audit_log'])
      await expect(sql(statement)).rejects.toThrow(/only ever added to/);
  });
});

describe('input of administrators', () => {
  it.each([
    ['an account without a name', '/accounts', {}],
    ['an empty name', '/accounts', { name: '' }],
    ['an unknown plan', '/accounts', { name: 'x', plan: 'agent' }],
    ['a grant of nothing', '/accounts/ID/credits/grant', { amount: 0, reason: 'x' }],
    ['a negative grant', '/accounts/ID/credits/grant', { amount: -1, reason: 'x' }],
    ['a grant without a reason', '/accounts/ID/credits/grant', { amount: 1 }],
    ['a broken credit', '/accounts/ID/credits/adjust', { amount: 0.5, reason: 'x' }],
    ['an adjustment by nothing', '/accounts/ID/credits/adjust', { amount: 0, reason: 'x' }],
    ['more credits than anybody buys', '/accounts/ID/credits/grant', { amount: 1e12, reason: 'x' }],
    ['a suspension without a reason', '/accounts/ID/suspend', {}],
    ['an admin key without a name', '/keys', {}],
    ['an account’s admin key', '/accounts/ID/keys', { kind: 'admin' }],
    ['no address', '/agents/revoke', { address: 'example.com' }],
  ])('%s is refused', async (_, path, body) => {
    const reply = await post(path.replace('ID', account.id), body);
    expect([reply.status, reply.body.code]).toEqual([422, 'invalid_input']);
  });

  it.each([{}, { capacity: -1 }, { capacity: '5' }, { Capacity: 5 }])(
    'input of administrators with a capacity of %j is refused',
    async (body) => {
      expect((await patch('/pool', body)).body.code).toBe('invalid_input');
    },
  );

  it.each([NOBODY, 'nonsense'])('input of administrators that names an unknown object is refused: %s', async (id) => {
    for (const reply of [
      await admin(`/accounts/${id}`),
      await patch(`/accounts/${id}`, { plan: 'pro' }),
      await post(`/accounts/${id}/suspend`, { reason: 'x' }),
      await post(`/accounts/${id}/resume`),
      await post(`/accounts/${id}/credits/grant`, { amount: 1, reason: 'x' }),
      await admin(`/accounts/${id}/keys`),
      await post(`/accounts/${id}/keys`),
    ])
      expect([reply.status, reply.body.code]).toEqual([404, 'account_not_found']);
    for (const reply of [await post(`/keys/${id}/rotate`), await remove(`/keys/${id}`)])
      expect([reply.status, reply.body.code]).toEqual([404, 'key_not_found']);
  });
});

it('the admin interface is not in the customers’ document', async () => {
  const { body } = await call(service, '/api/v1/openapi.json');
  expect(Object.keys(body.paths).filter((path) => path.startsWith('/admin'))).toEqual([]);
  expect(body.paths).toHaveProperty('/api/v1/keys/{id}/rotate');
});
