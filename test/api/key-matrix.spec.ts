import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERMISSIONS } from '../../src/keys/scope/key-scope.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { call } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';

/* Each kind of key at each other kind: what it changes, rotates and revokes, and what it makes. */

const clock = { now: () => Date.parse('2026-11-21T10:00:00.000Z') };
const KEYS = '/api/v1/keys';
const ADMIN_KEYS = '/admin/v1/keys';

/** What the whole key of the account makes. */
const KINDS = {
  whole: {},
  listed: { permissions: [...PERMISSIONS] },
  narrow: { permissions: ['verify', 'keys'] },
  weak: { permissions: ['verify'] },
  near: { networks: ['127.0.0.0/8'] },
  spender: { credits_per_day: 5 },
  brief: { expires_at: '2026-11-22T10:00:00.000Z' },
  lasting: { expires_at: '2026-11-28T10:00:00.000Z' },
  test: { kind: 'test' },
} as const;
type Kind = keyof typeof KINDS;

/** Beside those, a key may name itself, what an administrator has made or an agent got, and what is another's or nobody's. */
type Target = Kind | 'itself' | 'byAdministrator' | 'weakByAdministrator' | 'agent' | 'stranger' | 'admin' | 'nobody';

/** The status of a rename, a rotation, a revocation, and a revocation with descendants; or the code of what is refused. */
type Acts = readonly [unknown, unknown, unknown, unknown];
const DONE: Acts = [200, 201, 204, 204];
const refused = (code: string): Acts => [code, code, code, code];
const PERMISSION = refused('permission_missing');
const NETWORK = refused('address_not_allowed');
const CEILING = refused('ceiling_not_allowed');
const LASTS = refused('key_lasts_longer');
const GONE = refused('key_not_found');
/** An agent registers again in place of a rotation. */
const AGENT: Acts = [200, 'agent_account', 204, 204];

const OF_OTHERS = { stranger: GONE, admin: GONE, nobody: GONE };
/** What is not named is refused as the first of the row says. */
const ACTS: Readonly<Record<string, Readonly<Partial<Record<Target, Acts>>> & { readonly others: Acts }>> = {
  whole: { others: DONE, agent: AGENT, ...OF_OTHERS },
  // It has all of today's permissions: what has no list may also what later versions add.
  listed: {
    others: PERMISSION,
    itself: DONE,
    listed: DONE,
    narrow: DONE,
    weak: DONE,
    weakByAdministrator: DONE,
    agent: AGENT,
    ...OF_OTHERS,
  },
  narrow: {
    others: PERMISSION,
    itself: DONE,
    narrow: DONE,
    weak: DONE,
    weakByAdministrator: DONE,
    ...OF_OTHERS,
  },
  // It lacks `keys`.
  weak: {
    others: PERMISSION,
  },
  near: { others: NETWORK, itself: DONE, near: DONE, ...OF_OTHERS },
  spender: {
    others: CEILING,
    itself: DONE,
    test: DONE,
    // A successor would share ceilings that are not its own.
    spender: [200, 'ceiling_not_allowed', 204, 204],
    agent: AGENT,
    ...OF_OTHERS,
  },
  brief: { others: LASTS, itself: DONE, brief: DONE, ...OF_OTHERS },
  lasting: { others: LASTS, itself: DONE, brief: DONE, lasting: DONE, ...OF_OTHERS },
  test: { others: GONE, itself: DONE, test: DONE },
};

/** What a key makes, by what is asked for, and its own change to all permissions, networks and credits. */
type Gifts = Readonly<Partial<Record<Kind | 'widensItself', unknown>>> & { readonly others: unknown };
const GIFTS: Readonly<Record<string, Gifts>> = {
  whole: { others: 201, widensItself: 200 },
  listed: { others: 'permission_missing', listed: 201, narrow: 201, weak: 201 },
  narrow: { others: 'permission_missing', narrow: 201, weak: 201 },
  weak: { others: 'permission_missing' },
  near: { others: 'address_not_allowed', near: 201 },
  // They share its ceilings.
  spender: { others: 201, spender: 'ceiling_not_allowed', widensItself: 'ceiling_not_allowed' },
  // They end with it.
  brief: { others: 201, lasting: 'invalid_input', widensItself: 200 },
  lasting: { others: 201, widensItself: 200 },
  test: { others: 'live_key_required', test: 201, widensItself: 200 },
};

