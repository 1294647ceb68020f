import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountKeysService } from '../../src/keys/account-keys.service.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { onDatabase } from '../support/batches.js';
import { call, type Reply } from '../support/call.js';
import { callTool } from '../support/mcp.js';
import { makeScopedKey } from '../support/scoped-keys.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;
let account: FullAccount;
let adminKey: string;

beforeAll(async () => {
  service = await startService({ env: { trustedProxies: ['127.0.0.0/8'] } });
  account = await createFullAccount({ url: service.env.databaseUrl });
  adminKey = await createAdminKey(service);
});

afterAll(() => service.close());

const makeKey = (limits: object) => makeScopedKey(service, account.liveKey, limits);
const ask = (key: string, path: string, body?: object, method = 'POST'): Promise<Reply> =>
  call(service, path, { key, ...(body && { body, method }) });
const codeOf = ({ status, body }: Reply) => [status, body.code];

/** From an address, as a trusted proxy tells it. */
const from = (address: string, key: string, path = '/api/v1/credits', body?: object) =>
  call(service, path, { key, headers: { 'x-forwarded-for': address }, ...(body && { body }) });

async function made(key: string): Promise<{ id: string; permissions: string[]; networks: string[] }> {
  const { keys } = (await call(service, '/api/v1/keys?limit=100', { key: account.liveKey })).body;
  return keys.find(({ last_four }: { last_four: string }) => key.endsWith(last_four));
}

describe('a key with networks', () => {
  it.each([
    ['192.0.2.0/24', ['192.0.2.0', '192.0.2.255', '::ffff:192.0.2.7', '192.0.2.7:4711'], ['192.0.3.0', '2001:db8::1']],
    ['2001:db8::/32', ['2001:db8::1', '[2001:db8::1]:443', '2001:db8::1%eth0'], ['2001:db9::1', '192.0.2.1']],
    ['::/0', ['2001:db8::1'], ['192.0.2.1', '::ffff:192.0.2.1']],
    ['0.0.0.0/0', ['192.0.2.1', '::ffff:192.0.2.1'], ['2001:db8::1', 'unknown', 'fe80::1%eth0']],
    ['::ffff:192.0.2.0/120', ['192.0.2.9'], ['192.0.3.1']],
  ])('a key with networks of %s works from there and nowhere else', async (network, inside, outside) => {
    const key = await makeKey({ networks: [network] });
    for (const address of inside) expect([address, (await from(address, key)).status]).toEqual([address, 200]);
    for (const address of outside)
      expect([address, ...codeOf(await from(address, key))]).toEqual([address, 403, 'address_not_allowed']);
  });

  it('a key with networks is refused by tools of MCP with the same code', async () => {
    const key = await makeKey({ networks: ['192.0.2.0/24'] });
    const { isError, result } = await callTool(service, 'get_credit_balance', {}, { key });
    expect([isError, result.code]).toEqual([true, 'address_not_allowed']);
  });

  it('a key with networks tells them in one form, each once', async () => {
    const networks = ['192.0.2.7', '2001:DB8:0::/32', '::ffff:192.0.2.7/128', '192.0.2.7/32'];
    expect((await made(await makeKey({ networks }))).networks).toEqual(['192.0.2.7/32', '2001:db8::/32']);
  });

  it.each([
    'nowhere',
    '',
    '192.0.2.1/24',
    '192.0.2.0/33',
    '192.0.2.0/-1',
    '192.0.2.0/',
    '192.0.2.0/24/24',
    '010.0.0.0/8',
    '10.1/16',
    '2001:db8::/129',
    'fe80::1%eth0',
    'fe80::%1/64',
    '::ffff:0:0/95',
    '192.0.2.0/24 ',
  ])('a key with networks is not made with the network %j, which is named', async (text) => {
    const { status, body } = await ask(account.liveKey, '/api/v1/keys', { networks: ['192.0.2.0/24', text] });
    expect([status, body.fields?.[0].field]).toEqual([422, 'networks[1]']);
  });

  it.each([[[]], ['192.0.2.0/24'], [[7]], [Array.from({ length: 10_000 }, (_, i) => `10.0.${i >> 8}.${i & 255}`)]])(
    'a key with networks is not made with a list of no, too many or other things',
    async (networks) => {
      const { status, body } = await ask(account.liveKey, '/api/v1/keys', { networks });
      expect([status, body.fields?.[0].field]).toEqual([422, 'networks']);
    },
  );

  it('a key with networks makes none that works from elsewhere', async () => {
    const key = await makeKey({ networks: ['127.0.0.0/8', '2001:db8::/32'] });
    const give = (networks: string[] | null) => ask(key, '/api/v1/keys', { kind: 'test', networks });
    expect((await give(['127.0.0.0/9', '2001:db8:7::/48'])).status).toBe(201);
    for (const wide of [['0.0.0.0/0'], ['127.0.0.0/7'].map(() => '126.0.0.0/7'), ['2001:db8::/31'], null])
      expect(codeOf(await give(wide))).toEqual([403, 'address_not_allowed']);
  });
});

