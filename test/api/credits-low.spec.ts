import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { CreditsService } from '../../src/credits/credits.service.js';
import type { Principal } from '../../src/keys/access/principal.js';
import { UNLIMITED } from '../../src/keys/scope/key-scope.js';
import { KEY_POLICIES, type KeyPolicies } from '../../src/platform/config/policies.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';
import { confirmed, startWebhookSink, TO_LOOPBACK, verify, type WebhookSink } from '../support/webhook-sink.js';

/** What the plan free calls low. */
const LOW = 10;

let service: TestService;
let sink: WebhookSink;
let account: FullAccount;
let caller: Principal;

beforeAll(async () => {
  [service, sink] = await Promise.all([startService({ env: TO_LOOPBACK, timer: SYSTEM_TIMER }), startWebhookSink()]);
});

afterAll(async () => {
  await service.close();
  await sink.close();
});

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl }, { plan: 'free', credits: LOW + 2 });
  const policy = service.app.get<KeyPolicies>(KEY_POLICIES).free;
  caller = {
    keyId: account.accountId,
    accountId: account.accountId,
    kind: 'live',
    simulated: false,
    clientAddress: '127.0.0.1',
    policy,
    scope: UNLIMITED,
    ceilingId: null,
    claimer: null,
  };
});

const credits = () => service.app.get(CreditsService);
const want = (amountCredits: number) => ({ amountCredits, purpose: 'verify', workMs: 1_000 }) as const;
const listen = (path: string, body: object = {}, key = account.liveKey) =>
  call(service, '/api/v1/webhooks', { key, body: { url: sink.url(path), ...body } });

async function told(): Promise<{ remaining: number; threshold: number }[]> {
  const rows = await onDatabase(
    service.env.databaseUrl,
    `SELECT data FROM webhook_events WHERE type = 'credits.low' AND account_id = $1 ORDER BY created_at`,
    [account.accountId],
  );
  return rows.map(({ data }) => JSON.parse(data as string));
}

it('credits.low is emitted once when the balance falls below the plan’s limit, however much is taken after', async () => {
  const { body: endpoint } = await listen('/low');
  await confirmed(service.env.databaseUrl, endpoint.id, sink);
  for (let i = 0; i < 2; i++) await credits().reserve(caller, want(1));
  expect(await told()).toEqual([]);
  for (let i = 0; i < 4; i++) await credits().reserve(caller, want(1));
  expect(await told()).toEqual([{ remaining: LOW - 1, threshold: LOW }]);
  await sink.until(1);
  expect(verify(endpoint.secret, sink.received[0]!)).toMatchObject({
    type: 'credits.low',
    data: { remaining: LOW - 1, threshold: LOW },
  });
});

it('credits.low is emitted once when many requests take credits at the same time', async () => {
  await listen('/many');
  await Promise.all(Array.from({ length: LOW + 2 }, () => credits().reserve(caller, want(1))));
  expect(await told()).toHaveLength(1);
});

it('credits.low is emitted again when the balance falls below again, also by an administrator’s act', async () => {
  await listen('/again');
  const first = await credits().reserve(caller, want(5));
  await credits().settle(first, 0);
  const second = await credits().reserve(caller, want(3));
  await credits().settle(second, 3);
  expect((await told()).map(({ remaining }) => remaining)).toEqual([7, 9]);
  const database = service.app.get(DataSource);
  const by = { reason: 'invoice', actor: 'someone' };
  await database.transaction((tx) => credits().grant(tx, account.accountId, 6, by));
  await database.transaction((tx) => credits().adjust(tx, account.accountId, -8, { ...by, lowCredits: LOW }));
  expect((await told()).map(({ remaining }) => remaining)).toEqual([7, 9, 7]);
});

it('credits.low is not emitted for work that was rolled back or refused', async () => {
  await listen('/undone');
  const work = service.app.get(DataSource).transaction(async (tx) => {
    await credits().reserveIn(tx, caller, want(8));
    throw new Error('undone');
  });
  await expect(work).rejects.toThrow('undone');
  await expect(credits().reserve(caller, want(LOW + 3))).rejects.toThrow();
  expect(await told()).toEqual([]);
});

it('credits.low is stored for no endpoint that does not subscribe, nor for one of test keys', async () => {
  await listen('/batches', { events: ['batch.completed'] });
  await listen('/tests', {}, account.testKey);
  await credits().reserve(caller, want(8));
  expect(await told()).toEqual([]);
});
