import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccountTurns, type LineName, IN_TURN } from '../../src/keys/limits/account-turns.js';
import { createFullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { onDatabase } from '../support/batches.js';
import { lockWaiters, whileLocked } from '../support/connections.js';
import { call, type Reply } from '../support/call.js';
import { routesOf } from '../support/routes.js';
import { startService, type TestService } from '../support/service.js';

/** Connections that the reads of an account may have; those of its test keys. */
const READS = 5;
const SIMULATED_READS = 2;
/** Three times as many as the process has connections to PostgreSQL. */
const FLOOD = 30;

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.close());

const sizeOf = (turns: AccountTurns, name: string) =>
  (Reflect.get(Reflect.get(turns, 'changes') as object, 'lines') as Map<string, { size: number }>).get(name)?.size;

const waiting = () => lockWaiters(service.env.databaseUrl);

it('a revocation waits neither for changes of endpoints nor for other changes of keys, and who hangs up waits no longer', async () => {
  const account = await createFullAccount({ url: service.env.databaseUrl });
  const { body: leaked } = await call(service, '/api/v1/keys', { key: account.liveKey, body: { name: 'leaked' } });
  const turns = service.app.get(AccountTurns, { strict: false });
  const owner = () => ({ accountId: account.accountId, simulated: false });
  let endEndpoint = () => {};
  let endKey = () => {};
  const endpoint = turns.change(owner(), 'endpoints', () => new Promise<void>((resolve) => (endEndpoint = resolve)));
  const key = turns.change(owner(), 'keys', () => new Promise<void>((resolve) => (endKey = resolve)));
  const gone = new AbortController();
  const given = turns.change(owner(), 'keys', async () => 'begun', { gone: () => gone.signal });
  const isRevoked = 'SELECT revoked_at IS NOT NULL AS revoked FROM api_keys WHERE id = $1';
  const other = turns.change(owner(), 'keys', () => onDatabase(service.env.databaseUrl, isRevoked, [leaked.id]));
  const revoked = call(service, `/api/v1/keys/${leaked.id}`, { key: account.liveKey, method: 'DELETE' });
  gone.abort(new Error('the caller has gone'));
  await expect(given).rejects.toThrow('the caller has gone');
  // The other mode does not wait at all.
  const test = { key: account.testKey, body: { url: 'https://hooks.example.com/of-test-keys' } };
  expect((await call(service, '/api/v1/webhooks', test)).status).toBe(201);
  // The change under way, and those that wait.
  await expect.poll(() => sizeOf(turns, `${account.accountId} false keys`)).toBe(3);
  endKey();
  await key;
  expect((await revoked).status).toBe(204);
  // It came later, and went first.
  expect(await other).toEqual([{ revoked: true }]);
  endEndpoint();
  await endpoint;
});

it.each([
  ['keys', '/api/v1/keys', (n: number) => ({ name: `key ${n}`, kind: 'test' })],
  ['endpoints', '/api/v1/webhooks', (n: number) => ({ url: `https://hooks.example.com/${n}` })],
  ['erasures', '/api/v1/erasures', (n: number) => ({ email: `a${n}@example.com` })],
])(
  'an account that makes many %s at once waits with one connection, and another account is served',
  async (_, path, bodyOf) => {
    const database = { url: service.env.databaseUrl };
    const [flooding, other] = [await createFullAccount(database), await createFullAccount(database)];
    let replies: Promise<Reply>[] = [];
    // What all changes of an account have in common.
    await whileLocked(service.env.databaseUrl, 'audit_log', async () => {
      replies = Array.from({ length: FLOOD }, (__, n) =>
        call(service, path, { key: flooding.liveKey, body: bodyOf(n) }),
      );
      await expect.poll(waiting).toBe(1);
      // A change that needs no audit line, and reads.
      for (const wanted of ['/api/v1/credits', '/api/v1/keys', path, '/api/v1/batch-settings'])
        expect((await call(service, wanted, { key: other.liveKey })).status, wanted).toBe(200);
      expect(await waiting()).toBe(1);
    });
    const statuses = (await Promise.all(replies)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([path.endsWith('erasures') ? 202 : 201]));
  },
);