describe('PATCH /api/v1/keys/{id}', () => {
  it('PATCH /api/v1/keys/{id} changes what it names at once, lifts what is null, and leaves the rest', async () => {
    const key = await makeKey({ name: 'Form', permissions: ['credits'] });
    const { id } = await made(key);
    const path = `/api/v1/keys/${id}`;
    const change = async (body: object) => (await ask(account.liveKey, path, body, 'PATCH')).body;
    expect(await change({ networks: ['192.0.2.0/24'] })).toMatchObject({
      name: 'Form',
      permissions: ['credits'],
      networks: ['192.0.2.0/24'],
    });
    expect(codeOf(await ask(key, '/api/v1/credits'))).toEqual([403, 'address_not_allowed']);
    expect(await change({ networks: null, permissions: ['audit'] })).toMatchObject({
      networks: null,
      permissions: ['audit'],
    });
    expect((await ask(key, '/api/v1/credits')).body.permission).toBe('credits');
    expect(await change({ name: null, permissions: null })).toMatchObject({ name: null, permissions: null });
    expect((await ask(key, '/api/v1/credits')).status).toBe(200);
    const before = (await ask(account.liveKey, '/api/v1/audit')).body.entries.length;
    await change({});
    expect((await ask(account.liveKey, '/api/v1/audit')).body.entries).toHaveLength(before);
  });

  it('PATCH /api/v1/keys/{id} lets no key widen itself, also by what it might have had a moment ago', async () => {
    const key = await makeKey({ permissions: ['keys', 'verify'] });
    const { id } = await made(key);
    const path = `/api/v1/keys/${id}`;
    expect(codeOf(await ask(key, path, { permissions: null }, 'PATCH'))).toEqual([403, 'permission_missing']);
    expect((await ask(key, path, { permissions: ['keys'] }, 'PATCH')).status).toBe(200);
    expect((await ask(key, path, { permissions: ['keys', 'verify'] }, 'PATCH')).body.permission).toBe('verify');
    // A process that has not heard of the change yet lets the request in with what it has read before.
    const stale = {
      keyId: id,
      accountId: account.accountId,
      kind: 'live',
      simulated: false,
      clientAddress: '127.0.0.1',
    } as never;
    const widened = service.app.get(AccountKeysService).change(stale, id, { permissions: null });
    await expect(widened).rejects.toMatchObject({ code: 'permission_missing' });
  });

  it('PATCH /api/v1/keys/{id} changes nothing of a broader key, its name neither', async () => {
    const key = await makeKey({ permissions: ['keys'], networks: ['127.0.0.1'] });
    const { id } = await made(await makeKey({ permissions: ['keys', 'results'] }));
    const path = `/api/v1/keys/${id}`;
    expect(codeOf(await ask(key, path, { networks: null }, 'PATCH'))).toEqual([403, 'permission_missing']);
    expect(codeOf(await ask(key, path, { name: 'Report' }, 'PATCH'))).toEqual([403, 'permission_missing']);
  });

  it('PATCH /api/v1/keys/{id} is for keys that were not rotated, so that no successor keeps what was taken from the old one', async () => {
    const { id } = await made(await makeKey({ permissions: ['verify'], networks: ['127.0.0.0/8'] }));
    const path = `/api/v1/keys/${id}`;
    const [changed, rotated] = await Promise.all([
      ask(account.liveKey, path, { permissions: ['credits'], networks: ['127.0.0.1'] }, 'PATCH'),
      ask(account.liveKey, `${path}/rotate`, {}),
    ]);
    expect(rotated.status).toBe(201);
    const scope = [rotated.body.permissions, rotated.body.networks];
    if (changed.status === 200) expect(scope).toEqual([['credits'], ['127.0.0.1/32']]);
    else expect([changed.body.code, ...scope]).toEqual(['key_already_rotated', ['verify'], ['127.0.0.0/8']]);
    expect(codeOf(await ask(account.liveKey, path, { name: 'x' }, 'PATCH'))).toEqual([409, 'key_already_rotated']);
  });
});

describe('PATCH /admin/v1/keys/{id}', () => {
  it('PATCH /admin/v1/keys/{id} limits any key, an agent’s too, with the permissions of its kind', async () => {
    const { id } = await made(await makeKey({}));
    const path = `/admin/v1/keys/${id}`;
    expect((await ask(adminKey, path, { permissions: ['read'] }, 'PATCH')).status).toBe(422);
    const agent = (await call(service, '/agent-gateway/register', { method: 'POST' })).body.api_key as string;
    const [row] = await onDatabase(service.env.databaseUrl, 'SELECT id FROM api_keys WHERE last_four = $1', [
      agent.slice(-4),
    ]);
    const limited = await ask(adminKey, `/admin/v1/keys/${String(row!['id'])}`, { permissions: ['verify'] }, 'PATCH');
    expect([limited.status, limited.body.permissions]).toEqual([200, ['verify']]);
    expect((await ask(agent, '/api/v1/credits')).body.permission).toBe('credits');
    expect((await callTool(service, 'verify_batch', {}, { key: agent })).result.permission).toBe('batches');
  });

  it('PATCH /admin/v1/keys/{id} lets a key for support change no admin key that may more, and not itself', async () => {
    const support = (await ask(adminKey, '/admin/v1/keys', { name: 'bob', permissions: ['support'] })).body;
    const all = (await ask(adminKey, '/admin/v1/keys', { name: 'eve' })).body;
    for (const [id, permissions] of [
      [support.id, null],
      [support.id, ['all']],
      [all.id, ['all']],
    ] as const) {
      const refused = await ask(support.api_key, `/admin/v1/keys/${id}`, { permissions }, 'PATCH');
      expect([...codeOf(refused), refused.body.permission]).toEqual([403, 'permission_missing', 'all']);
    }
    expect(
      (await ask(support.api_key, `/admin/v1/keys/${support.id}`, { permissions: ['read'] }, 'PATCH')).status,
    ).toBe(200);
  });
});
