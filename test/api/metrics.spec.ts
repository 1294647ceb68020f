import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { LedgerDriftService } from '../../src/credits/credits-audit.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { queueBatch } from '../support/batches.js';
import { call, register } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { scrape } from '../support/scrape.js';
import { startService, type TestService } from '../support/service.js';

const clock = { time: Date.now(), now: () => clock.time };

let database: TestDatabase;
/** Without a worker: what waits goes on waiting. */
let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({ clock, database, env: { metricsPort: 0, role: 'api', registrationsPerHour: 1 } });
  account = await createFullAccount(database, { credits: 100 });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const verify = (email: string, key = account.liveKey) => call(service, '/api/v1/verify', { key, body: { email } });
const query = <T>(sql: string, values: unknown[] = []) => service.app.get(DataSource).query<T>(sql, values);

/** As it is now, past what was kept of the last scrape. */
async function numbers() {
  clock.time += 10_000;
  return scrape(service);
}

async function change(act: () => Promise<unknown>, name: string, labels: Record<string, string> = {}): Promise<number> {
  const before = (await numbers()).valueOf(name, labels) ?? 0;
  await act();
  return ((await numbers()).valueOf(name, labels) ?? 0) - before;
}

describe('what is counted', () => {
  const invalid = { verdict: 'invalid', reason: 'invalid_syntax', via: 'single' };

  it('what is counted is each answer of the real world, by verdict, reason and door', async () => {
    expect(await change(() => verify('none'), 'mailsonde_verifications_total', invalid)).toBe(1);
    const rpc = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'verify_email', arguments: { email: 'none' } },
    };
    const overMcp = () =>
      call(service, '/mcp', {
        key: account.liveKey,
        body: rpc,
        headers: { accept: 'application/json, text/event-stream' },
      });
    expect(await change(overMcp, 'mailsonde_verifications_total', { ...invalid, via: 'mcp' })).toBe(1);
  });

  it('what is counted is no answer of the simulated world', async () => {
    const simulated = () => verify('none', account.testKey);
    expect(await change(simulated, 'mailsonde_verifications_total')).toBe(0);
    expect(await change(simulated, 'mailsonde_credits_charged_total')).toBe(0);
  });

  it('what is counted is each credit that is charged', async () => {
    expect(
      await change(() => verify('one@nowhere.invalid'), 'mailsonde_credits_charged_total', { source: 'balance' }),
    ).toBe(1);
  });

  it('what is counted is who registers, and who may not', async () => {
    const name = 'mailsonde_registrations_total';
    expect(await change(() => register(service), name, { outcome: 'registered' })).toBe(1);
    expect(
      await change(() => call(service, '/agent-gateway/register', { body: {} }), name, { outcome: 'limited' }),
    ).toBe(1);
  });
});

describe('what is read', () => {
  it('what is read is the day’s pool of agents', async () => {
    const before = await numbers();
    expect(before.valueOf('mailsonde_agent_pool_capacity')).toBe(10_000);
    expect(before.valueOf('mailsonde_agent_pool_remaining')).toBeLessThanOrEqual(10_000);
  });

  it('what is read is how long the oldest batch has waited for a worker, and that there is none', async () => {
    expect((await numbers()).valueOf('mailsonde_batch_oldest_waiting_seconds')).toBe(0);
    const id = await queueBatch(database.url, { accountId: account.accountId, emails: ['a@example.com'] });
    await query('UPDATE batch_chunks SET due_at = $2 WHERE batch_id = $1', [id, new Date(clock.time - 700_000)]);
    const waiting = await numbers();
    expect(waiting.valueOf('mailsonde_batch_oldest_waiting_seconds')).toBeCloseTo(710, 0);
    expect(waiting.valueOf('mailsonde_batch_queue', { what: 'chunks_due' })).toBe(1);
    expect(waiting.valueOf('mailsonde_workers')).toBe(0);
    await query(`UPDATE batch_chunks SET lease_owner = gen_random_uuid(), lease_expires_at = $1`, [
      new Date(clock.time + 60_000),
    ]);
    expect((await numbers()).valueOf('mailsonde_batch_oldest_waiting_seconds')).toBe(0);
  });

  it('what is read is how long a delivery is due', async () => {
    expect((await numbers()).valueOf('mailsonde_webhook_oldest_due_seconds')).toBe(0);
    expect((await numbers()).valueOf('mailsonde_webhook_queue', { what: 'due' })).toBe(0);
  });
});

it('what workers tell is each source that an administrator has taken out', async () => {
  const worker = await startService({ clock, database, env: { metricsPort: 0 } });
  onTestFinished(() => worker.close());
  const paused = async () => {
    clock.time += 10_000;
    return (await scrape(worker)).valueOf('mailsonde_egress_taken_out', { source: 'rack-1', condition: 'paused' });
  };
  expect(await paused()).toBeNull();
  await query(`INSERT INTO source_conditions VALUES ('rack-1', 'paused', 'the machine moves', 'alice', now())`);
  expect(await paused()).toBe(1);
  await query('DELETE FROM source_conditions');
  expect(await paused()).toBeNull();
});

describe('the drift of ledgers', () => {
  const compare = async () => {
    clock.time += 60_000;
    await service.app.get(LedgerDriftService, { strict: false }).compare();
    return (await numbers()).valueOf('mailsonde_ledger_drift');
  };

  it('the drift of ledgers is 0 while every balance is the sum of its ledger, whatever is charged in between', async () => {
    expect(await compare()).toBe(0);
    await verify('none');
    await verify('none');
    expect(await compare()).toBe(0);
    const [{ compared, entries }] = await query<[{ compared: number; entries: number }]>(
      'SELECT number AS compared, entries FROM ledger_sums JOIN credit_balances USING (account_id) WHERE account_id = $1',
      [account.accountId],
    );
    expect(compared).toBe(entries);
  });

  it('the drift of ledgers is what a balance has too much or too little, and stays until it is mended', async () => {
    const other = await createFullAccount(database, { credits: 50 });
    const add = (id: string, credits: number) =>
      query('UPDATE credit_balances SET available = available + $2 WHERE account_id = $1', [id, credits]);
    await add(account.accountId, 7);
    await add(other.accountId, -7);
    expect(await compare()).toBe(14);
    await verify('none');
    expect(await compare()).toBe(14);
    expect(await service.app.get(LedgerDriftService, { strict: false }).find()).toMatchObject({ accounts: 2 });
    await add(account.accountId, -7);
    await add(other.accountId, 7);
    expect(await compare()).toBe(0);
  });

  it('the drift of ledgers is compared by one process, once a minute', async () => {
    const drift = service.app.get(LedgerDriftService, { strict: false });
    await compare();
    const first = await drift.find();
    clock.time += 1_000;
    await Promise.all([drift.compare(), drift.compare()]);
    expect(await drift.find()).toEqual(first);
    clock.time += 60_000;
    expect((await numbers()).valueOf('mailsonde_ledger_compared_seconds')).toBeGreaterThan(60);
  });
});
