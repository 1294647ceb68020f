import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LedgerDriftService } from '../../src/credits/credits-audit.js';
import { OperatorCircuitsService } from '../../src/sending/operators/operator-circuits.service.js';
import { UsageTally } from '../../src/credits/usage/usage-tally.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { queueBatch } from '../support/batches.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startService, type TestService } from '../support/service.js';
import { runAdmin } from '../support/admin.js';

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

const status = (...argv: string[]) => runAdmin(service, 'status', ...argv);
const query = (sql: string, values: unknown[] = []) => service.app.get(DataSource).query(sql, values);

it('the status says in one screen that all is well', async () => {
  await expect.poll(async () => (await status()).out).toMatch(/Workers +1 alive/);
  const { exit, out } = await status();
  expect(out).toMatch(/^Mailsonde +\d+\.\d+\.\d+, \d{4}-/);
  expect(out).toMatch(/\nHealth +all is well\n/);
  expect(out).toMatch(/\nOldest waiting +none: every batch that is due is worked on\n/);
  expect(out).toMatch(/\nLedger +every balance is its sum, compared \d+ s ago\n/);
  expect(out).toMatch(/\nDatabase +PostgreSQL \d+.*, \d+\.\d MB, \d+ of \d+ connections; \w+ /);
  expect(out).toMatch(/\nRefusals +none in 24 hours\n/);
  expect(out).toMatch(/\nDisk +\d+\.\d [MGT]B of \d+\.\d [GT]B free\n/);
  expect(out.split('\n').length).toBeLessThan(25);
  expect(exit).toBe(0);
});

