import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { tablesWith } from '../support/batches.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startService, type TestService } from '../support/service.js';

let database: TestDatabase;
let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  database = await createTestDatabase();
  // Without a worker, so that no batch ends during a test.
  service = await startService({ database, env: { role: 'api' } });
  account = await createFullAccount(database, { credits: 50 });
});

afterAll(async () => {
  await service.close();
  await database.drop();
});

const ask = (path: string, options: Parameters<typeof call>[2] = {}) =>
  call(service, `/api/v1${path}`, { key: account.testKey, ...options });

async function submit(email: string): Promise<number> {
  const { body } = await ask('/verify/batch', { body: { emails: [email] } });
  return body.id as number;
}

it('the results of a batch are not there before its end', async () => {
  const id = await submit('valid@a.example');
  const { status, headers, body } = await ask(`/verify/batch/${id}/results`);
  expect([status, body.code]).toEqual([409, 'batch_not_finished']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
});

it('a batch that has not ended is no list', async () => {
  const id = await submit('valid@a.example');
  expect((await ask(`/lists/${id}`)).body.code).toBe('list_not_found');
  expect((await ask('/lists')).body.lists).toEqual([]);
});

it('deleting cancels a batch that runs, and deletes it with every trace of its addresses when it has ended', async () => {
  const id = await submit('valid+needle77@a.example');
  const cancelled = await ask(`/verify/batch/${id}`, { method: 'DELETE' });
  expect(cancelled.body).toMatchObject({ id, status: 'cancelled' });
  expect(await tablesWith(database.url, 'needle77')).toContain('batch_chunks');
  const deleted = await ask(`/verify/batch/${id}`, { method: 'DELETE' });
  expect(deleted.body).toEqual({ id, deleted: true });
  expect(await tablesWith(database.url, 'needle77')).toEqual([]);
  expect((await ask(`/verify/batch/${id}`)).status).toBe(404);
});
