import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BatchSettlementService } from '../../src/batch/model/batch-settlement.service.js';
import { BatchStore } from '../../src/batch/model/batch.store.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey, runAdmin } from '../support/admin.js';
import { onDatabase, queueBatch, readBatch } from '../support/batches.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startService, type TestService } from '../support/service.js';
import { forgetTests, startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';

let database: TestDatabase;
let service: TestService;
let sink: WebhookSink;
let account: FullAccount;
let key: string;

beforeAll(async () => {
  database = await createTestDatabase();
  sink = await startWebhookSink();
  // Without a worker, so that what is queued stays so until a test starts one.
  service = await startService({ database, env: { ...TO_LOOPBACK, role: 'api' }, timer: SYSTEM_TIMER });
  account = await createFullAccount(database, { credits: 100 });
  key = await createAdminKey(service);
});

afterAll(async () => {
  await service.close();
  await sink.close();
  await database.drop();
});

const admin = (path: string, method = 'GET') => call(service, `/admin/v1${path}`, { key, method });

async function failedBatch(simulated: boolean): Promise<number> {
  const emails = ['a@example.com', 'b+invalid@example.com', 'c@example.com'];
  const id = await queueBatch(database.url, { accountId: account.accountId, emails, simulated });
  const batch = (await service.app.get(BatchStore).find(id))!;
  await service.app
    .get(DataSource)
    .transaction((tx) => service.app.get(BatchSettlementService).end(tx, batch, 'fail', new Date()));
  return id;
}

async function command(...argv: string[]) {
  const { exit, out, error } = await runAdmin(service, ...argv, '--json');
  return { exit, error, reply: out === '' ? null : JSON.parse(out) };
}

const balance = async () =>
  (await onDatabase(database.url, 'SELECT available, reserved FROM credit_balances'))[0] as Record<string, string>;

it('batches of all accounts are listed, and a failed one is queued again with credits for its rest', async () => {
  const [paid, simulated] = [await failedBatch(false), await failedBatch(true)];
  expect(await balance()).toEqual({ available: '100', reserved: '0' });
  const listed = (await admin('/batches?status=failed')).body.batches;
  expect(new Set(listed.map(({ id }: { id: number }) => id))).toEqual(new Set([paid, simulated]));
  expect(listed[0]).toMatchObject({ account_id: account.accountId, status: 'failed', total_emails: 3 });
  expect((await admin(`/batches?account_id=${account.accountId}&limit=1`)).body.next_cursor).toEqual(
    expect.any(String),
  );
  expect((await admin('/batches?status=completed')).body.batches).toEqual([]);

  // As after a rise of the price: less was held before than is now.
  await onDatabase(database.url, 'UPDATE batches SET credits_reserved = 1 WHERE id = $1', [paid]);
  expect((await admin(`/batches/${paid}/retry`, 'POST')).body).toMatchObject({
    id: paid,
    status: 'queued',
    credits_reserved: 3,
  });
  expect(await balance()).toEqual({ available: '97', reserved: '3' });
  expect((await admin(`/batches/${paid}/retry`, 'POST')).body.code).toBe('batch_not_failed');
  expect((await admin('/batches/77/retry', 'POST')).body.code).toBe('batch_not_found');
  await call(service, `/api/v1/verify/batch/${paid}`, { key: account.liveKey, method: 'DELETE' });
  expect(await balance()).toEqual({ available: '100', reserved: '0' });

  expect(await command('batches', 'retry', String(simulated))).toMatchObject({ exit: 0, reply: { status: 'queued' } });
  const worker = await startService({ database, timer: SYSTEM_TIMER });
  await expect.poll(async () => (await readBatch(database.url, simulated)).state).toBe('completed');
  await worker.close();
  expect(await readBatch(database.url, simulated)).toMatchObject({ counts: { valid: 2, invalid: 1 }, open_chunks: 0 });
  expect((await command('batches', 'list', '--status', 'completed')).reply.batches).toMatchObject([{ id: simulated }]);
});

it('a failed batch is not queued again when its account cannot pay for the rest', async () => {
  const id = await failedBatch(false);
  await onDatabase(database.url, 'UPDATE credit_balances SET available = 2');
  expect((await admin(`/batches/${id}/retry`, 'POST')).body).toMatchObject({
    code: 'credits_insufficient',
    required: 3,
  });
  expect((await readBatch(database.url, id)).state).toBe('failed');
  await onDatabase(database.url, 'UPDATE credit_balances SET available = 100');
});

it('deliveries of all accounts are listed without their responses, and sent again', async () => {
  sink.answer = (_, response) => response.writeHead(410).end('the account’s own');
  const asOwner = { key: account.liveKey };
  const { body: endpoint } = await call(service, '/api/v1/webhooks', { ...asOwner, body: { url: sink.url() } });
  const path = `/api/v1/webhooks/${endpoint.id}`;
  await forgetTests(database.url);
  const { body: delivery } = await call(service, `${path}/test`, { ...asOwner, method: 'POST' });
  const worker = await startService({ database, env: TO_LOOPBACK, timer: SYSTEM_TIMER });
  const listed = async () => (await admin(`/deliveries?webhook_id=${endpoint.id}`)).body.deliveries;
  await expect.poll(async () => (await listed())[0].status).toBe('failed');
  expect(await listed()).toEqual([
    expect.objectContaining({ id: delivery.id, account_id: account.accountId, attempts: 1, last_status: 410 }),
  ]);
  expect(JSON.stringify(await listed())).not.toContain('own');
  expect((await admin(`/deliveries/${delivery.id}/retry`, 'POST')).body.code).toBe('endpoint_disabled');
  await call(service, path, { ...asOwner, method: 'PATCH', body: { enabled: true } });
  sink.answer = (_, response) => response.writeHead(204).end();
  expect((await admin(`/deliveries/${delivery.id}/retry`, 'POST')).body).toMatchObject({ status: 'pending' });
  await expect.poll(async () => (await listed())[0].status).toBe('succeeded');
  expect((await command('deliveries', 'retry', delivery.id)).reply).toMatchObject({ id: delivery.id });
  await sink.until(3);
  await worker.close();
  expect((await command('deliveries', 'list', '--account', account.accountId)).reply.deliveries).toHaveLength(1);
  expect((await command('deliveries', 'retry', account.accountId)).error).toContain('delivery_not_found');
});

it('every retry has its line in the audit log', async () => {
  const acts = (await admin('/audit')).body.entries.map(({ act }: { act: string }) => act);
  expect(acts.filter((act: string) => act === 'batch.retry')).toHaveLength(2);
  expect(acts.filter((act: string) => act === 'delivery.retry')).toHaveLength(2);
});
