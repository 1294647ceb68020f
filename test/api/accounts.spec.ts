import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/lib/durations.js';
import { generateToken, hashToken } from '../../src/keys/access/token.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call, register } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';

const START = Date.parse('2026-11-21T10:00:00.000Z');
const clock = { time: START, now: () => clock.time };
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  service = await startService({ clock });
});

beforeEach(async () => {
  clock.time = START;
  account = await createFullAccount({ url: service.env.databaseUrl });
});

afterAll(() => service.close());

const sql = (text: string, parameters: unknown[] = []) => service.app.get(DataSource).query(text, parameters);
const list = (key = account.liveKey, query = '') => call(service, `/api/v1/keys${query}`, { key });
const create = (body: object, key = account.liveKey) => call(service, '/api/v1/keys', { key, body });
const rotate = (id: string, body: object = {}, key = account.liveKey) =>
  call(service, `/api/v1/keys/${id}/rotate`, { key, body });
const revoke = (id: string, key = account.liveKey) => call(service, `/api/v1/keys/${id}`, { key, method: 'DELETE' });
const works = async (key: string) => (await call(service, '/api/v1/credits', { key })).status === 200;
const refusal = async (key: string) => (await call(service, '/api/v1/credits', { key })).body.code;
const idOf = async (token: string): Promise<string> =>
  (await sql('SELECT id FROM api_keys WHERE token_hash = $1', [hashToken(token)]))[0].id;

