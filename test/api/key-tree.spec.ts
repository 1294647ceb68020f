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
  it('in its grace after a rotation a key makes, changes, rotates and revokes no key, its successor neither, and claims no agent', async () => {
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

  it('in its grace after a rotation a key lists keys as before, and cuts its grace short itself', async () => {
    const old = await make({});
    const successor = await rotate(old.id, account.liveKey);
    expect(await answer(ask(old.api_key, KEYS))).toBe(200);
    expect(await answer(ask(old.api_key, `${KEYS}/${old.id}`, 'DELETE'))).toBe(204);
    expect(await answer(ask(old.api_key, KEYS))).toEqual([401, 'key_revoked']);
    expect(await answer(ask(successor.api_key, KEYS, 'POST', {}))).toBe(201);
  });

  it('in its grace after a rotation a key administers no keys either: neither admin keys nor those of accounts', async () => {
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
  it.each([undefined, null])(
    'a key that ends gives its own end to the keys that it makes with expires_at %j',
    async (expires_at) => {
      const maker = await make({ expires_at: TOMORROW });
      for (const kind of ['live', 'test'])
        expect((await make({ kind, expires_at }, maker.api_key)).expires_at).toBe(TOMORROW);
    },
  );

  it('a key that ends makes keys that end before it or with it, and none that ends later', async () => {
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

  it('a key that ends keeps its end when it is rotated, by itself too', async () => {
    const maker = await make({ expires_at: TOMORROW });
    const child = await make({}, maker.api_key);
    expect((await rotate(child.id, maker.api_key)).expires_at).toBe(TOMORROW);
    expect((await rotate(maker.id, maker.api_key)).expires_at).toBe(TOMORROW);
  });

  it('a key that ends claims no agent for longer than itself', async () => {
    const maker = await make({ expires_at: TOMORROW });
    const claim = async (body: object) =>
      ask(maker.api_key, '/api/v1/claims', 'POST', { claim_token: await claimToken(), ...body });
    expect((await claim({ expires_at: NEXT_WEEK })).body.fields[0].field).toBe('expires_at');
    expect((await claim({})).body.expires_at).toBe(TOMORROW);
  });

  it('a key that ends of an administrator gives its end to admin keys, and to no key of an account', async () => {
    const maker = await makeAdmin({ expires_at: TOMORROW });
    expect((await makeAdmin({}, maker.api_key)).expires_at).toBe(TOMORROW);
    const later = await ask(maker.api_key, ADMIN_KEYS, 'POST', { name: 'bob', expires_at: NEXT_WEEK });
    expect([later.status, later.body.fields[0].field]).toEqual([422, 'expires_at']);
    const ofAccount = `/admin/v1/accounts/${account.accountId}/keys`;
    expect((await make({}, maker.api_key, ofAccount)).expires_at).toBeNull();
    expect((await make({ expires_at: NEXT_WEEK }, maker.api_key, ofAccount)).expires_at).toBe(NEXT_WEEK);
  });
});

const keysOf = async (
  key = account.liveKey,
): Promise<(Made & { status: string; last_four: string; revoked_at: string | null; created_by: object | null })[]> =>
  (await ask(key, `${KEYS}?limit=100`)).body.keys;
const idOf = async (token: string) => (await keysOf(token)).find(({ last_four: end }) => token.endsWith(end))!.id;
const statuses = async (...made: readonly Made[]) => {
  const all = await keysOf();
  return made.map(({ id }) => all.find((one) => one.id === id)!.status);
};
const revokeBranch = (id: string, key = account.liveKey, path = KEYS) =>
  answer(ask(key, `${path}/${id}?descendants=true`, 'DELETE'));

describe('a key says who made it', () => {
  it('the key of the account, as it stands in every reply', async () => {
    const maker = await make({});
    const child = await make({ kind: 'test' }, maker.api_key);
    const created_by = { type: 'key', id: maker.id };
    expect(child).toMatchObject({ created_by });
    expect((await keysOf()).find(({ id }) => id === child.id)).toMatchObject({ created_by });
    expect((await ask(account.liveKey, `${KEYS}/${child.id}`, 'PATCH', { name: 'x' })).body).toMatchObject({
      created_by,
    });
    expect((await ask(adminKey, `${ADMIN_KEYS}/${child.id}`)).body.key).toMatchObject({ created_by });
  });

  it('an administrator, by which key, and null by the command line', async () => {
    const admin = await makeAdmin();
    const ofAccount = await make({}, admin.api_key, `/admin/v1/accounts/${account.accountId}/keys`);
    const other = await makeAdmin({}, admin.api_key);
    for (const made of [ofAccount, other])
      expect(made).toMatchObject({ created_by: { type: 'administrator', id: admin.id } });
    const { keys } = (await ask(adminKey, `${ADMIN_KEYS}?limit=100`)).body;
    const first = keys.find(({ last_four: end }: { last_four: string }) => adminKey.endsWith(end));
    expect(first.created_by).toEqual({ type: 'administrator', id: null });
  });

  it('nobody where it is older than that, and who claimed it where it is an agent’s', async () => {
    expect((await keysOf())[0]!.created_by).toBeNull();
    const maker = await make({});
    const claimed = await ask(maker.api_key, '/api/v1/claims', 'POST', { claim_token: await claimToken() });
    expect(claimed.body.created_by).toEqual({ type: 'key', id: maker.id });
  });

  it('the same after a rotation, whoever rotated it', async () => {
    const maker = await make({});
    const child = await make({}, maker.api_key);
    expect(await rotate(child.id, account.liveKey)).toMatchObject({ created_by: { type: 'key', id: maker.id } });
  });
});

describe('DELETE /api/v1/keys/{id}?descendants=true', () => {
  it('DELETE /api/v1/keys/{id}?descendants=true revokes the key, all that it made and what those made, at once, and no other key', async () => {
    const [root, sibling] = [await make({}), await make({})];
    const child = await make({}, root.api_key);
    const [grandchild, test] = [await make({}, child.api_key), await make({ kind: 'test' }, child.api_key)];
    for (const { api_key } of [child, grandchild, test]) expect((await ask(api_key, KEYS)).status).toBe(200);
    expect(await revokeBranch(root.id)).toBe(204);
    for (const { api_key } of [root, child, grandchild, test])
      expect(await answer(ask(api_key, KEYS))).toEqual([401, 'key_revoked']);
    expect(await statuses(sibling)).toEqual(['active']);
    const { entries } = (await ask(account.liveKey, '/api/v1/audit?limit=4')).body;
    expect(entries).toHaveLength(4);
    for (const { id } of [root, child, grandchild, test])
      expect(entries).toContainEqual(
        expect.objectContaining({
          act: 'key.revoke',
          key_id: id,
          details: expect.objectContaining({ branch_of: root.id }),
        }),
      );
  });

  it('GET /api/v1/keys shows which keys DELETE /api/v1/keys/{id}?descendants=true has revoked, by one revoked_at', async () => {
    const [root, alone] = [await make({}), await make({})];
    const child = await make({}, root.api_key);
    expect(await answer(ask(account.liveKey, `${KEYS}/${alone.id}`, 'DELETE'))).toBe(204);
    clock.time += 1_000;
    expect(await revokeBranch(root.id)).toBe(204);
    const all = await keysOf();
    const { revoked_at } = all.find(({ id }) => id === root.id)!;
    const went = all.filter((one) => one.status === 'revoked' && one.revoked_at === revoked_at);
    expect(went.map(({ id }) => id).toSorted()).toEqual([root.id, child.id].toSorted());
  });

  it('DELETE /api/v1/keys/{id}?descendants=true leaves what the key made with descendants=false and without it', async () => {
    const [one, other] = [await make({}), await make({})];
    const children = [await make({}, one.api_key), await make({}, other.api_key)];
    expect(await answer(ask(account.liveKey, `${KEYS}/${one.id}?descendants=false`, 'DELETE'))).toBe(204);
    expect(await answer(ask(account.liveKey, `${KEYS}/${other.id}`, 'DELETE'))).toBe(204);
    expect(await statuses(...children)).toEqual(['active', 'active']);
    // What was left can be revoked later.
    expect(await revokeBranch(one.id)).toBe(204);
    expect(await statuses(...children)).toEqual(['revoked', 'active']);
  });

  it.each([
    'descendants=yes',
    'descendants=',
    'descendants=1',
    'descendant=true',
    'descendants=true&descendants=false',
  ])('DELETE /api/v1/keys/{id}?descendants=true is 422 with %s, and revokes nothing', async (query) => {
    const root = await make({});
    expect(await answer(ask(account.liveKey, `${KEYS}/${root.id}?${query}`, 'DELETE'))).toEqual([422, 'invalid_input']);
    expect(await statuses(root)).toEqual(['active']);
  });

  it('DELETE /api/v1/keys/{id}?descendants=true reaches keys before and after a rotation, and what each of them made', async () => {
    const oldest = await make({});
    const ofOldest = await make({}, oldest.api_key);
    const middle = await rotate(oldest.id, account.liveKey);
    const ofMiddle = await make({}, middle.api_key);
    const rotatedChild = await rotate(ofMiddle.id, account.liveKey);
    const newest = await rotate(middle.id, account.liveKey);
    const ofNewest = await make({}, newest.api_key);
    expect(await revokeBranch(middle.id)).toBe(204);
    const all = [oldest, ofOldest, middle, ofMiddle, rotatedChild, newest, ofNewest];
    expect(await statuses(...all)).toEqual(all.map(() => 'revoked'));
  });

  it('DELETE /api/v1/keys/{id}?descendants=true reaches what the key has put in the place of a key of somebody else, which keeps its grace', async () => {
    const [stolen, victim] = [await make({}), await make({})];
    const ofVictim = await make({}, victim.api_key);
    const replacement = await rotate(victim.id, stolen.api_key);
    const made = await make({ kind: 'test' }, replacement.api_key);
    const again = await rotate(replacement.id, replacement.api_key);
    expect(await revokeBranch(stolen.id)).toBe(204);
    for (const { api_key } of [stolen, replacement, again, made])
      expect(await answer(ask(api_key, KEYS))).toEqual([401, 'key_revoked']);
    expect(await statuses(victim, ofVictim)).toEqual(['grace', 'active']);
    clock.time += 86_400_000;
    expect(await statuses(victim, ofVictim)).toEqual(['revoked', 'active']);
  });

  it('DELETE /api/v1/keys/{id}?descendants=true leaves what other keys have rotated, those that rotated themselves too', async () => {
    const [stolen, other] = [await make({}), await make({})];
    const successor = await rotate(other.id, account.liveKey);
    const itself = await rotate(successor.id, successor.api_key);
    expect(await revokeBranch(stolen.id)).toBe(204);
    expect(await statuses(stolen, other, successor, itself)).toEqual(['revoked', 'grace', 'grace', 'active']);
  });

  it('DELETE /api/v1/keys/{id}?descendants=true reaches what a key of the branch has put in the place of the one that made the branch', async () => {
    const owner = await make({});
    const stolen = await make({}, owner.api_key);
    const replacement = await rotate(owner.id, stolen.api_key);
    expect(await revokeBranch(stolen.id)).toBe(204);
    expect(await statuses(stolen, replacement, owner)).toEqual(['revoked', 'revoked', 'grace']);
  });

  it('DELETE /api/v1/keys/{id}?descendants=true reaches agents that a key of the branch has claimed', async () => {
    const root = await make({});
    const agent = (await call(service, '/agent-gateway/register', { method: 'POST' })).body;
    await ask(root.api_key, '/api/v1/claims', 'POST', { claim_token: agent.claim_token });
    expect(await revokeBranch(root.id)).toBe(204);
    expect(await answer(ask(agent.api_key, '/api/v1/credits'))).toEqual([401, 'key_revoked']);
  });

  it('DELETE /api/v1/keys/{id}?descendants=true is 403 where one key of the branch may more than the caller, and revokes nothing', async () => {
    const root = await make({ permissions: ['keys', 'verify'] });
    const child = await make({ permissions: ['verify'] }, root.api_key);
    const caller = await make({ permissions: ['keys', 'verify'] });
    await ask(account.liveKey, `${KEYS}/${child.id}`, 'PATCH', { permissions: ['verify', 'results'] });
    const { status, body } = await ask(caller.api_key, `${KEYS}/${root.id}?descendants=true`, 'DELETE');
    expect([status, body.code, body.permission]).toEqual([403, 'permission_missing', 'results']);
    expect(await statuses(root, child)).toEqual(['active', 'active']);
    await ask(account.liveKey, `${KEYS}/${child.id}`, 'PATCH', { permissions: ['verify'] });
    expect(await revokeBranch(root.id, caller.api_key)).toBe(204);
  });

  it('DELETE /api/v1/keys/{id}?descendants=true is 403 for a key in its grace, of its own branch too', async () => {
    const old = await make({});
    const successor = await rotate(old.id, account.liveKey);
    expect(await revokeBranch(old.id, old.api_key)).toEqual([403, 'key_in_grace']);
    expect(await statuses(old, successor)).toEqual(['grace', 'active']);
  });

  it('DELETE /api/v1/keys/{id}?descendants=true is 409 last_live_key where no live key would be left, and revokes nothing', async () => {
    const root = await idOf(account.liveKey);
    const child = await make({}, account.liveKey);
    expect(await revokeBranch(root, child.api_key)).toEqual([409, 'last_live_key']);
    expect((await keysOf()).map(({ status }) => status)).toEqual(['active', 'active', 'active']);
  });

  it('DELETE /api/v1/keys/{id}?descendants=true finds no live key and no key of another account for a test key', async () => {
    const stranger = await createFullAccount({ url: service.env.databaseUrl });
    const root = await make({});
    for (const key of [account.testKey, stranger.liveKey])
      expect(await revokeBranch(root.id, key)).toEqual([404, 'key_not_found']);
  });

  it('DELETE /api/v1/keys/{id}?descendants=true leaves alive no key that one of the branch was making at that moment', async () => {
    for (let i = 0; i < 5; i++) {
      const root = await make({});
      const child = await make({}, root.api_key);
      const making = [root, child].flatMap(({ api_key }) => [1, 2, 3].map(() => ask(api_key, KEYS, 'POST', {})));
      const rotating = ask(child.api_key, `${KEYS}/${child.id}/rotate`, 'POST', {});
      const replies = [revokeBranch(root.id), revokeBranch(root.id)];
      const made = (await Promise.all([...making, rotating])).filter(({ status }) => status === 201);
      expect(await Promise.all(replies)).toEqual([204, 204]);
      expect(await statuses(root, child, ...made.map(({ body }) => body))).toEqual(
        Array.from({ length: made.length + 2 }, () => 'revoked'),
      );
    }
  });
});

describe('DELETE /admin/v1/keys/{id}?descendants=true', () => {
  it('DELETE /admin/v1/keys/{id}?descendants=true revokes an admin key with all that it made, keys of accounts and what those made too', async () => {
    const root = await makeAdmin();
    const admin = await makeAdmin({}, root.api_key);
    const live = await make({}, admin.api_key, `/admin/v1/accounts/${account.accountId}/keys`);
    const child = await make({}, live.api_key);
    expect(await revokeBranch(root.id, adminKey, ADMIN_KEYS)).toBe(204);
    for (const { api_key } of [root, admin])
      expect(await answer(ask(api_key, '/admin/v1/pool'))).toEqual([401, 'key_revoked']);
    for (const { api_key } of [live, child]) expect(await answer(ask(api_key, KEYS))).toEqual([401, 'key_revoked']);
    const { entries } = (await ask(adminKey, `/admin/v1/accounts/${account.accountId}/audit?limit=2`)).body;
    expect(entries).toMatchObject([1, 2].map(() => ({ act: 'key.revoke', details: { branch_of: root.id } })));
  });

  it('DELETE /admin/v1/keys/{id}?descendants=true revokes what an admin key has put in the place of a key of an account', async () => {
    const root = await makeAdmin();
    const live = await make({});
    const replacement = await rotate(live.id, root.api_key, ADMIN_KEYS);
    expect(await revokeBranch(root.id, adminKey, ADMIN_KEYS)).toBe(204);
    expect(await answer(ask(replacement.api_key, KEYS))).toEqual([401, 'key_revoked']);
    expect(await answer(ask(live.api_key, KEYS))).toBe(200);
  });

  it('DELETE /admin/v1/keys/{id}?descendants=true revokes the last live key of an account too', async () => {
    expect(await revokeBranch(await idOf(account.liveKey), adminKey, ADMIN_KEYS)).toBe(204);
    expect(await answer(ask(account.liveKey, KEYS))).toEqual([401, 'key_revoked']);
  });

  it('DELETE /admin/v1/keys/{id}?descendants=true is 403 for support where a key of the branch may all, and revokes nothing', async () => {
    const [support, root] = [
      await makeAdmin({ permissions: ['support'] }),
      await makeAdmin({ permissions: ['support'] }),
    ];
    const child = await makeAdmin({ permissions: ['support'] }, root.api_key);
    await ask(adminKey, `${ADMIN_KEYS}/${child.id}`, 'PATCH', { permissions: null });
    expect(await revokeBranch(root.id, support.api_key, ADMIN_KEYS)).toEqual([403, 'permission_missing']);
    expect(await answer(ask(root.api_key, '/admin/v1/pool'))).toBe(200);
  });

  it('DELETE /admin/v1/keys/{id}?descendants=true leaves alive no key that one of the branch was making at that moment', async () => {
    const ofAccount = `/admin/v1/accounts/${account.accountId}/keys`;
    for (let i = 0; i < 5; i++) {
      const root = await makeAdmin();
      const making = [
        ...[1, 2].map(() => ask(root.api_key, ADMIN_KEYS, 'POST', { name: 'bob' })),
        ...[1, 2].map(() => ask(root.api_key, ofAccount, 'POST', {})),
      ];
      const revoked = revokeBranch(root.id, adminKey, ADMIN_KEYS);
      const made = (await Promise.all(making)).filter(({ status }) => status === 201);
      expect(await revoked).toBe(204);
      for (const { body } of made)
        expect((await ask(adminKey, `${ADMIN_KEYS}/${body.id}`)).body.key.status).toBe('revoked');
    }
  });
});
