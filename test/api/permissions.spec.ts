import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeyAdministrationService } from '../../src/admin/key-administration.service.js';
import { adminScope, ADMIN_PERMISSIONS, type AdminPermission, PERMISSIONS } from '../../src/keys/scope/key-scope.js';
import { needsOf } from '../../src/keys/access/audience.js';
import { MCP_TOOLS } from '../../src/mcp/tools/tool-list.js';
import type { Tool } from '../../src/mcp/tools/tool.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey, TESTER } from '../support/admin.js';
import { call, type Reply } from '../support/call.js';
import { callTool } from '../support/mcp.js';
import { type Route, routesOf } from '../support/routes.js';
import { bodyOnce, isCompleted } from '../support/next-look.js';
import { makeScopedKey } from '../support/scoped-keys.js';
import { send } from '../support/send.js';
import { startService, type TestService } from '../support/service.js';
import { TO_LOOPBACK } from '../support/webhook-sink.js';

let service: TestService;
let account: FullAccount;
/** Keys that have one permission, and keys that have all but one, by its name. */
const only = new Map<string, string>();
const allBut = new Map<string, string>();

beforeAll(async () => {
  service = await startService({ env: TO_LOOPBACK });
  account = await createFullAccount({ url: service.env.databaseUrl });
  for (const one of PERMISSIONS) {
    only.set(one, await makeKey([one]));
    allBut.set(one, await makeKey(PERMISSIONS.filter((other) => other !== one)));
  }
  const levels = { support: 'read', impersonate: 'support', all: 'impersonate' } as const;
  for (const one of ADMIN_PERMISSIONS) only.set(one, await makeAdminKey(one));
  for (const [one, below] of Object.entries(levels)) allBut.set(one, only.get(below)!);
});

afterAll(() => service.close());

const makeKey = (permissions: readonly string[], maker = account.testKey) =>
  makeScopedKey(service, maker, { kind: 'test', permissions });

async function makeAdminKey(permission: AdminPermission): Promise<string> {
  const scope = adminScope({ permissions: [permission] });
  const request = { kind: 'admin', accountId: null, name: permission, expiresAt: null, scope } as const;
  return (await service.app.get(KeyAdministrationService).create(TESTER, request)).token;
}

const guarded = () => routesOf(service.app).filter(({ audience }) => audience !== null);
const neededFor = ({ controller, handler }: Route) =>
  needsOf((controller.prototype as Record<string, object>)[handler]!);
const nameOf = ({ method, path }: Route) => `${method} ${path}`;

/** The bare code: what the reply says is held against the documents by other tests. */
async function refusalOf({ method, path }: Route, key: string): Promise<unknown> {
  const url = service.url + path.replace(':id', path.includes('/batch/') ? '1' : randomUUID());
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { status, text } = await send(url, { method, headers, ...(method !== 'GET' && { body: '{' }) });
  if (status < 300) return null;
  const { code, permission } = JSON.parse(text) as Record<string, string>;
  return code === 'permission_missing' ? [status, permission] : null;
}

describe('a route', () => {
  it('a route that takes a key says what permissions it needs, of those that keys of its callers can have', () => {
    for (const route of guarded()) {
      const { audience } = route;
      const every: readonly string[] = audience === 'admin' ? ADMIN_PERMISSIONS : PERMISSIONS;
      const needed = neededFor(route);
      expect([nameOf(route), needed.filter((one) => !every.includes(one))]).toEqual([nameOf(route), []]);
      expect([nameOf(route), needed.length > 0]).toEqual([nameOf(route), audience !== 'any']);
    }
  });

  it('a route refuses a key that lacks one of its permissions with 403 permission_missing, which names it', async () => {
    for (const route of guarded()) {
      for (const needed of neededFor(route).filter((one) => one !== 'read'))
        expect([nameOf(route), await refusalOf(route, allBut.get(needed)!)]).toEqual([nameOf(route), [403, needed]]);
    }
  });

  it('a route lets in a key that has no permission but the ones it needs', async () => {
    for (const route of guarded()) {
      const needed = neededFor(route);
      const key = needed.length > 1 ? await makeKey(needed) : only.get(needed[0] ?? 'lists')!;
      expect([nameOf(route), await refusalOf(route, key)]).toEqual([nameOf(route), null]);
    }
  });

  it('a route asks for the same permission with HEAD as with GET', async () => {
    const head = async (permission: string) => {
      const headers = { authorization: `Bearer ${only.get(permission)!}` };
      return (await fetch(`${service.url}/api/v1/lists`, { method: 'HEAD', headers })).status;
    };
    expect([await head('audit'), await head('lists')]).toEqual([403, 200]);
  });
});