const ADMIN_KINDS = {
  read: { permissions: ['read'] },
  support: { permissions: ['support'] },
  impersonate: { permissions: ['impersonate'] },
  all: {},
} as const;
type AdminKind = keyof typeof ADMIN_KINDS;
type AdminTarget = AdminKind | 'itself' | 'live' | 'test' | 'agent';

/** The status of a rename, a change to all permissions, a rotation and a revocation. */
const [ALL, NOT_WIDER]: readonly Acts[] = [
  [200, 200, 201, 204],
  [200, 'permission_missing', 201, 204],
];
const ADMIN_ACTS: Readonly<Record<AdminKind, Readonly<Partial<Record<AdminTarget, Acts>>> & { others: Acts }>> = {
  read: { others: PERMISSION },
  support: {
    others: PERMISSION,
    itself: NOT_WIDER!,
    read: NOT_WIDER!,
    support: NOT_WIDER!,
    live: [200, 'permission_missing', 'permission_missing', 204],
    test: ALL!,
    agent: [200, 200, 'permission_missing', 204],
  },
  impersonate: {
    others: NOT_WIDER!,
    all: PERMISSION,
    live: ALL!,
    test: ALL!,
    agent: [200, 200, 'agent_account', 204],
  },
  all: { others: ALL!, agent: [200, 200, 'agent_account', 204] },
};
const ADMIN_GIFTS: Readonly<Record<AdminKind, Readonly<Record<AdminKind | 'live' | 'test', number>>>> = {
  read: { read: 403, support: 403, impersonate: 403, all: 403, live: 403, test: 403 },
  support: { read: 201, support: 201, impersonate: 403, all: 403, live: 403, test: 201 },
  impersonate: { read: 201, support: 201, impersonate: 201, all: 403, live: 201, test: 201 },
  all: { read: 201, support: 201, impersonate: 201, all: 201, live: 201, test: 201 },
};

interface Made {
  readonly id: string;
  readonly api_key: string;
}

let service: TestService;
let adminKey: string;
let stranger: FullAccount;

beforeAll(async () => {
  service = await startService({ clock, env: { registrationsPerHour: 1000, registrationsPerDay: 1000 } });
  adminKey = await createAdminKey(service);
  stranger = await newAccount();
});

afterAll(() => service.close());

const newAccount = () => createFullAccount({ url: service.env.databaseUrl });

async function ask(key: string, path: string, method: string, body?: object): Promise<unknown> {
  const { status, body: told } = await call(service, path, { key, method, ...(body && { body }) });
  return status < 300 ? status : told.code;
}

async function make(maker: string, path: string, body: object): Promise<Made> {
  const reply = await call(service, path, { key: maker, body });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body;
}

async function claimed({ liveKey }: FullAccount): Promise<Made> {
  const agent = (await call(service, '/agent-gateway/register', { method: 'POST' })).body;
  return make(liveKey, '/api/v1/claims', { claim_token: agent.claim_token });
}

function target(name: Exclude<Target, 'itself'>, account: FullAccount): Promise<{ readonly id: string }> {
  const byAdministrator = `/admin/v1/accounts/${account.accountId}/keys`;
  const others = {
    byAdministrator: () => make(adminKey, byAdministrator, {}),
    weakByAdministrator: () => make(adminKey, byAdministrator, KINDS.weak),
    agent: () => claimed(account),
    stranger: () => make(stranger.liveKey, KEYS, KINDS.weak),
    admin: () => make(adminKey, ADMIN_KEYS, { name: 'another', permissions: ['read'] }),
    nobody: () => Promise.resolve({ id: randomUUID() }),
  };
  return name in others ? others[name as keyof typeof others]() : make(account.liveKey, KEYS, KINDS[name as Kind]);
}

const TARGETS: readonly Exclude<Target, 'itself'>[] = [
  ...(Object.keys(KINDS) as Kind[]),
  'byAdministrator',
  'weakByAdministrator',
  'agent',
  'stranger',
  'admin',
  'nobody',
];

