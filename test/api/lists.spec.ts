import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call, register } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startService, type TestService } from '../support/service.js';
import { bodyOnce, isCompleted } from '../support/next-look.js';

let database: TestDatabase;
let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({ database });
  account = await createFullAccount(database);
});

afterAll(async () => {
  await service.close();
  await database.drop();
});

const ask = (path: string, options: Parameters<typeof call>[2] = {}) =>
  call(service, `/api/v1${path}`, { key: account.testKey, ...options });

async function verified(emails: string[], name?: string): Promise<number> {
  const { body } = await ask('/verify/batch', { body: { emails, name } });
  await bodyOnce(() => ask(`/verify/batch/${body.id}`), isCompleted);
  return body.id as number;
}

it('every completed batch is a list, with its name or one of its own', async () => {
  const named = await verified(['valid@a.example', 'invalid@a.example'], 'Customers');
  const unnamed = await verified(['valid@a.example']);
  const { body } = await ask('/lists');
  expect(body.lists.map(({ name }: { name: string }) => name)).toEqual([`batch ${unnamed}`, 'Customers']);
  expect(body.lists[1]).toEqual({
    id: named,
    name: 'Customers',
    batch_id: named,
    total_emails: 2,
    counts: { valid: 1, invalid: 1, risky: 0, unknown: 0 },
    created_at: expect.any(String),
    verified_at: expect.any(String),
    expires_at: expect.any(String),
    download_url: `${service.url}/api/v1/lists/${named}/download`,
  });
  const { body: list } = await ask(`/lists/${named}?verdict=valid`);
  expect(list.results.map(({ email }: { email: string }) => email)).toEqual(['valid@a.example']);
});

it('a list is downloaded as a file in the format that its owner wants', async () => {
  const id = await verified(['valid@a.example', 'full@a.example', 'invalid@a.example']);
  const response = await fetch(`${service.url}/api/v1/lists/${id}/download?format=csv&verdict=valid,risky`, {
    headers: { authorization: `Bearer ${account.testKey}` },
  });
  const lines = (await response.text()).trim().split('\r\n');
  expect(lines.map((line) => line.split(',', 2).join(' '))).toEqual([
    'email verdict',
    'valid@a.example valid',
    'full@a.example risky',
  ]);
  expect((await ask(`/lists/${id}/download?format=json`)).body.results).toHaveLength(3);
});

it('a list is renamed and deleted with its batch', async () => {
  const id = await verified(['valid@a.example']);
  expect((await ask(`/lists/${id}`, { method: 'PATCH', body: { name: 'Autumn' } })).body.name).toBe('Autumn');
  expect((await ask(`/lists/${id}`, { method: 'PATCH', body: { name: ' ' } })).status).toBe(422);
  expect((await ask(`/lists/${id}`, { method: 'DELETE' })).status).toBe(204);
  for (const path of [`/lists/${id}`, `/verify/batch/${id}`]) expect((await ask(path)).status).toBe(404);
});

it('nobody else’s list is seen', async () => {
  const id = await verified(['valid@a.example']);
  const other = await createFullAccount(database);
  const refused = await ask(`/lists/${id}`, { key: other.testKey });
  expect([refused.status, refused.body.code]).toEqual([404, 'list_not_found']);
  const agent = await ask('/lists', { key: await register(service) });
  expect([agent.status, agent.body.code]).toEqual([403, 'full_account_required']);
});