describe('an account’s keys', () => {
  it.each(['live', 'test'] as const)('a %s key is shown once, when it is created, and works at once', async (kind) => {
    const { status, body } = await create({ kind, name: 'Shop', expires_at: '2026-12-24T18:00:00+01:00' });
    expect(status).toBe(201);
    expect(body).toEqual({
      api_key: expect.stringMatching(new RegExp(`^ms_${kind}_`)),
      id: expect.stringMatching(UUID),
      kind,
      name: 'Shop',
      last_four: body.api_key.slice(-4),
      status: 'active',
      permissions: null,
      networks: null,
      ceilings: null,
      created_by: { type: 'key', id: expect.stringMatching(UUID) },
      created_at: '2026-11-21T10:00:00.000Z',
      expires_at: '2026-12-24T17:00:00.000Z',
      last_used_at: null,
      revoked_at: null,
    });
    expect(await works(body.api_key)).toBe(true);
    const listed = await list();
    expect(listed.body.keys.find(({ id }: { id: string }) => id === body.id)).toMatchObject({ kind, name: 'Shop' });
    expect(JSON.stringify(listed.body)).not.toContain('ms_');
  });

  it('an account’s keys are live without a word, and keep nothing of the token in the database', async () => {
    const { body } = await call(service, '/api/v1/keys', { key: account.liveKey, method: 'POST' });
    expect(body).toMatchObject({ kind: 'live', name: null, expires_at: null });
    const rows = JSON.stringify(await sql('SELECT * FROM api_keys'));
    expect(rows).not.toContain(body.api_key.slice(8, -4));
  });

  it('an account’s keys are refused from the time on that they were given', async () => {
    const { body } = await create({ expires_at: '2026-11-21T10:00:01Z' });
    expect(await works(body.api_key)).toBe(true);
    clock.time = START + 1000;
    expect(await refusal(body.api_key)).toBe('key_expired');
    expect((await list()).body.keys.find(({ id }: { id: string }) => id === body.id).status).toBe('expired');
  });

  it('an account’s keys are listed newest first, page by page, each once', async () => {
    for (let i = 1; i <= 5; i++) {
      clock.time = START + DAY_MS + Math.ceil(i / 2);
      await create({ name: `key ${i}` });
    }
    const names: (string | null)[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await list(account.liveKey, `?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(page.status).toBe(200);
      expect(page.body.keys.length).toBeLessThanOrEqual(2);
      names.push(...page.body.keys.map(({ name }: { name: string | null }) => name));
      cursor = page.body.next_cursor;
    }
    expect(names).toHaveLength(7);
    expect(names[0]).toBe('key 5');
    expect(new Set(names.slice(0, 5))).toEqual(new Set(['key 1', 'key 2', 'key 3', 'key 4', 'key 5']));
  });

  it.each([
    ['another kind', { kind: 'admin' }, 'kind'],
    ['an agent’s kind', { kind: 'agent' }, 'kind'],
    ['a name that is no text', { name: 7 }, 'name'],
    ['a name of 81 characters', { name: 'n'.repeat(81) }, 'name'],
    ['a name with NUL', { name: 'a\0' }, 'name'],
    ['a time that has passed', { expires_at: '2026-11-21T09:59:59Z' }, 'expires_at'],
    ['a time without a zone', { expires_at: '2027-01-01T00:00:00' }, 'expires_at'],
    ['a day for a time', { expires_at: '2027-01-01' }, 'expires_at'],
  ])('an account’s keys are not made of %s', async (_, body, field) => {
    const reply = await create(body);
    expect([reply.status, reply.body.code]).toEqual([422, 'invalid_input']);
    expect(reply.body.fields).toEqual([{ field, error: expect.any(String) }]);
    expect((await list()).body.keys).toHaveLength(2);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=nonsense', 'cursor=', 'cursor=a&cursor=b'])(
    'an account’s keys are not listed by ?%s',
    async (query) => {
      expect((await list(account.liveKey, `?${query}`)).body.code).toBe('invalid_input');
    },
  );

  it.each([
    ['live', 'test'],
    ['test', 'live'],
  ])('an account’s keys are 100 at most that are %s, and leave room for those that are %s', async (kind, other) => {
    await sql(
      `INSERT INTO api_keys (account_id, kind, token_hash, last_four, created_at)
       SELECT $1::uuid, $2, sha256(convert_to($1::uuid || ' ' || n, 'UTF8')), 'xxxx', now() FROM generate_series(1, 98) n`,
      [account.accountId, kind],
    );
    expect((await create({ kind })).status).toBe(201);
    expect((await create({ kind })).body.code).toBe('too_many_keys');
    expect((await create({ kind: other })).status).toBe(201);
  });
});

describe('a rotation', () => {
  it('a rotation gives a new key at once, and the old one its grace, which ends by itself', async () => {
    const id = await idOf(account.liveKey);
    const { status, body } = await rotate(id, { grace_seconds: 60 });
    expect(status).toBe(201);
    expect(body).toMatchObject({ kind: 'live', status: 'active', api_key: expect.stringMatching(/^ms_live_/) });
    expect(await works(body.api_key)).toBe(true);
    expect(await works(account.liveKey)).toBe(true);
    const old = (await list()).body.keys.find((key: { id: string }) => key.id === id);
    expect(old).toMatchObject({ status: 'grace', revoked_at: '2026-11-21T10:01:00.000Z' });
    clock.time = START + 60_000;
    expect(await refusal(account.liveKey)).toBe('key_revoked');
    expect(await works(body.api_key)).toBe(true);
  });

  it('a rotation lasts a day when the request names no time', async () => {
    await rotate(await idOf(account.liveKey));
    clock.time = START + DAY_MS - 1;
    expect(await works(account.liveKey)).toBe(true);
    clock.time = START + DAY_MS;
    expect(await refusal(account.liveKey)).toBe('key_revoked');
  });

  it('a rotation without grace ends the old key at once, also where it has just been used', async () => {
    expect(await works(account.liveKey)).toBe(true);
    const { body } = await rotate(await idOf(account.liveKey), { grace_seconds: 0 });
    expect(await refusal(account.liveKey)).toBe('key_revoked');
    expect(await works(body.api_key)).toBe(true);
  });

  it('a rotation keeps name and end of the old key', async () => {
    const { body: old } = await create({ name: 'Shop', expires_at: '2027-01-01T00:00:00Z' });
    expect((await rotate(old.id)).body).toMatchObject({ name: 'Shop', expires_at: '2027-01-01T00:00:00.000Z' });
  });

  it('a rotation happens once to a key, also when asked for twice at once', async () => {
    const id = await idOf(account.testKey);
    const replies = await Promise.all([rotate(id), rotate(id), rotate(id)]);
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409, 409]);
  });

  it('a rotation is refused for a key that has expired or was revoked', async () => {
    const { body: expiring } = await create({ expires_at: '2026-11-21T10:00:01Z' });
    const { body: revoked } = await create({});
    await revoke(revoked.id);
    clock.time = START + 1000;
    const refusals = [await rotate(expiring.id), await rotate(revoked.id)];
    expect(refusals.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'key_already_expired'],
      [409, 'key_already_rotated'],
    ]);
  });

  it.each([-1, 604_801, 1.5, '60'])('a rotation has no grace of %j seconds', async (grace_seconds) => {
    const { status, body } = await rotate(await idOf(account.liveKey), { grace_seconds });
    expect([status, body.fields[0].field]).toEqual([422, 'grace_seconds']);
  });

  it('a rotation has a grace of up to a week, which a revocation cuts short', async () => {
    const id = await idOf(account.liveKey);
    const { body } = await rotate(id, { grace_seconds: 604_800 });
    clock.time = START + 604_800_000 - 1;
    expect(await works(account.liveKey)).toBe(true);
    expect((await revoke(id, body.api_key)).status).toBe(204);
    expect(await refusal(account.liveKey)).toBe('key_revoked');
  });
});

describe('a revocation', () => {
  it('a revocation ends a key for ever, and may be asked for again', async () => {
    const { body } = await create({});
    expect(await works(body.api_key)).toBe(true);
    expect(await revoke(body.id)).toMatchObject({ status: 204, body: null });
    expect(await refusal(body.api_key)).toBe('key_revoked');
    expect((await revoke(body.id)).status).toBe(204);
    clock.time += DAY_MS;
    const listed = (await list()).body.keys.find(({ id }: { id: string }) => id === body.id);
    expect(listed).toMatchObject({ status: 'revoked', revoked_at: '2026-11-21T10:00:00.000Z' });
  });

  it('a revocation is refused for the last live key, whichever others there are', async () => {
    const id = await idOf(account.liveKey);
    const { body: expired } = await create({ expires_at: '2026-11-21T10:00:01Z' });
    clock.time = START + 1000;
    const { status, body } = await revoke(id);
    expect([status, body.code]).toEqual([409, 'last_live_key']);
    expect(await works(account.liveKey)).toBe(true);
    expect((await revoke(expired.id)).status).toBe(204);
  });

  it('a revocation never ends both of two live keys, asked for at once', async () => {
    const { body: second } = await create({});
    const first = await idOf(account.liveKey);
    const replies = await Promise.all([revoke(first, second.api_key), revoke(second.id, account.liveKey)]);
    expect(replies.filter(({ status }) => status === 204).length).toBeLessThan(2);
    expect((await Promise.all([works(account.liveKey), works(second.api_key)])).filter(Boolean)).toHaveLength(1);
  });

  it('a revocation of the last live key succeeds once it was rotated', async () => {
    const id = await idOf(account.liveKey);
    const { body } = await rotate(id);
    expect((await revoke(id)).status).toBe(204);
    expect(await works(body.api_key)).toBe(true);
  });
});

describe('a test key', () => {
  it('a test key lists and manages the test keys of the account', async () => {
    expect((await list(account.testKey)).body.keys).toMatchObject([{ kind: 'test' }]);
    expect((await list()).body.keys).toHaveLength(2);
    const { body } = await create({ kind: 'test' }, account.testKey);
    expect((await rotate(body.id, {}, account.testKey)).status).toBe(201);
    expect((await revoke(body.id, account.testKey)).status).toBe(204);
  });

  it('neither makes nor rotates nor revokes a live key', async () => {
    const id = await idOf(account.liveKey);
    const made = [await create({ kind: 'live' }, account.testKey), await create({}, account.testKey)];
    for (const { status, body } of made) expect([status, body.code]).toEqual([403, 'live_key_required']);
    const found = [await rotate(id, {}, account.testKey), await revoke(id, account.testKey)];
    for (const { status, body } of found) expect([status, body.code]).toEqual([404, 'key_not_found']);
    expect((await list()).body.keys).toHaveLength(2);
  });
});

it('a key that is not there, or no id, is 404', async () => {
  for (const id of ['00000000-0000-4000-8000-000000000000', 'nonsense', '1', '%00']) {
    expect((await rotate(id)).body.code, id).toBe('key_not_found');
    expect((await revoke(id)).body.code, id).toBe('key_not_found');
  }
});

it('an agent key has no business with keys', async () => {
  const key = await register(service);
  expect((await list(key)).body.code).toBe('full_account_required');
});

it('a token that nobody was given is not found by its checksum alone', async () => {
  expect(await refusal(generateToken('live'))).toBe('key_unknown');
});
