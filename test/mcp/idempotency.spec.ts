import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Engine } from '../../src/engine/verification/engine.js';
import { ENGINE } from '../../src/verify/engine.provider.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call, register } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startDnsServer } from '../support/dns-server.js';
import { held } from '../support/held.js';
import { callTool } from '../support/mcp.js';
import { startProcess } from '../support/process.js';
import { testRedis } from '../support/redis.js';
import { startService, type TestService } from '../support/service.js';

/** `KILL_ROUNDS=20 npx vitest run test/mcp/idempotency.spec.ts` for a longer look. */
const KILL_ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 1);
/** Longer than an idempotency key is leased and a reservation kept. */
const A_WHILE_MS = 120_000;

let database: TestDatabase;
let service: TestService;
let account: FullAccount;
let number = 0;
let idempotency_key: string;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({ database, env: { registrationsPerHour: 100, registrationsPerDay: 100 } });
});

beforeEach(async () => {
  account = await createFullAccount(database, { credits: 100 });
  idempotency_key = `call-${++number}`;
});

afterAll(async () => {
  await service.close();
  await database.drop();
});

const verify = (email = 'jane@nowhere.invalid', key = account.liveKey) =>
  callTool(service, 'verify_email', { email, idempotency_key }, { key });
const submit = (emails: readonly string[], key = account.liveKey) =>
  callTool(service, 'verify_batch', { emails, idempotency_key }, { key });
const standing = async () => (await call(service, '/api/v1/credits', { key: account.liveKey })).body;

describe('the same idempotency_key and arguments', () => {
  it('the same idempotency_key and arguments get the first result again, charged once', async () => {
    const first = await verify();
    const second = await verify();
    expect([first.isReplayed, second.isReplayed]).toEqual([false, true]);
    expect(second.result).toEqual(first.result);
    expect(first.result).toMatchObject({ credits_charged: 1, credits_remaining: 99 });
    expect(await standing()).toMatchObject({ remaining: 99, used_total: 1 });
  });

  it('the same idempotency_key and arguments make one batch, whose credits are shown as taken', async () => {
    const first = await submit(['a@nowhere.invalid', 'b@nowhere.invalid']);
    const second = await submit(['a@nowhere.invalid', 'b@nowhere.invalid']);
    expect(second.result).toEqual(first.result);
    expect(first.result.credits_remaining).toBe(98);
    expect(
      await service.app
        .get(DataSource)
        .query('SELECT id::float8 FROM batches WHERE account_id = $1', [account.accountId]),
    ).toEqual([{ id: first.result.batch_id }]);
  });

  it('the same idempotency_key and arguments at once are one piece of work: the others get the advice to come back', async () => {
    const entered = held<void>();
    const goOn = held<void>();
    const engine = service.app.get<Engine>(ENGINE);
    const verifyOne = engine.verify.bind(engine);
    const slow = vi.spyOn(engine, 'verify').mockImplementation(async (...given) => {
      entered.resolve();
      await goOn.promise;
      return verifyOne(...given);
    });
    const first = verify();
    await entered.promise;
    const others = await Promise.all([verify(), verify()]);
    for (const { result } of others) expect(result).toMatchObject({ code: 'idempotency_in_progress', retry_after: 1 });
    goOn.resolve();
    await first;
    expect((await verify()).isReplayed).toBe(true);
    expect(slow).toHaveBeenCalledOnce();
    slow.mockRestore();
    expect(await standing()).toMatchObject({ used_total: 1 });
  });

  it('the same idempotency_key and arguments are an agent’s own, too', async () => {
    const key = await register(service);
    const first = await verify('jane@nowhere.invalid', key);
    expect((await verify('jane@nowhere.invalid', key)).result).toEqual(first.result);
    expect((await call(service, '/api/v1/credits', { key })).body.data.used_today).toBe(1);
  });
});

it('another email under the same idempotency_key is refused', async () => {
  await verify();
  expect((await verify('another')).result).toMatchObject({ code: 'idempotency_key_reused', action: 'correct_input' });
});

it('the same idempotency_key is another one for another tool, account or the REST interface', async () => {
  await verify();
  expect((await submit(['no address'])).isReplayed).toBe(false);
  expect((await verify('jane@nowhere.invalid', (await createFullAccount(database)).liveKey)).isReplayed).toBe(false);
  const headers = { 'idempotency-key': idempotency_key };
  const { headers: told } = await call(service, '/api/v1/verify', {
    key: account.liveKey,
    body: { email: 'other' },
    headers,
  });
  expect(told.get('idempotent-replayed')).toBeNull();
});

it('a result that another try may change is not kept', async () => {
  const engine = service.app.get<Engine>(ENGINE);
  const fault = vi.spyOn(engine, 'verify').mockRejectedValueOnce(new Error('broken'));
  expect((await verify()).result).toMatchObject({ code: 'internal_error' });
  fault.mockRestore();
  expect(await verify()).toMatchObject({ isError: false, isReplayed: false });
  expect(await standing()).toMatchObject({ remaining: 99, used_total: 1, reserved: 0 });
});

it('a process killed in the middle charges once when the call comes again', async () => {
  const dns = await startDnsServer({ zones: { 'slow.example.com': 'silent' } });
  onTestFinished(() => dns.close());
  const environment = { DATABASE_URL: database.url, REDIS_URL: (await testRedis()).url, DNS_SERVERS: dns.address };
  for (let round = 1; round <= KILL_ROUNDS; round++) {
    const given = { email: 'someone@slow.example.com', idempotency_key: `killed-${round}` };
    const doomed = await startProcess(environment);
    const asked = dns.questions.length;
    const running = callTool(doomed, 'verify_email', given, { key: account.liveKey }).then(
      () => 'answered',
      () => 'lost',
    );
    await expect.poll(() => dns.questions.length).toBeGreaterThan(asked);
    doomed.kill('SIGKILL');
    expect([await doomed.ended, await running]).toEqual(['SIGKILL', 'lost']);
    const successor = await startService({ database, clock: { now: () => Date.now() + A_WHILE_MS } });
    try {
      // What needs no network this time.
      const work = vi
        .spyOn(successor.app.get<Engine>(ENGINE), 'verify')
        .mockImplementation((_, how) => service.app.get<Engine>(ENGINE).verify('jane@nowhere.invalid', how));
      const first = await callTool(successor, 'verify_email', given, { key: account.liveKey });
      expect(first).toMatchObject({ isError: false, isReplayed: false, result: { credits_charged: 1 } });
      const again = await callTool(successor, 'verify_email', given, { key: account.liveKey });
      expect(again).toMatchObject({ isReplayed: true, result: first.result });
      expect(work).toHaveBeenCalledOnce();
      await expect.poll(standing).toMatchObject({ remaining: 100 - round, used_total: round, reserved: 0 });
    } finally {
      await successor.close();
    }
  }
});