it('the status says what is wrong, whose it is and why, and shows it by its exit code', async () => {
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
  await query(`UPDATE webhook_deliveries SET due_at = now() - interval '10 minutes', attempts = 1`);
  await query(`INSERT INTO webhook_attempts (delivery_id, number, at, error, latency_ms, reply)
               SELECT id, 1, now(), 'timeout', 15000, '' FROM webhook_deliveries`);
  await query('UPDATE webhook_endpoints SET failing_since = now()');
  await query(`INSERT INTO source_checks VALUES ('rack-1', 'helo', 'fail', 'probe.example.com has no address', now()),
    ('left', 'helo', 'fail', 'taken out of the configuration', now())`);
  await query(
    `INSERT INTO source_listings VALUES ('rack-2', 'psbl', '192.0.2.2', 'seen sending spam', true, now(), now())`,
  );
  await query(`INSERT INTO source_rests VALUES ('rack-2', 'psbl has 192.0.2.2', now(), 0)`);
  await query(
    `INSERT INTO source_reports VALUES (gen_random_uuid(), 'rack-1', 'host-1', NULL, NULL, 'open', now()),
            (gen_random_uuid(), 'rack-2', 'host-1', NULL, NULL, 'open', now()),
            (gen_random_uuid(), 'rack-5', 'host-1', NULL, NULL, 'open', now()),
            (gen_random_uuid(), 'left', 'host-0', NULL, NULL, 'open', now() - interval '1 minute'),
            (gen_random_uuid(), 'rack-3', 'host-3', now() + interval '1 minute', 'address_refused', 'unknown', now()),
            (gen_random_uuid(), 'rack-4', 'host-4', now() + interval '1 minute', 'proxy_silent', 'unknown', now() - interval '1 minute')`,
  );
  await query(`INSERT INTO source_conditions VALUES ('rack-5', 'paused', 'the machine moves', 'alice', now()),
    ('left', 'drained', 'taken out of the configuration', 'alice', now())`);
  await query(`INSERT INTO blacklist_suspicions VALUES ('psbl', now(), now() + interval '1 hour', 12, 100)`);
  await query(
    `INSERT INTO monitors (id, account_id, simulated, kind, target, settings, interval_minutes, state, created_at, next_run_at)
     VALUES (17, $1, false, 'domain', 'late.example', '{}', 1440, 'pending', now(), now() - interval '20 minutes')`,
    [account.accountId],
  );
  await query(
    `INSERT INTO usage_days
     SELECT $1, (now() AT TIME ZONE 'utc')::date - ago, gen_random_uuid(), 'verify', verdict, reason, false, items, 0, 0
       FROM (VALUES (1, 'unknown', 'dns_error', 5), (1, 'valid', 'accepted', 195), (0, 'valid', 'accepted', 200),
                    (0, 'unknown', 'greylisted', 2), (0, 'unknown', 'ip_blocked', 30)) AS days (ago, verdict, reason, items)`,
    [account.accountId],
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
    await call(service, '/api/v1/verify', { key: account.liveKey, body: { email: 'one@nowhere.invalid' } });
  await service.app.get(UsageTally, { strict: false }).flush();
  await query('UPDATE credit_balances SET available = available + 3 WHERE account_id = $1', [account.accountId]);
  await query('DELETE FROM ledger_drift');
  await service.app.get(LedgerDriftService, { strict: false }).compare();

  const { exit, out } = await status();
  expect(exit).toBe(1);
  expect(out).toContain('! MailsondeNoWorker: No worker is alive: batches and webhooks wait.\n');
  expect(out).toContain(
    `! MailsondeBatchWaits: Batch ${id} of Test account waits: no worker is alive, 1 chunk is due.\n`,
  );
  expect(out).toContain('! MailsondeOperatorBreakerOpen: The mail operator google refuses us at rack-1: 550 5.7.1.\n');
  expect(out).toContain(
    '! MailsondeLedgerDrift: Balances of 1 account differ from their ledgers, by 3 credits: "credits audit" names them.\n',
  );
  expect(out).toMatch(
    new RegExp(
      `Oldest waiting +batch ${id} of Test account \\(${account.accountId}\\) since (20\\S+ )?\\d\\d:\\d\\d UTC \\(15 min\\): no worker is alive, 1 chunk is due\\n`,
    ),
  );
  expect(out).toMatch(
    /Operators +google refuses rack-1 \(192\.0\.2\.1\): 550 5\.7\.1, 3 times; next trial at \d\d:\d\d UTC/,
  );
  expect(out).toMatch(
    new RegExp(
      `Refused today +Test account \\(${account.accountId}\\), key …${account.liveKey.slice(-4)}: \\d times 402, credits_insufficient: its account has 3 credits left, and 0 reserved for work that runs`,
    ),
  );
  const late = `Late webhooks +1 to endpoint ${endpoint} of Test account \\(${account.accountId}\\), due since (20\\S+ )?\\d\\d:\\d\\d UTC \\(10 min\\), failing since \\d\\d:\\d\\d UTC \\(\\d s\\) and never delivered: timeout`;
  expect(out).toMatch(new RegExp(late));
  expect(out).toContain(`! MailsondeWebhooksLate: Webhooks to endpoint ${endpoint} of Test account are late.\n`);
  expect(out).toContain(
    '! MailsondeMonitorsLate: 1 monitor is due and nobody runs it: the first is 17 of Test account.\n',
  );
  expect(out).not.toContain('The source left');
  expect(out).toContain('! MailsondeSourceIdentity: The source rack-1 fails helo: probe.example.com has no address.\n');
  expect(out).toContain('! MailsondeSourceListed: The source rack-2 is on the block list psbl: seen sending spam.\n');
  expect(out).toContain('! MailsondeSourceListed: The source rack-2 rests: psbl has 192.0.2.2.\n');
  expect(out).toContain('! MailsondeSourceRests: The source rack-3 cannot be used on host-3: address_refused.\n');
  expect(out).toContain(
    '! MailsondeBlacklistSuspect: The block list psbl turned 12 of 100 watched targets listed at once: nobody is told what it says.\n',
  );
  // Of a process that is gone, and an administrator's own doing.
  expect(out).not.toContain('rack-4');
  expect(out).not.toContain('! The source rack-5');
  expect(out).toMatch(
    /\n +rack-1 fails helo: probe\.example\.com has no address\n +rack-5 was paused by alice: the machine moves\n/,
  );
  expect(out).toMatch(
    new RegExp(
      `Monitors +1 due, the oldest is 17 of Test account \\(${account.accountId}\\) since (20\\S+ )?\\d\\d:\\d\\d UTC \\(20 min\\)\\n`,
    ),
  );
  expect(out).toMatch(/Answers +20\d\d-\d\d-\d\d 200, 2\.5% unknown \(dns_error 5\), 0 credits\n/);
  expect(out).toMatch(/\n +20\d\d-\d\d-\d\d 2\d\d, 1\d\.\d% unknown \(ip_blocked 30, greylisted 2\), \d+ credits?\n/);
  expect(out).toMatch(/! MailsondeUnknownShare: 1\d\.\d% of today's answers are unknown, 2\.5% were yesterday\.\n/);
  expect(out).toMatch(
    /Refusals +google to rack-1, 7 times ip_blocked in 24 hours, last at \d\d:\d\d UTC: 550 5\.7\.1 our system has detected mail from a poor network\n/,
  );
  const reply = JSON.parse((await status('--json')).out);
  expect(reply).toMatchObject({
    workers: [],
    oldest_waiting: { id },
    ledger: { drift: 3 },
    operators: [{ name: 'google' }],
    monitors_due: { monitors: 1, oldest_id: 17 },
    source_faults: expect.arrayContaining([
      { source: 'rack-1', kind: 'check', by: 'helo', text: 'probe.example.com has no address' },
    ]),
    suspect_lists: [{ list: 'psbl', turned: 12, watched: 100 }],
  });
});

it('the status says that a batch waits for a worker of its account’s region, though others are alive', async () => {
  await service.close();
  service = await startService({ database });
  await expect.poll(async () => (await status()).out).toMatch(/Workers +1 alive/);
  const { accountId } = await createFullAccount(database, { credits: 10 });
  await query(`UPDATE accounts SET region = 'us' WHERE id = $1`, [accountId]);
  const id = await queueBatch(database.url, { accountId, emails: ['a@example.com'] });
  await query(`UPDATE batch_chunks SET due_at = now() - interval '2 hours' WHERE batch_id = $1`, [id]);
  const { out } = await status();
  expect(out).toContain(
    `! MailsondeBatchWaits: No worker of the region us is alive (REGION=us): 1 batch waits, the first is ${id} of Test account.\n`,
  );
  // One cause, one sentence.
  expect(out).not.toContain(`! MailsondeBatchWaits: Batch ${id}`);
  expect(out).toContain("no worker of its account's region us is alive, and no other may work on it, 1 chunk is due\n");
});

it('who was refused today is told by the code that the caller got, with what is simulated and how many others there are', async () => {
  await query('DELETE FROM usage_refusals');
  const { accountId, liveKey, testKey } = await createFullAccount(database, { credits: 10 });
  const body = { email: 'jane@example.com', max_credits: 0 };
  for (const key of [liveKey, liveKey, testKey, testKey])
    expect((await call(service, '/api/v1/verify', { key, body })).body.code).toBe('ceiling_reached');
  await service.app.get(UsageTally, { strict: false }).flush();
  await query(
    `INSERT INTO usage_refusals (account_id, utc_date, key_id, status, code, simulated, refusals)
     SELECT $1, (now() AT TIME ZONE 'utc')::date, gen_random_uuid(), 429, 'rate_limited', false, 1 FROM generate_series(1, 5)`,
    [accountId],
  );

  const { out } = await status();
  const why = 'ceiling_reached: The work may cost more than max_credits allows; nothing was done.';
  expect(out).toContain(`Test account (${accountId}), key …${liveKey.slice(-4)}: 2 times 402, ${why}\n`);
  expect(out).toContain(
    `Test account (${accountId}), test key …${testKey.slice(-4)}: 2 times 402 (simulated), ${why}\n`,
  );
  expect(out).toMatch(/key …deleted: 1 time 429, rate_limited: .+\n +and 2 others\n/);
  const { refused_today: refused, more_refused_today: others } = JSON.parse((await status('--json')).out);
  expect(refused).toMatchObject([{ code: 'ceiling_reached' }, { code: 'ceiling_reached' }, {}, {}, {}]);
  expect(others).toBe(2);
});
