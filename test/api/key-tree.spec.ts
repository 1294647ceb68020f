import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { call } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';

/* What keys are to the key that made them: until when they last, and what ends with it. */

const START = Date.parse('2026-11-21T10:00:00.000Z');
const clock = { time: START, now: () => clock.time };
const TOMORROW = '2026-11-22T10:00:00.000Z';
const NEXT_WEEK = '2026-11-28T10:00:00.000Z';
const KEYS = '/api/v1/keys';
const ADMIN_KEYS = '/admin/v1/keys';

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
  readonly expires_at: string | null;
}

const ask = (key: string, path: string, method = 'GET', body?: object) =>
  call(service, path, { key, method, ...(body && { body }) });
const answer = async (reply: ReturnType<typeof ask>) => {
  const { status, body } = await reply;
  return status < 300 ? status : [status, body.code];
};

async function make(body: object, maker = account.liveKey, path = KEYS): Promise<Made> {
  const reply = await ask(maker, path, 'POST', body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body;
}

const makeAdmin = (body: object = {}, maker = adminKey) => make({ name: 'alice', ...body }, maker, ADMIN_KEYS);
const rotate = async (id: string, key: string, path = KEYS): Promise<Made> =>
  (await ask(key, `${path}/${id}/rotate`, 'POST', {})).body;
const claimToken = async () =>
  (await call(service, '/agent-gateway/register', { method: 'POST' })).body.claim_token as string;

describe('in its grace after a rotation a key', () => {
  it('makes, changes, rotates and revokes no key, its successor neither, and claims no agent', async () => {
    const [old, other] = [await make({}), await make({})];
    const successor = await rotate(old.id, account.liveKey);
    for (const { id } of [other, successor]) {
      expect(await answer(ask(old.api_key, `${KEYS}/${id}`, 'PATCH', { name: 'x' }))).toEqual([403, 'key_in_grace']);
      expect(await answer(ask(old.api_key, `${KEYS}/${id}/rotate`, 'POST', {}))).toEqual([403, 'key_in_grace']);
      expect(await answer(ask(old.api_key, `${KEYS}/${id}`, 'DELETE'))).toEqual([403, 'key_in_grace']);
    }
    expect(await answer(ask(old.api_key, KEYS, 'POST', {}))).toEqual([403, 'key_in_grace']);
    expect(await answer(ask(old.api_key, KEYS, 'POST', { kind: 'test' }))).toEqual([403, 'key_in_grace']);
    expect(await answer(ask(old.api_key, `${KEYS}/${old.id}`, 'PATCH', { permissions: ['keys'] }))).toEqual([
      403,
      'key_in_grace',
    ]);
    const claim = { claim_token: await claimToken() };
    expect(await answer(ask(old.api_key, '/api/v1/claims', 'POST', claim))).toEqual([403, 'key_in_grace']);
    const { error } = (await ask(old.api_key, KEYS, 'POST', {})).body;
    expect(error).toContain('rotated');
  });

  it('lists keys as before, and cuts its grace short itself', async () => {
    const old = await make({});
    const successor = await rotate(old.id, account.liveKey);
    expect(await answer(ask(old.api_key, KEYS))).toBe(200);
    expect(await answer(ask(old.api_key, `${KEYS}/${old.id}`, 'DELETE'))).toBe(204);
    expect(await answer(ask(old.api_key, KEYS))).toEqual([401, 'key_revoked']);
    expect(await answer(ask(successor.api_key, KEYS, 'POST', {}))).toBe(201);
  });

  it('administers no keys either: neither admin keys nor those of accounts', async () => {
    const [old, live] = [await makeAdmin(), await make({})];
    await rotate(old.id, adminKey, ADMIN_KEYS);
    const ofAccount = `/admin/v1/accounts/${account.accountId}/keys`;
    for (const [method, path, body] of [
      ['POST', ADMIN_KEYS, { name: 'bob' }],
      ['POST', ofAccount, {}],
      ['PATCH', `${ADMIN_KEYS}/${live.id}`, { name: 'x' }],
      ['POST', `${ADMIN_KEYS}/${live.id}/rotate`, {}],
      ['DELETE', `${ADMIN_KEYS}/${live.id}`, undefined],
    ] as const)
      expect(await answer(ask(old.api_key, path, method, body)), path).toEqual([403, 'key_in_grace']);
  });
});

describe('a key that ends', () => {
  it.each([undefined, null])('gives its own end to the keys that it makes with expires_at %j', async (expires_at) => {
    const maker = await make({ expires_at: TOMORROW });
    for (const kind of ['live', 'test'])
      expect((await make({ kind, expires_at }, maker.api_key)).expires_at).toBe(TOMORROW);
  });

  it('makes keys that end before it or with it, and none that ends later', async () => {
    const maker = await make({ expires_at: TOMORROW });
    expect((await make({ expires_at: TOMORROW }, maker.api_key)).expires_at).toBe(TOMORROW);
    const sooner = '2026-11-21T10:00:01.000Z';
    expect((await make({ expires_at: sooner }, maker.api_key)).expires_at).toBe(sooner);
    for (const later of ['2026-11-22T10:00:00.001Z', NEXT_WEEK]) {
      const { status, body } = await ask(maker.api_key, KEYS, 'POST', { expires_at: later });
      expect([status, body.code, body.fields]).toEqual([
        422,
        'invalid_input',
        [{ field: 'expires_at', error: expect.stringContaining(TOMORROW) }],
      ]);
    }
  });

  it('keeps its end when it is rotated, by itself too', async () => {
    const maker = await make({ expires_at: TOMORROW });
    const child = await make({}, maker.api_key);
    expect((await rotate(child.id, maker.api_key)).expires_at).toBe(TOMORROW);
    expect((await rotate(maker.id, maker.api_key)).expires_at).toBe(TOMORROW);
  });

  it('claims no agent for longer than itself', async () => {
    const maker = await make({ expires_at: TOMORROW });
    const claim = async (body: object) =>
      ask(maker.api_key, '/api/v1/claims', 'POST', { claim_token: await claimToken(), ...body });
    expect((await claim({ expires_at: NEXT_WEEK })).body.fields[0].field).toBe('expires_at');
    expect((await claim({})).body.expires_at).toBe(TOMORROW);
  });

  it('of an administrator gives its end to admin keys, and to no key of an account', async () => {
    const maker = await makeAdmin({ expires_at: TOMORROW });
    expect((await makeAdmin({}, maker.api_key)).expires_at).toBe(TOMORROW);
    const later = await ask(maker.api_key, ADMIN_KEYS, 'POST', { name: 'bob', expires_at: NEXT_WEEK });
    expect([later.status, later.body.fields[0].field]).toEqual([422, 'expires_at']);
    const ofAccount = `/admin/v1/accounts/${account.accountId}/keys`;
    expect((await make({}, maker.api_key, ofAccount)).expires_at).toBeNull();
    expect((await make({ expires_at: NEXT_WEEK }, maker.api_key, ofAccount)).expires_at).toBe(NEXT_WEEK);
  });
});
