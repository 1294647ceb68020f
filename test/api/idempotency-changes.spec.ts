import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startService, type TestService } from '../support/service.js';

let database: TestDatabase;
let service: TestService;
let account: FullAccount;
let adminKey: string;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({ database });
  account = await createFullAccount(database, { credits: 10 });
  adminKey = await createAdminKey(service);
});

afterAll(async () => {
  await service.close();
  await database.drop();
});

const sql = (text: string, parameters: unknown[] = []) => service.app.get(DataSource).query(text, parameters);
const count = async (text: string): Promise<number> => (await sql(text))[0].count;

/** While it works no reply can be kept: what a process sees that dies after its work. */
async function withoutKeeping<T>(work: () => Promise<T>): Promise<T> {
  await sql(
    `CREATE FUNCTION refuse_reply() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no reply is kept''; END'`,
  );
  await sql(`CREATE TRIGGER refuse_reply BEFORE UPDATE OF reply ON idempotency_keys FOR EACH ROW
               WHEN (NEW.reply IS NOT NULL) EXECUTE FUNCTION refuse_reply()`);
  try {
    return await work();
  } finally {
    await sql('DROP TRIGGER refuse_reply ON idempotency_keys');
    await sql('DROP FUNCTION refuse_reply()');
  }
}

describe('what is created or given with an idempotency key', () => {
  it.each([
    [
      'a key of one’s own',
      () => ['/api/v1/keys', account.liveKey, { kind: 'test' }] as const,
      'SELECT count(*) FROM api_keys',
      201,
    ],
    [
      'an account',
      () => ['/admin/v1/accounts', adminKey, { name: 'New' }] as const,
      'SELECT count(*) FROM accounts',
      201,
    ],
    [
      'a grant',
      () => [`/admin/v1/accounts/${account.accountId}/credits/grant`, adminKey, { amount: 5, reason: 'test' }] as const,
      'SELECT sum(amount)::bigint AS count FROM credit_ledger',
      200,
    ],
    [
      'a key of any account',
      () => [`/admin/v1/accounts/${account.accountId}/keys`, adminKey, {}] as const,
      'SELECT count(*) FROM api_keys',
      201,
    ],
  ])(
    'what is created or given with an idempotency key is committed with its reply or not at all: %s',
    async (_what, request, counting, status) => {
      const [path, key, body] = request();
      const idempotencyKey = randomUUID();
      const post = () =>
        fetch(`${service.url}${path}`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            'idempotency-key': idempotencyKey,
          },
          body: JSON.stringify(body),
        });
      const before = await count(counting);
      expect((await withoutKeeping(post)).status).toBe(500);
      expect(await count(counting)).toBe(before);

      const first = await post();
      expect(first.status).toBe(status);
      const after = await count(counting);
      expect(after).toBeGreaterThan(before);
      const again = await post();
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(await again.text()).toBe(await first.text());
      expect(await count(counting)).toBe(after);
    },
  );

  it('what is created or given with an idempotency key has the balance that the grant makes', async () => {
    const response = await fetch(`${service.url}/admin/v1/accounts/${account.accountId}/credits/grant`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${adminKey}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ amount: 7, reason: 'test' }),
    });
    const told = JSON.stringify(await response.json());
    const [{ available }] = await sql('SELECT available FROM credit_balances WHERE account_id = $1', [
      account.accountId,
    ]);
    expect(told).toContain(`${available}`);
  });
});
