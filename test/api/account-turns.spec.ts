import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccountTurns } from '../../src/keys/limits/account-turns.js';
import { createFullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { onDatabase } from '../support/batches.js';
import { lockWaiters, whileLocked } from '../support/connections.js';
import { call, type Reply } from '../support/call.js';
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
  const owner = { accountId: account.accountId, simulated: false };
  let endEndpoint = () => {};
  let endKey = () => {};
  const endpoint = turns.change(
    owner,
    'WebhooksController',
    () => new Promise<void>((resolve) => (endEndpoint = resolve)),
  );
  const key = turns.change(owner, 'KeysController', () => new Promise<void>((resolve) => (endKey = resolve)));
  const gone = new AbortController();
  const given = turns.change(owner, 'KeysController', async () => 'begun', { gone: () => gone.signal });
  const isRevoked = 'SELECT revoked_at IS NOT NULL AS revoked FROM api_keys WHERE id = $1';
  const other = turns.change(owner, 'KeysController', () =>
    onDatabase(service.env.databaseUrl, isRevoked, [leaked.id]),
  );
  const revoked = call(service, `/api/v1/keys/${leaked.id}`, { key: account.liveKey, method: 'DELETE' });
  gone.abort(new Error('the caller has gone'));
  await expect(given).rejects.toThrow('the caller has gone');
  // The other mode does not wait at all.
  const test = { key: account.testKey, body: { url: 'https://hooks.example.com/of-test-keys' } };
  expect((await call(service, '/api/v1/webhooks', test)).status).toBe(201);
  // The change under way, and those that wait.
  await expect.poll(() => sizeOf(turns, `${account.accountId} false KeysController`)).toBe(3);
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
