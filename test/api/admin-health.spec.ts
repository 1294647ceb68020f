import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { queueBatch } from '../support/batches.js';
import { call, register } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startService, type TestService } from '../support/service.js';

let database: TestDatabase;
let service: TestService;
let key: string;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({ database, env: { role: 'api' } });
  key = await createAdminKey(service);
});

afterAll(async () => {
  await service.close();
  await database.drop();
});

const get = async (path: string) => (await call(service, `/admin/v1/${path}`, { key })).body;

it('an administrator sees what waits while nobody works, and who works once somebody does', async () => {
  const { accountId } = await createFullAccount(database);
  await queueBatch(database.url, { accountId, emails: ['a@example.com', 'b@example.com'] });
  const nobody = await get('workers');
  expect(nobody.workers).toEqual([]);
  expect(nobody.queues).toMatchObject({ batches_queued: 1, chunks_leased: 0, chunks_later: 0, deliveries_due: 0 });
  expect(nobody.queues.chunks_due).toBeGreaterThan(0);
  const worker = await startService({ database, env: { role: 'all' } });
  try {
    await expect.poll(async () => (await get('workers')).workers.length, { interval: 50 }).toBe(1);
    const [one] = (await get('workers')).workers;
    expect(Date.parse(one.since)).toBeLessThanOrEqual(Date.now());
  } finally {
    await worker.close();
  }
});

it('an administrator sees each list by which domains are judged, with its version and its age', async () => {
  const { lists } = await get('lists');
  const disposable = lists.find(({ file }: { file: string }) => file.startsWith('disposable'));
  expect(disposable.entries).toBeGreaterThan(1_000);
  expect(disposable.version).toMatch(/^[0-9a-f]{12}$/);
  expect(disposable.age_days).toBeGreaterThanOrEqual(0);
});

it("an account's page tells its usage and refusals of 30 days, and what an agent has left today", async () => {
  const agent = await register(service);
  await call(service, '/api/v1/verify', { key: agent, body: { email: 'jane@example' } });
  const { matches } = await get(`search?q=${agent}`);
  const page = await get(`accounts/${matches[0].account.id}`);
  expect(page.agent_credits).toMatchObject({ daily_free_credits: 25, used_today: 1, remaining: 24 });
  expect(page.usage).toMatchObject({ by: 'day', usage: [{ items: 1, free_credits: 1, credits: 0 }] });
});