it('reads of an account that wait for PostgreSQL leave connections to others, and who hangs up waits no longer', async () => {
  const database = { url: service.env.databaseUrl };
  const [flooding, other] = [await createFullAccount(database), await createFullAccount(database)];
  const turns = service.app.get(AccountTurns, { strict: false });
  const inLine = (of: 'connections' | 'simulatedConnections') =>
    (Reflect.get(Reflect.get(turns, of), 'lines') as Map<string, { size: number }>).get(flooding.accountId)?.size;
  let replies: Promise<Reply>[] = [];
  const changes: Promise<Reply>[] = [];
  await whileLocked(service.env.databaseUrl, 'batches', async () => {
    const read = (key: string) => call(service, '/api/v1/verify/batch', { key });
    replies = Array.from({ length: FLOOD }, () => read(flooding.liveKey));
    await expect.poll(() => inLine('connections')).toBe(FLOOD);
    await expect.poll(waiting).toBe(READS);
    const leaving = new AbortController();
    const { signal } = leaving;
    const left = call(service, '/api/v1/verify/batch', { key: flooding.liveKey, signal }).catch(() => 'left');
    await expect.poll(() => inLine('connections')).toBe(FLOOD + 1);
    leaving.abort();
    expect(await left).toBe('left');
    await expect.poll(() => inLine('connections')).toBe(FLOOD);
    // Changes have no connections beside those.
    changes.push(call(service, '/api/v1/keys', { key: flooding.liveKey, body: { name: 'another' } }));
    await expect.poll(() => inLine('connections')).toBe(FLOOD + 1);
    replies.push(...Array.from({ length: FLOOD }, () => read(flooding.testKey)));
    await expect.poll(() => inLine('simulatedConnections')).toBe(FLOOD);
    await expect.poll(waiting).toBe(READS + SIMULATED_READS);
    for (const wanted of ['/api/v1/credits', '/api/v1/keys', '/api/v1/webhooks', '/api/v1/audit'])
      expect((await call(service, wanted, { key: other.liveKey })).status, wanted).toBe(200);
    expect(await waiting()).toBe(READS + SIMULATED_READS);
  });
  for (const { status } of await Promise.all(replies)) expect(status).toBe(200);
  for (const { status } of await Promise.all(changes)) expect(status).toBe(201);
});

it('an administrator who makes many changes at once waits with one connection, and another administrator is served', async () => {
  const [flooding, other] = [await createAdminKey(service, 'flooding'), await createAdminKey(service, 'other')];
  let replies: Promise<Reply>[] = [];
  await whileLocked(service.env.databaseUrl, 'audit_log', async () => {
    replies = Array.from({ length: FLOOD }, (_, n) =>
      call(service, '/admin/v1/opt-outs', {
        key: flooding,
        body: { kind: 'domain', name: `d${n}.example`, reason: 'asked by mail' },
      }),
    );
    await expect.poll(waiting).toBe(1);
    for (const wanted of ['/admin/v1/accounts', '/admin/v1/opt-outs', '/admin/v1/keys'])
      expect((await call(service, wanted, { key: other })).status, wanted).toBe(200);
    expect(await waiting()).toBe(1);
  });
  for (const { status } of await Promise.all(replies)) expect(status).toBe(201);
});