describe('a tool of MCP', () => {
  it('a tool of MCP refuses a key that lacks a permission of its route with the same code, and lets in one that has them', async () => {
    for (const { name, needs } of service.app.get<readonly Tool[]>(MCP_TOOLS, { strict: false })) {
      for (const one of needs) {
        const { isError, result } = await callTool(service, name, {}, { key: allBut.get(one)! });
        expect([name, isError, result.code, result.permission]).toEqual([name, true, 'permission_missing', one]);
      }
      if (needs.length > 0)
        expect((await callTool(service, name, {}, { key: await makeKey(needs) })).result.code).not.toBe(
          'permission_missing',
        );
    }
  });
});

describe('a key that may not do everything', () => {
  const ask = (key: string, path: string, body?: object): Promise<Reply> =>
    call(service, path, { key, ...(body && { body }) });

  it('a key that may not do everything tells its permissions in one order, and null when it has all', async () => {
    const { body } = await ask(account.liveKey, '/api/v1/keys', { permissions: ['audit', 'verify'] });
    expect(body.permissions).toEqual(['verify', 'audit']);
    expect((await ask(account.liveKey, '/api/v1/keys', {})).body.permissions).toBeNull();
  });

  it.each([[[]], [['verify', 'verify']], [['root']], ['verify'], [[null]], [['all']]])(
    'a key that may not do everything is not made with the permissions %j',
    async (permissions) => {
      const { status, body } = await ask(account.liveKey, '/api/v1/keys', { permissions });
      expect([status, body.code, body.fields?.[0].field]).toEqual([422, 'invalid_input', 'permissions']);
    },
  );

  it('a key that may not do everything makes none that may more than itself', async () => {
    const key = await makeKey(['keys', 'verify']);
    const made = (permissions: readonly string[] | null) =>
      ask(key, '/api/v1/keys', { kind: 'test', ...(permissions && { permissions }) });
    expect((await made(['keys', 'verify'])).status).toBe(201);
    for (const wanted of [['verify', 'results'], null]) {
      const { status, body } = await made(wanted);
      expect([status, body.code]).toEqual([403, 'permission_missing']);
      expect(body.permission).toBe(wanted === null ? 'all' : 'results');
    }
  });

  it('a key that may not do everything rotates none that may more than itself', async () => {
    const key = await makeKey(['keys', 'verify']);
    const { keys } = (await ask(account.testKey, '/api/v1/keys?limit=1')).body;
    const wide = (await ask(account.testKey, '/api/v1/keys', { kind: 'test' })).body.id;
    const refused = await ask(key, `/api/v1/keys/${wide}/rotate`, {});
    expect([refused.status, refused.body.code]).toEqual([403, 'permission_missing']);
    const own = await ask(key, `/api/v1/keys/${keys[0].id}/rotate`, {});
    expect([own.status, own.body.permissions]).toEqual([201, ['verify', 'keys']]);
  });
});

describe('the settings of an account', () => {
  const SETTINGS = [
    ['verification-settings', { reuse: false }, 'verify'],
    ['batch-settings', { retention_days: 7 }, 'batches'],
    ['suppression-settings', { report_in_verify: true }, 'suppressions'],
  ] as const;

  it.each(SETTINGS)(
    'the settings of an account named %s are changed by keys with `settings` alone, and still read without it',
    async (...row) => {
      const [name, body, reader] = row;
      const change = (key: string) => call(service, `/api/v1/${name}`, { key, method: 'PATCH', body });
      const refused = await change(allBut.get('settings')!);
      expect([refused.status, refused.body.code, refused.body.permission]).toEqual([
        403,
        'permission_missing',
        'settings',
      ]);
      expect((await call(service, `/api/v1/${name}`, { key: only.get(reader)! })).body).not.toMatchObject(body);
      expect((await change(only.get('settings')!)).body).toMatchObject(body);
      expect((await change(account.testKey)).status).toBe(200);
    },
  );
});

