import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { call, register } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';

/* No key makes, changes, rotates or revokes one that may more than itself. */

const START = Date.parse('2026-11-21T10:00:00.000Z');
const clock = { time: START, now: () => clock.time };
const TOMORROW = '2026-11-22T10:00:00.000Z';
const NEXT_WEEK = '2026-11-28T10:00:00.000Z';

let service: TestService;
let account: FullAccount;
let adminKey: string;

beforeAll(async () => {
  service = await startService({ clock, env: { registrationsPerHour: 1000, registrationsPerDay: 1000 } });
  adminKey = await createAdminKey(service);
});

beforeEach(async () => {
  clock.time = START;
  account = await createFullAccount({ url: service.env.databaseUrl });
});

afterAll(() => service.close());

interface Made {
  readonly id: string;
  readonly api_key: string;
}

const ask = (key: string, path: string, method = 'GET', body?: object) =>
  call(service, path, { key, method, ...(body && { body }) });

async function make(body: object, maker = account.liveKey, path = '/api/v1/keys'): Promise<Made> {
  const reply = await ask(maker, path, 'POST', body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body;
}

const makeAdmin = (body: object, maker = adminKey) => make({ name: 'alice', ...body }, maker, '/admin/v1/keys');

/** The three acts on a key, as [status, code]; the revocation is the last. */
async function actsOn(id: string, key: string, room = '/api/v1/keys'): Promise<unknown[]> {
  const path = `${room}/${id}`;
  const replies = [
    await ask(key, path, 'PATCH', { name: 'Renamed' }),
    await ask(key, `${path}/rotate`, 'POST', {}),
    await ask(key, path, 'DELETE'),
  ];
  return replies.map(({ status, body }) => (status < 300 ? status : [status, body.code]));
}

const refusedThrice = (code: string) => Array.from({ length: 3 }, () => [403, code]);
const works = async (key: string, path = '/api/v1/keys') => (await ask(key, path)).status === 200;

describe('a key is not changed, rotated or revoked by one', () => {
  it.each([
    ['that lacks a permission of it', 'permission_missing', { permissions: ['keys', 'verify'] }, {}],
    [
      'that lacks one of its permissions',
      'permission_missing',
      { permissions: ['keys', 'verify'] },
      { permissions: ['keys', 'results'] },
    ],
    ['that works from fewer networks', 'address_not_allowed', { networks: ['127.0.0.0/8'] }, {}],
    [
      'whose networks do not hold its own',
      'address_not_allowed',
      { networks: ['127.0.0.0/8'] },
      { networks: ['126.0.0.0/7'] },
    ],
    ['that has a ceiling where it has none', 'ceiling_not_allowed', { credits_per_day: 5 }, {}],
    ['that has a lower ceiling', 'ceiling_not_allowed', { credits_per_day: 5 }, { credits_per_day: 6 }],
    ['that has another ceiling', 'ceiling_not_allowed', { credits_per_day: 5 }, { credits_total: 1 }],
    ['that ends while it lasts', 'key_lasts_longer', { expires_at: TOMORROW }, {}],
    ['that ends before it', 'key_lasts_longer', { expires_at: TOMORROW }, { expires_at: NEXT_WEEK }],
  ])('%s: 403 %s', async (_, code, weak, strong) => {
    const [own, other] = [await make(weak), await make(strong)];
    expect(await actsOn(other.id, own.api_key)).toEqual(refusedThrice(code));
    const { keys } = (await ask(account.liveKey, '/api/v1/keys')).body;
    expect(keys.find(({ id }: Made) => id === other.id)).toMatchObject({ name: null, status: 'active' });
  });

  it('a key is not changed, rotated or revoked by one which tells in what the other one may more', async () => {
    const { id } = await make({});
    const refusal = async (limits: object) => {
      const { api_key } = await make(limits);
      return (await ask(api_key, `/api/v1/keys/${id}`, 'DELETE')).body;
    };
    const lacking = await refusal({ permissions: ['keys', 'verify'] });
    expect([lacking.permission, lacking.error]).toEqual(['all', expect.stringContaining('all permissions')]);
    expect((await refusal({ networks: ['127.0.0.1'] })).error).toContain('networks');
    expect((await refusal({ credits_total: 5 })).error).toContain('spend more');
    expect((await refusal({ expires_at: TOMORROW })).error).toContain('longer');
  });

  it('a key is not changed, rotated or revoked by one that may less than an agent that the account has claimed', async () => {
    const agent = (await call(service, '/agent-gateway/register', { method: 'POST' })).body;
    const { id } = (await ask(account.liveKey, '/api/v1/claims', 'POST', { claim_token: agent.claim_token })).body;
    const weak = await make({ permissions: ['keys', 'verify'] });
    const path = `/api/v1/keys/${id}`;
    expect((await ask(weak.api_key, path, 'PATCH', { name: 'x' })).body.permission).toBe('batches');
    expect((await ask(weak.api_key, path, 'DELETE')).body.code).toBe('permission_missing');
    const enough = await make({ permissions: ['keys', 'verify', 'batches', 'results', 'lists', 'credits'] });
    expect((await ask(enough.api_key, path, 'DELETE')).status).toBe(204);
  });
});

describe('a key is changed, rotated and revoked', () => {
  it.each([
    [{}, {}],
    [{ permissions: ['keys', 'verify'] }, { permissions: ['verify'] }],
    [{ networks: ['127.0.0.0/8'] }, { networks: ['127.0.0.1'] }],
    [{ expires_at: NEXT_WEEK }, { expires_at: TOMORROW }],
    [{ expires_at: NEXT_WEEK }, { expires_at: NEXT_WEEK }],
    [{ credits_per_day: 5 }, { kind: 'test' }],
  ])('a key is changed, rotated and revoked by one with %j when it has %j', async (strong, weak) => {
    const [own, other] = [await make(strong), await make(weak)];
    expect(await actsOn(other.id, own.api_key)).toEqual([200, 201, 204]);
  });

  it('a key is changed, rotated and revoked by itself, whatever it may not', async () => {
    const limits = { permissions: ['keys'], networks: ['127.0.0.1'], credits_per_day: 5, expires_at: TOMORROW };
    const own = await make(limits);
    expect((await ask(own.api_key, `/api/v1/keys/${own.id}`, 'PATCH', { name: 'Mine' })).status).toBe(200);
    const successor = (await ask(own.api_key, `/api/v1/keys/${own.id}/rotate`, 'POST', {})).body;
    expect((await ask(successor.api_key, `/api/v1/keys/${successor.id}`, 'DELETE')).status).toBe(204);
    expect(await works(successor.api_key)).toBe(false);
  });

  it('a key is changed, rotated and revoked and revoked by one with the same ceilings of its own, which does not rotate it', async () => {
    const [own, other] = [await make({ credits_per_day: 5 }), await make({ credits_per_day: 5 })];
    expect(await actsOn(other.id, own.api_key)).toEqual([200, [403, 'ceiling_not_allowed'], 204]);
  });
});

describe('an admin key', () => {
  const ROOM = '/admin/v1/keys';

  it('an admin key for support changes, rotates and revokes none that may all, not by a name either', async () => {
    const [support, all] = [await makeAdmin({ permissions: ['support'] }), await makeAdmin({})];
    expect(await actsOn(all.id, support.api_key, ROOM)).toEqual(refusedThrice('permission_missing'));
    expect((await ask(support.api_key, `${ROOM}/${all.id}`, 'DELETE')).body.permission).toBe('all');
    expect(await works(all.api_key, '/admin/v1/pool')).toBe(true);
  });

  it('an admin key for support changes, rotates and revokes others for support, and itself', async () => {
    const [support, other] = [
      await makeAdmin({ permissions: ['support'] }),
      await makeAdmin({ permissions: ['support'] }),
    ];
    expect(await actsOn(other.id, support.api_key, ROOM)).toEqual([200, 201, 204]);
    expect((await ask(support.api_key, `${ROOM}/${support.id}`, 'DELETE')).status).toBe(204);
  });

  it.each([
    ['address_not_allowed', { networks: ['127.0.0.0/8'] }],
    ['key_lasts_longer', { expires_at: TOMORROW }],
  ])('an admin key is refused with %s when it may less than another by %j', async (code, limits) => {
    const [own, other] = [await makeAdmin(limits), await makeAdmin({})];
    expect(await actsOn(other.id, own.api_key, ROOM)).toEqual(refusedThrice(code));
  });

  it('an admin key reaches the keys of accounts whatever these may do', async () => {
    const support = await makeAdmin({ permissions: ['impersonate'], networks: ['127.0.0.0/8'], expires_at: TOMORROW });
    const [live, agent] = [await make({}), await register(service)];
    expect(await actsOn(live.id, support.api_key, ROOM)).toEqual([200, 201, 204]);
    const found = (await ask(support.api_key, `${ROOM}/lookup`, 'POST', { token: agent })).body;
    expect((await ask(support.api_key, `${ROOM}/${found.key.id}`, 'DELETE')).status).toBe(204);
  });
});

describe('of two keys that revoke each other at once', () => {
  it.each([
    ['of an account', () => make({}), '/api/v1/keys'],
    ['of administrators', () => makeAdmin({}), '/admin/v1/keys'],
  ] as const)('%s one wins, and the other is refused as revoked', async (_, makeOne, room) => {
    for (let i = 0; i < 5; i++) {
      const [a, b] = [await makeOne(), await makeOne()];
      const replies = await Promise.all([
        ask(a.api_key, `${room}/${b.id}`, 'DELETE'),
        ask(b.api_key, `${room}/${a.id}`, 'DELETE'),
      ]);
      expect(replies.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([204, 401]);
      expect(replies.find(({ status }) => status === 401)!.body.code).toBe('key_revoked');
    }
  });
});