describe.each(Object.keys(KINDS) as Kind[])('a key that is %s', (kind) => {
  it('a key changes, rotates and revokes itself and other keys as its row says', async () => {
    const account = await newAccount();
    const own = (body: object = KINDS[kind]) => make(account.liveKey, KEYS, body);
    const acts = async ({ api_key }: Made, id: string, doomed: string): Promise<Acts> => [
      await ask(api_key, `${KEYS}/${id}`, 'PATCH', { name: 'Renamed' }),
      await ask(api_key, `${KEYS}/${id}/rotate`, 'POST', {}),
      await ask(api_key, `${KEYS}/${id}`, 'DELETE'),
      await ask(api_key, `${KEYS}/${doomed}?descendants=true`, 'DELETE'),
    ];
    const caller = await own();
    const found: Record<string, Acts> = {};
    for (const name of TARGETS) {
      const [one, doomed] = [await target(name, account), await target(name, account)];
      found[name] = await acts(caller, one.id, doomed.id);
    }
    const [one, doomed] = [await own(), await own()];
    const [rename, rotate, revoke] = await acts(one, one.id, one.id);
    found['itself'] = [
      rename,
      rotate,
      revoke,
      await ask(doomed.api_key, `${KEYS}/${doomed.id}?descendants=true`, 'DELETE'),
    ];
    const { others, ...named } = ACTS[kind]!;
    expect(found).toEqual({ ...Object.fromEntries(Object.keys(found).map((name) => [name, others])), ...named });
  });

  it('a key makes the keys that its row says, and widens itself only where nothing is to be gained', async () => {
    const account = await newAccount();
    const { id, api_key } = await make(account.liveKey, KEYS, KINDS[kind]);
    const found: Record<string, unknown> = {};
    for (const [name, body] of Object.entries(KINDS)) found[name] = await ask(api_key, KEYS, 'POST', body);
    const all = { permissions: null, networks: null, ceilings: null };
    found['widensItself'] = await ask(api_key, `${KEYS}/${id}`, 'PATCH', all);
    const { others, ...named } = GIFTS[kind]!;
    expect(found).toEqual({ ...Object.fromEntries(Object.keys(found).map((name) => [name, others])), ...named });
  });
});

describe.each(Object.keys(ADMIN_KINDS) as AdminKind[])('an admin key with %s', (kind) => {
  const makeAdmin = (one: AdminKind) => make(adminKey, ADMIN_KEYS, { name: one, ...ADMIN_KINDS[one] });

  it('an admin key changes, rotates and revokes itself and other keys as its row says', async () => {
    const account = await newAccount();
    const caller = await makeAdmin(kind);
    const targets: Record<AdminTarget, Made> = {
      read: await makeAdmin('read'),
      support: await makeAdmin('support'),
      impersonate: await makeAdmin('impersonate'),
      all: await makeAdmin('all'),
      live: await make(account.liveKey, KEYS, KINDS.weak),
      test: await make(account.testKey, KEYS, { ...KINDS.weak, kind: 'test' }),
      agent: await claimed(account),
      itself: caller,
    };
    const found: Record<string, Acts> = {};
    for (const [name, { id }] of Object.entries(targets))
      found[name] = [
        await ask(caller.api_key, `${ADMIN_KEYS}/${id}`, 'PATCH', { name: 'Renamed' }),
        await ask(caller.api_key, `${ADMIN_KEYS}/${id}`, 'PATCH', { permissions: null }),
        await ask(caller.api_key, `${ADMIN_KEYS}/${id}/rotate`, 'POST', {}),
        await ask(caller.api_key, `${ADMIN_KEYS}/${id}`, 'DELETE'),
      ];
    const { others, ...named } = ADMIN_ACTS[kind];
    expect(found).toEqual({ ...Object.fromEntries(Object.keys(found).map((name) => [name, others])), ...named });
  });

  it('an admin key makes the keys that its row says', async () => {
    const account = await newAccount();
    const { api_key } = await makeAdmin(kind);
    const found: Record<string, unknown> = {};
    for (const [name, body] of Object.entries(ADMIN_KINDS))
      found[name] = await ask(api_key, ADMIN_KEYS, 'POST', { name, ...body });
    for (const name of ['live', 'test'])
      found[name] = await ask(api_key, `/admin/v1/accounts/${account.accountId}/keys`, 'POST', { kind: name });
    const told = Object.entries(ADMIN_GIFTS[kind]).map(([name, status]) => [
      name,
      status === 403 ? 'permission_missing' : status,
    ]);
    expect(found).toEqual(Object.fromEntries(told));
  });
});