describe('results that are sent to an address', () => {
  const URL = 'https://127.0.0.1:9/results';
  const forbidden = (permission: string) => [403, 'permission_missing', permission];
  const codeOf = ({ status, body }: Reply) => [status, body?.code, body?.permission];

  it.each([
    ['verify/batch', 'batches', { emails: ['a@example.com'] }],
    ['finder/batch', 'finder', { people: [{ first_name: 'Ada', last_name: 'Lovelace', domain: 'example.com' }] }],
  ])(
    'results that are sent to an address by webhook_url of %s need `webhooks` and `results` too, and nothing is taken in without them',
    async (...row) => {
      const [path, permission, rows] = row;
      const send = async (permissions: readonly string[], more: object = { webhook_url: URL }) =>
        call(service, `/api/v1/${path}`, { key: await makeKey(permissions), body: { ...rows, ...more } });
      expect(codeOf(await send([permission]))).toEqual(forbidden('webhooks'));
      expect(codeOf(await send([permission, 'results']))).toEqual(forbidden('webhooks'));
      const refused = await send([permission, 'webhooks']);
      expect(codeOf(refused)).toEqual(forbidden('results'));
      expect(refused.body.error).toMatch(/lacks the permission "results".*webhook_url/);
      expect((await call(service, `/api/v1/${path}`, { key: account.testKey })).body.batches).toEqual([]);
      expect((await send([permission], {})).status).toBe(201);
      expect((await send([permission, 'webhooks', 'results'])).status).toBe(201);
    },
  );

  const register = (permissions: readonly string[], body: object) =>
    makeKey(permissions).then((key) => call(service, '/api/v1/webhooks', { key, body }));

  it.each([
    ['all events', {}],
    ['batch.completed', { events: ['batch.completed'] }],
    ['list.changed', { events: ['credits.low', 'list.changed'], include_results: 1 }],
    ['batch.completed without rows, which has a link to them', { events: ['batch.completed'], include_results: 0 }],
  ])(
    'results that are sent to an address by an endpoint of %s need `results` beside `webhooks`',
    async (name, more) => {
      const body = { url: `https://127.0.0.1:9/${encodeURIComponent(name)}`, ...more };
      const refused = await register(['webhooks'], body);
      expect(codeOf(refused)).toEqual(forbidden('results'));
      expect(refused.body.error).toContain('choose other events');
      expect((await register(['webhooks', 'results'], body)).status).toBe(201);
    },
  );

  it('results that are sent to an address are not what an endpoint of other events gets, which needs `webhooks` alone', async () => {
    const body = { url: 'https://127.0.0.1:9/others', events: ['credits.low', 'batch.failed'] };
    expect((await register(['webhooks'], body)).status).toBe(201);
  });

  it('results that are sent to an address are not turned elsewhere, nor turned on, by a key that may not read them, which may turn them off', async () => {
    const url = 'https://127.0.0.1:9/turned';
    const { id } = (await register(['webhooks', 'results'], { url, events: ['batch.completed'] })).body;
    const change = (body: object, key = only.get('webhooks')!) =>
      call(service, `/api/v1/webhooks/${id}`, { key, method: 'PATCH', body });
    const others = ['credits.low'];
    for (const body of [
      { url: `${url}2` },
      { events: ['list.changed'] },
      { include_results: 9 },
      { include_results: 0 },
      { enabled: true },
      { events: others },
      { events: others, url: `${url}2` },
    ])
      expect(codeOf(await change(body))).toEqual(forbidden('results'));
    expect((await change({ enabled: false })).body).toMatchObject({ url, enabled: false, include_results: 1000 });
    expect(codeOf(await change({ enabled: false, url: `${url}2` }))).toEqual(forbidden('results'));
    expect((await change({ events: others, enabled: true }, account.testKey)).status).toBe(200);
    expect((await change({ url: `${url}2` })).status).toBe(200);
  });

  it('results that are sent to an address that were sent to an endpoint, or wait for it, go nowhere else by a key that may not read them', async () => {
    const url = 'https://127.0.0.1:9/sent';
    const { id } = (await register(['webhooks', 'results'], { url, events: ['batch.completed'] })).body;
    const { body: batch } = await call(service, '/api/v1/verify/batch', {
      key: account.testKey,
      body: { emails: ['valid+sent@example.com'] },
    });
    await bodyOnce(() => call(service, `/api/v1/verify/batch/${batch.id}`, { key: account.testKey }), isCompleted);
    const change = (body: object, key: string) =>
      call(service, `/api/v1/webhooks/${id}`, { key, method: 'PATCH', body });
    expect((await change({ events: ['credits.low'] }, account.testKey)).status).toBe(200);
    expect(codeOf(await change({ url: `${url}2` }, only.get('webhooks')!))).toEqual(forbidden('results'));
    expect((await change({ url: `${url}2` }, account.testKey)).status).toBe(200);
  });

  it('results that are sent to an address by the endpoint of a batch stay where the batch has them sent', async () => {
    const body = { emails: ['b@example.com'], webhook_url: 'https://127.0.0.1:9/of-a-batch' };
    const { webhook } = (await call(service, '/api/v1/verify/batch', { key: account.testKey, body })).body;
    const change = { url: 'https://127.0.0.1:9/elsewhere' };
    const path = `/api/v1/webhooks/${webhook.id}`;
    const refused = await call(service, path, { key: only.get('webhooks')!, method: 'PATCH', body: change });
    expect(codeOf(refused)).toEqual(forbidden('results'));
  });
});

