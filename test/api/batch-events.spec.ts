import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { BatchSettlementService } from '../../src/batch/model/batch-settlement.service.js';
import { BatchStore } from '../../src/batch/model/batch.store.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase, queueBatch, readBatch } from '../support/batches.js';
import { call } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';
import { forgetTests, TO_LOOPBACK } from '../support/webhook-sink.js';

const EMAILS = ['a@example.com', 'b@example.com'];

let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  // Without a worker, so that queued batches stay queued.
  service = await startService({ env: { ...TO_LOOPBACK, role: 'api' } });
});

afterAll(() => service.close());

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl });
  const body = { url: 'http://127.0.0.1:1/' };
  await call(service, '/api/v1/webhooks', { key: account.liveKey, body });
  await forgetTests(service.env.databaseUrl);
});

async function events() {
  return onDatabase(
    service.env.databaseUrl,
    `SELECT type, data, count(d.id)::integer AS deliveries FROM webhook_events e
       LEFT JOIN webhook_deliveries d ON d.event_id = e.id WHERE account_id = $1 GROUP BY e.id`,
    [account.accountId],
  );
}

async function end(id: number, ending: 'complete' | 'fail', afterwards = () => undefined as void): Promise<void> {
  const batch = (await service.app.get(BatchStore).find(id))!;
  await service.app.get(DataSource).transaction(async (tx) => {
    await service.app.get(BatchSettlementService).end(tx, batch, ending, new Date());
    afterwards();
  });
}

it('a batch that is cancelled emits an event, with its state and its credits back', async () => {
  const id = await queueBatch(service.env.databaseUrl, { accountId: account.accountId, emails: EMAILS });
  const path = `/api/v1/verify/batch/${id}`;
  const { body } = await call(service, path, { key: account.liveKey, method: 'DELETE' });
  const [event, ...more] = await events();
  expect(more).toEqual([]);
  expect(event).toMatchObject({ type: 'batch.cancelled', deliveries: 1 });
  expect(JSON.parse(event!['data'] as string)).toEqual(body);
  expect(event!['data']).not.toContain('@');
  const { body: credits } = await call(service, '/api/v1/credits', { key: account.liveKey });
  expect(credits).toMatchObject({ remaining: 1000, reserved: 0 });
});

it('a batch that fails emits one event', async () => {
  const id = await queueBatch(service.env.databaseUrl, { accountId: account.accountId, emails: EMAILS });
  await end(id, 'fail');
  await end(id, 'fail');
  expect(await events()).toMatchObject([{ type: 'batch.failed', deliveries: 1 }]);
});

it('a batch whose end is rolled back emits no event', async () => {
  const id = await queueBatch(service.env.databaseUrl, { accountId: account.accountId, emails: EMAILS });
  const undone = end(id, 'complete', () => {
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect((await readBatch(service.env.databaseUrl, id)).state).toBe('queued');
  expect(await events()).toEqual([]);
});

it('a batch of a test key emits no event to endpoints of live ones', async () => {
  const batch = { accountId: account.accountId, emails: EMAILS, simulated: true };
  await end(await queueBatch(service.env.databaseUrl, batch), 'complete');
  expect(await events()).toEqual([]);
});

it('events of an account wait for its disabled endpoint', async () => {
  const { body } = await call(service, '/api/v1/webhooks', { key: account.liveKey });
  const path = `/api/v1/webhooks/${body.webhooks[0].id}`;
  await call(service, path, { key: account.liveKey, method: 'PATCH', body: { enabled: false } });
  await end(await queueBatch(service.env.databaseUrl, { accountId: account.accountId, emails: EMAILS }), 'complete');
  const { body: log } = await call(service, `${path}/deliveries`, { key: account.liveKey });
  expect(log.deliveries).toMatchObject([{ type: 'batch.completed', status: 'pending', next_attempt_at: null }]);
});

it('a batch that names a disabled endpoint of its account leaves it so; one that a batch made is switched on again', async () => {
  const { liveKey: key } = account;
  const submit = (webhook_url: string) =>
    call(service, '/api/v1/verify/batch', { key, body: { emails: EMAILS, webhook_url } });
  const webhook = (id: string, method?: string) =>
    call(service, `/api/v1/webhooks/${id}`, { key, ...(method && { method, body: { enabled: false } }) });
  for (const [url, isEnabled] of [
    ['http://127.0.0.1:1/', false],
    ['http://127.0.0.1:1/own', true],
  ] as const) {
    const { body: first } = await submit(url);
    await webhook(first.webhook.id, 'PATCH');
    const { body: second } = await submit(url);
    expect(second.webhook).toEqual({ id: first.webhook.id, url, secret: null });
    expect((await webhook(first.webhook.id)).body.enabled).toBe(isEnabled);
  }
});