/** The routes that change something, by the line in which they wait. */
const LINES: Readonly<Record<LineName, readonly string[]>> = {
  accounts: [
    'POST /admin/v1/accounts',
    'PATCH /admin/v1/accounts/:id',
    'POST /admin/v1/accounts/:id/suspend',
    'POST /admin/v1/accounts/:id/resume',
    'POST /admin/v1/accounts/:id/credits/grant',
    'POST /admin/v1/accounts/:id/credits/adjust',
    'POST /admin/v1/accounts/:id/keys',
  ],
  agents: ['POST /admin/v1/agents/revoke', 'PATCH /admin/v1/pool'],
  blacklists: ['POST /admin/v1/blacklists/:id/turn-off', 'POST /admin/v1/blacklists/:id/turn-on'],
  claims: ['POST /api/v1/claims'],
  egress: ['POST /admin/v1/egress/:id/drain', 'POST /admin/v1/egress/:id/pause', 'POST /admin/v1/egress/:id/resume'],
  endpoints: [
    'DELETE /api/v1/webhooks/:id',
    'POST /api/v1/webhooks/:id/rotate-secret',
    'POST /api/v1/webhooks/:id/test',
    'POST /api/v1/webhooks/:id/samples/:event',
    'POST /api/v1/webhooks/:id/redeliver',
  ],
  erasures: ['POST /api/v1/erasures'],
  keys: [
    'POST /api/v1/keys',
    'PATCH /api/v1/keys/:id',
    'POST /api/v1/keys/:id/rotate',
    'DELETE /api/v1/keys/:id',
    'POST /admin/v1/keys',
    'PATCH /admin/v1/keys/:id',
    'POST /admin/v1/keys/:id/rotate',
    'DELETE /admin/v1/keys/:id',
  ],
  monitors: [
    'POST /api/v1/monitors',
    'PATCH /api/v1/monitors/:id',
    'DELETE /api/v1/monitors/:id',
    'POST /admin/v1/monitors/:id/pause',
    'POST /admin/v1/monitors/:id/resume',
  ],
  operators: ['POST /admin/v1/operators/:id/pause', 'POST /admin/v1/operators/:id/resume'],
  'opt-outs': ['POST /admin/v1/opt-outs', 'POST /admin/v1/opt-outs/:id/remove'],
  schedules: ['POST /api/v1/lists/:id/schedule', 'DELETE /api/v1/lists/:id/schedule'],
  seeds: [
    'POST /admin/v1/placement/seeds',
    'POST /admin/v1/placement/seeds/:id/rotate',
    'POST /admin/v1/placement/seeds/:id/off',
    'POST /admin/v1/placement/seeds/:id/on',
  ],
  suppressions: [
    'POST /api/v1/suppressions',
    'DELETE /api/v1/suppressions/:id',
    'POST /admin/v1/suppressions',
    'DELETE /admin/v1/suppressions/:id',
  ],
  work: ['POST /admin/v1/batches/:id/retry', 'POST /admin/v1/deliveries/:id/retry'],
};

/** They work for long, or lock one row of their own; those that look a name up take their turn by themselves, after it. */
const IN_NO_LINE = [
  'DELETE /console/session',
  'POST /api/v1/verify',
  'POST /api/v1/estimate',
  'PATCH /api/v1/verification-settings',
  'PATCH /api/v1/batch-settings',
  'PATCH /api/v1/suppression-settings',
  'POST /api/v1/verify/batch',
  'POST /api/v1/verify/preview',
  'POST /api/v1/verify/batch/:id/start',
  'PATCH /api/v1/verify/batch/:id',
  'DELETE /api/v1/verify/batch/:id',
  'POST /api/v1/finder/email',
  'POST /api/v1/finder/batch',
  'POST /api/v1/finder/batch/:id/start',
  'PATCH /api/v1/finder/batch/:id',
  'DELETE /api/v1/finder/batch/:id',
  'PATCH /api/v1/lists/:id',
  'DELETE /api/v1/lists/:id',
  'POST /api/v1/webhooks',
  'PATCH /api/v1/webhooks/:id',
  'POST /api/v1/webhooks/deliveries/:id/redeliver',
  'POST /api/v1/blacklists/check',
  'POST /api/v1/domains/check',
  'POST /api/v1/monitors/:id/run',
  'POST /api/v1/monitors/:id/verify-ownership',
  'PATCH /api/v1/monitors/:id/lists/:list',
  'PATCH /api/v1/monitors/:id/findings/:finding_id',
  'POST /api/v1/placement/analyze',
  'POST /api/v1/placement/tests',
  'DELETE /api/v1/placement/tests/:id',
  'POST /admin/v1/keys/lookup',
  'POST /admin/v1/blacklists/:id/test',
  'POST /admin/v1/egress/:id/test',
  'POST /admin/v1/placement/seeds/:id/test',
];

it('each route that changes something waits in the line of the table, and each that waits in none is named', () => {
  const found: Record<string, string[]> = {};
  for (const { method, path, audience, controller, handler } of routesOf(service.app)) {
    if (audience === null || method === 'GET') continue;
    const ofRoute = (controller.prototype as Record<string, object>)[handler]!;
    const line = (Reflect.getMetadata(IN_TURN, ofRoute) ?? Reflect.getMetadata(IN_TURN, controller)) as unknown;
    (found[typeof line === 'string' ? line : 'none'] ??= []).push(`${method} ${path}`);
  }
  const sorted = (table: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(Object.entries(table).map(([line, routes]) => [line, [...routes].sort()]));
  expect(sorted(found)).toEqual(sorted({ ...LINES, none: IN_NO_LINE }));
});
