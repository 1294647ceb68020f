import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openAdministration } from '../../src/admin/administration.js';
import { runProgram } from '../../src/cli/admin/run-program.js';
import { LedgerDriftService } from '../../src/credits/balance/ledger-drift.service.js';
import { OperatorCircuitsService } from '../../src/operators/operator-circuits.service.js';
import { UsageTally } from '../../src/credits/usage/usage-tally.js';
import { loadEnv } from '../../src/platform/config/env.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { queueBatch } from '../support/batches.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startService, type TestService } from '../support/service.js';

let database: TestDatabase;
let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  database = await createTestDatabase();
  account = await createFullAccount(database, { credits: 1 });
  service = await startService({ database });
  await service.app.get(LedgerDriftService, { strict: false }).compare();
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

async function status(...argv: string[]): Promise<{ exit: number; out: string }> {
  let out = '';
  const open = () => openAdministration(loadEnv({}), database.url, false);
  const exit = await runProgram(['status', ...argv], open, { out: (text) => (out += text), error: () => undefined });
  return { exit, out };
}
const query = (sql: string, values: unknown[] = []) => service.app.get(DataSource).query(sql, values);

it('says in one screen that all is well', async () => {
  await expect.poll(async () => (await status()).out, { timeout: 20_000 }).toMatch(/Workers +1 alive/);
  const { exit, out } = await status();
  expect(out).toMatch(/^Mailsonde +\d+\.\d+\.\d+, \d{4}-/);
  expect(out).toMatch(/\nHealth +all is well\n/);
  expect(out).toMatch(/\nOldest waiting +none: every batch that is due is worked on\n/);
  expect(out).toMatch(/\nLedger +every balance is its sum, \d+ s ago\n/);
  expect(out).toMatch(/\nDatabase +PostgreSQL \d+.*, \d+\.\d MB, \d+ of \d+ connections; \w+ /);
  expect(out).toMatch(/\nRefusals +none in 24 hours\n/);
  expect(out).toMatch(/\nDisk +\d+\.\d [MGT]B of \d+\.\d [GT]B free\n/);
  expect(out.split('\n').length).toBeLessThan(25);
  expect(exit).toBe(0);
});

it('says what is wrong, whose it is and why, and shows it by its exit code', async () => {
  await service.close();
  const id = await queueBatch(database.url, {
    accountId: account.accountId,
    emails: ['a@example.com'],
    simulated: true,
  });
  service = await startService({ database, env: { role: 'api' } });
  await query(`UPDATE batch_chunks SET due_at = now() - interval '15 minutes' WHERE batch_id = $1`, [id]);
  const hook = { url: 'https://hooks.example.com/in', events: ['batch.completed'] };
  const endpoint = (await call(service, '/api/v1/webhooks', { key: account.liveKey, body: hook })).body.id;
  await query(`UPDATE webhook_deliveries SET due_at = now() - interval '10 minutes'`);
  await query(`INSERT INTO source_checks VALUES ('rack-1', 'helo', 'fail', 'probe.example.com has no address', now())`);
  await query(
    `INSERT INTO usage_days VALUES ($1, (now() AT TIME ZONE 'utc')::date - 1, gen_random_uuid(), 'verify', $2, 'dns_error', false, $3, 0, 0)`,
    [account.accountId, 'unknown', 5],
  );
  await query(
    `INSERT INTO source_refusals VALUES (date_trunc('hour', now()), 'rack-1', 'google', 'ip_blocked', 7, '550 5.7.1', 'our system has detected mail from a poor network', now())`,
  );
  const circuit = { operator: 'google', source: 'rack-1', address: '192.0.2.1', refusals: 3, lastRefusal: '550 5.7.1' };
  await service.app
    .get(OperatorCircuitsService, { strict: false })
    .report(
      '9b9d5f1e-6f1d-4d3b-9d43-0e8f3a1b2c3d',
      [{ ...circuit, openUntil: new Date(Date.now() + 60_000) }],
      new Date(),
    );
  for (let count = 0; count < 3; count++)
    await call(service, '/api/v1/verify', { key: account.liveKey, body: { email: 'none' } });
  await service.app.get(UsageTally, { strict: false }).flush();
  await query('UPDATE credit_balances SET available = available + 3 WHERE account_id = $1', [account.accountId]);
  await query('DELETE FROM ledger_drift');
  await service.app.get(LedgerDriftService, { strict: false }).compare();

  const { exit, out } = await status();
  expect(exit).toBe(1);
  expect(out).toContain('! No worker is alive: batches and webhooks wait.\n');
  expect(out).toContain(`! Batch ${id} waits for a worker: no worker is alive, 1 chunks are due.\n`);
  expect(out).toContain('! The mail operator google refuses us at rack-1: 550 5.7.1.\n');
  expect(out).toContain('! Balances of 1 accounts differ from their ledgers, by 3 credits.\n');
  expect(out).toMatch(
    new RegExp(
      `Oldest waiting +batch ${id} of Test account \\(${account.accountId}\\) for 15 min: no worker is alive, 1 chunks are due\\n`,
    ),
  );
  expect(out).toMatch(/Operators +google refuses rack-1 \(192\.0\.2\.1\): 550 5\.7\.1, 3 times, until 20/);
  expect(out).toMatch(
    new RegExp(
      `Refused today +Test account \\(${account.accountId}\\), key …${account.liveKey.slice(-4)}: \\d times 402, its account has 3 credits now, 0 more are reserved`,
    ),
  );
  const late = `Late webhooks +1 to endpoint ${endpoint} of Test account \\(${account.accountId}\\), the oldest for 10 min`;
  expect(out).toMatch(new RegExp(late));
  expect(out).toMatch(/Sources +rack-1 fails helo: probe\.example\.com has no address\n/);
  expect(out).toMatch(/Answers +20\d\d-\d\d-\d\d 5, 100\.0% unknown, 0 credits\n/);
  expect(out).toMatch(
    /Refusals +google to rack-1, 7 times ip_blocked: 550 5\.7\.1 our system has detected mail from a poor network\n/,
  );
  const reply = JSON.parse((await status('--json')).out);
  expect(reply).toMatchObject({
    workers: [],
    oldest_waiting: { id },
    ledger: { drift: 3 },
    operators: [{ name: 'google' }],
  });
});