describe('the refusal of a key that lacks permissions', () => {
  const refusalOf = async (path: string, key: string, body: object) => {
    const reply = await call(service, path, { key, body });
    return [reply.status, reply.body.code, reply.body.permission, reply.body.error];
  };
  const refused = (permission: string, sentence: string) => [
    403,
    'permission_missing',
    permission,
    expect.stringContaining(sentence),
  ];

  it('the refusal of a key that lacks permissions names `all` where it reaches for a key that may everything, whatever its own list lacks', async () => {
    const whole = (await call(service, '/api/v1/keys', { key: account.testKey, body: { kind: 'test' } })).body;
    for (const permissions of [['keys'], [...PERMISSIONS]]) {
      const key = await makeKey(permissions);
      const path = `/api/v1/keys/${whole.id}/rotate`;
      expect(await refusalOf(path, key, {})).toEqual(refused('all', 'all permissions, those of later versions too'));
    }
  });

  it('the refusal of a key that lacks permissions names every one of several that are missing', async () => {
    const key = await makeKey(['keys', 'verify']);
    const body = { kind: 'test', permissions: ['verify', 'lists', 'results'] };
    const sentence = 'lacks the permissions "results" and "lists".';
    expect(await refusalOf('/api/v1/keys', key, body)).toEqual(refused('results', sentence));
    const { body: read } = await call(service, '/api/v1/lists/1', { key });
    expect([read.permission, read.error]).toEqual(['lists', 'This key lacks the permissions "lists" and "results".']);
  });

  it('the refusal of a key that lacks permissions tells an administrator who reads that a live key needs `impersonate` beyond `support`', async () => {
    const live = `/admin/v1/accounts/${account.accountId}/keys`;
    for (const path of [live, `/admin/v1/keys/${randomUUID()}/rotate`])
      expect(await refusalOf(path, only.get('read')!, {})).toEqual(refused('support', 'it needs "impersonate"'));
  });
});

describe('an admin key for support', () => {
  it('an admin key for support holds the permission to read too, and makes and rotates no admin key that may more', async () => {
    const support = only.get('support')!;
    const ask = (path: string, body?: object) => call(service, path, { key: support, ...(body && { body }) });
    const made = await ask('/admin/v1/keys', { name: 'bob', permissions: ['support'] });
    expect([made.status, made.body.permissions]).toEqual([201, ['read', 'support']]);
    expect((await ask('/admin/v1/keys', { name: 'bob' })).body.permission).toBe('all');
    const all = await createAdminKey(service, 'chief');
    const { keys } = (await call(service, '/admin/v1/keys?limit=1', { key: all })).body;
    expect((await ask(`/admin/v1/keys/${keys[0].id}/rotate`, {})).body.permission).toBe('all');
    expect((await ask(`/admin/v1/keys/${made.body.id}/rotate`, {})).status).toBe(201);
  });

  it('an admin key for support gives test keys of accounts whatever these may do', async () => {
    const path = `/admin/v1/accounts/${account.accountId}/keys`;
    const made = await call(service, path, { key: only.get('support')!, body: { kind: 'test' } });
    expect([made.status, made.body.permissions]).toEqual([201, null]);
  });
});

describe('an administrator who could act as a customer', () => {
  const ask = (key: string, path: string, body?: object, method?: string): Promise<Reply> =>
    call(service, path, { key, ...(body && { body }), ...(method && { method }) });
  const KEYS = '/admin/v1/keys';
  const NARROW = { permissions: ['verify'], networks: ['192.0.2.0/24'], credits_per_day: 5 };
  const missing = [403, 'permission_missing', 'impersonate'];
  const codeOf = ({ status, body }: Reply) => (status < 400 ? status : [status, body.code, body.permission]);
  const makeLive = async (body: object) => (await ask(account.liveKey, '/api/v1/keys', body)).body.id as string;
  const rotate = (key: string, id: string) => ask(key, `${KEYS}/${id}/rotate`, {});
  const change = (key: string, id: string, body: object) => ask(key, `${KEYS}/${id}`, body, 'PATCH');

  it('an administrator who could act as a customer makes and rotates live keys with `impersonate` and with `all` only, and test keys with `support`', async () => {
    const room = `/admin/v1/accounts/${account.accountId}/keys`;
    const acts = async (key: string, kind: string) => {
      const id = kind === 'live' ? await makeLive({}) : (await ask(account.testKey, '/api/v1/keys', { kind })).body.id;
      return [codeOf(await ask(key, room, { kind })), codeOf(await rotate(key, id))];
    };
    expect(await acts(only.get('support')!, 'live')).toEqual([missing, missing]);
    expect(await acts(only.get('support')!, 'test')).toEqual([201, 201]);
    for (const permission of ['impersonate', 'all'] as const)
      expect(await acts(only.get(permission)!, 'live')).toEqual([201, 201]);
  });

  it.each([
    ['permissions', { permissions: ['verify', 'results'] }],
    ['permissions to all', { permissions: null }],
    ['networks', { networks: ['192.0.2.0/24', '198.51.100.0/24'] }],
    ['networks to everywhere', { networks: null }],
    ['a ceiling', { credits_per_day: 6 }],
    ['a ceiling to none', { credits_per_day: null }],
  ])(
    'an administrator who could act as a customer widens a live key with `impersonate` only: its %s',
    async (_, wider) => {
      const id = await makeLive(NARROW);
      const shown = async () => (await ask(only.get('read')!, `${KEYS}/${id}`)).body.key;
      const before = await shown();
      expect(codeOf(await change(only.get('support')!, id, wider))).toEqual(missing);
      expect(await shown()).toEqual(before);
      expect(codeOf(await change(only.get('impersonate')!, id, wider))).toBe(200);
    },
  );

  it('an administrator who could act as a customer names, narrows and revokes live keys with `support`', async () => {
    const id = await makeLive({});
    expect(codeOf(await change(only.get('support')!, id, { ...NARROW, name: 'Held' }))).toBe(200);
    expect(codeOf(await ask(only.get('support')!, `${KEYS}/${id}`, undefined, 'DELETE'))).toBe(204);
  });

  it('an administrator who could act as a customer widens the key of an agent with `impersonate` only, and the account that has claimed it reads so', async () => {
    const { body: agent } = await call(service, '/agent-gateway/register', { body: { name: 'Widened' } });
    await ask(account.liveKey, '/api/v1/claims', { claim_token: agent.claim_token });
    const { keys } = (await ask(account.liveKey, '/api/v1/keys?limit=100')).body;
    const { id } = (keys as { id: string; kind: string }[]).find(({ kind }) => kind === 'agent')!;
    expect(codeOf(await change(only.get('support')!, id, { credits_per_day: 500 }))).toEqual(missing);
    expect(codeOf(await change(only.get('impersonate')!, id, { credits_per_day: 500 }))).toBe(200);
    const [entry] = (await ask(account.liveKey, '/api/v1/audit?limit=1')).body.entries;
    expect(entry).toMatchObject({ act: 'key.change', key_id: id, actor: { key_id: null, name: 'administrator' } });
  });

  it('an administrator who could act as a customer is named as an administrator, and no more, in the log of the account, and by key in that of administrators', async () => {
    const own = () => ask(account.liveKey, '/api/v1/audit?limit=1').then(({ body }) => body.entries[0]);
    const last = () => ask(only.get('read')!, '/admin/v1/audit?limit=1').then(({ body }) => body.entries[0]);
    const impersonator = only.get('impersonate')!;
    const room = `/admin/v1/accounts/${account.accountId}/keys`;
    const made = (await ask(impersonator, room, { name: 'For a test', permissions: ['verify'] })).body;
    const acts = [
      ['key.create', { kind: 'live', name: 'For a test', permissions: ['verify'] }, () => Promise.resolve(made)],
      [
        'key.change',
        { permissions: ['verify', 'batches'] },
        () => change(impersonator, made.id, { permissions: ['verify', 'batches'] }),
      ],
      ['key.rotate', { grace_seconds: 86_400 }, () => rotate(impersonator, made.id)],
    ] as const;
    for (const [act, details, run] of acts) {
      await run();
      const [told, whole] = [await own(), await last()];
      expect(told).toMatchObject({ act, key_id: made.id, details });
      expect([told.actor, told.from]).toEqual([{ key_id: null, name: 'administrator' }, 'administrator']);
      expect(whole).toMatchObject({ act, key_id: made.id, details, actor: { name: 'impersonate' } });
      expect(whole.from).toBe('127.0.0.1');
    }
    const before = await own();
    await change(only.get('support')!, made.id, { name: 'Renamed' });
    expect(await own()).toEqual(before);
    await ask(only.get('support')!, room, { kind: 'test' });
    expect(await own()).toEqual(before);
  });
});
