import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UsageTally } from '../../src/credits/usage/usage-tally.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call, register } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { callTool } from '../support/mcp.js';
import { nextLook } from '../support/next-look.js';
import { startService, type TestService } from '../support/service.js';

const BATCHES = '/api/v1/verify/batch';
/** Texts that are no addresses, and one whose domain never resolves, which nobody has to be asked about. */
const MALFORMED = ['PK\u0003 sheet1.xml', 'no address', '+49 30 901820', 'a@b', 'jane@'];
const NOWHERE = 'jane@nowhere.invalid';
const LIST = [...MALFORMED, NOWHERE, 'no address', NOWHERE];

let database: TestDatabase;
let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({ database, env: { registrationsPerHour: 1000 } });
});

beforeEach(async () => {
  account = await createFullAccount(database, { credits: 1 });
});

afterAll(async () => {
  await service.close();
  await database.drop();
});

const ask = (path: string, body?: object, key = account.liveKey) => call(service, path, { key, body });
const credits = async () => (await ask('/api/v1/credits')).body;
const kinds = async () =>
  (await ask('/api/v1/credits/history')).body.entries.map(({ kind }: { kind: string }) => kind).reverse();

async function completed(id: number, key = account.liveKey) {
  const { body } = await ask(`${BATCHES}/${id}`, undefined, key);
  const status = body.data ?? body;
  if (status.status === 'completed') return status;
  await nextLook();
  return completed(id, key);
}

async function expectLedgerFits(): Promise<void> {
  const [{ sum, available }] = await service.app.get(DataSource).query(
    `SELECT sum(amount)::int AS sum, max(available)::int AS available
       FROM credit_ledger JOIN credit_balances USING (account_id) WHERE account_id = $1`,
    [account.accountId],
  );
  expect(sum).toBe(available);
}

describe('a text that is no address', () => {
  it('a text that is no address is invalid for nothing in a single verification of a full account, even with an empty balance', async () => {
    await ask('/api/v1/verify', { email: NOWHERE });
    expect(await credits()).toMatchObject({ remaining: 0, used_total: 1 });
    for (const email of MALFORMED) {
      const { status, body } = await ask('/api/v1/verify', { email, max_credits: 0 });
      expect([status, body.verdict, body.reason, body.credits_charged]).toEqual([200, 'invalid', 'invalid_syntax', 0]);
    }
    expect((await ask('/api/v1/verify', { email: NOWHERE })).body.code).toBe('credits_insufficient');
    expect(await kinds()).toEqual(['grant', 'reserve', 'release', 'charge']);
    await expectLedgerFits();
  });

  it('a text that is no address is answered for nothing again under its idempotency key, and by MCP', async () => {
    const headers = { 'idempotency-key': 'a-cell' };
    const send = () => call(service, '/api/v1/verify', { key: account.liveKey, body: { email: '@' }, headers });
    const [first, again] = [await send(), await send()];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const { result } = await callTool(service, 'verify_email', { email: '@' }, { key: account.liveKey });
    expect(result).toMatchObject({ reason: 'invalid_syntax', credits_charged: 0 });
    expect(await kinds()).toEqual(['grant']);
  });

  it('a text that is no address costs nothing in a batch: neither its quote nor its reservation has it, and the balance is charged for the others', async () => {
    const held = (await ask(`${BATCHES}?hold=true`, { emails: LIST })).body;
    expect(held.quote).toMatchObject({ unique_emails: 6, malformed: 5, max_credits: 1, balance_after: 0 });
    const started = await ask(`${BATCHES}/${held.id}/start`, { max_credits: 1 });
    expect(started.body).toMatchObject({ status: 'queued', credits_reserved: 1 });
    expect(await completed(held.id)).toMatchObject({ credits_charged: 1, counts: { invalid: 8 } });
    const { results } = (await ask(`${BATCHES}/${held.id}/results`)).body;
    expect(results.map((row: { credits_charged: number }) => row.credits_charged)).toEqual([0, 0, 0, 0, 0, 1, 0, 0]);
    expect(await credits()).toMatchObject({ remaining: 0, reserved: 0, used_total: 1 });
    await expectLedgerFits();
  });

  it.each([
    ['a small list', 6],
    ['a list of several chunks', 2_300],
  ])(
    'a text that is no address leaves %s of nothing else free of charge for an account without credits',
    async (_, rows) => {
      await ask('/api/v1/verify', { email: NOWHERE });
      const emails = Array.from({ length: rows }, (_, i) => `cell ${i}`);
      const sent = await ask(BATCHES, { emails, max_credits: 0 });
      expect([sent.status, sent.body.code]).toEqual([201, undefined]);
      expect(await completed(sent.body.id)).toMatchObject({
        credits_reserved: 0,
        credits_charged: 0,
        counts: { valid: 0, invalid: rows, risky: 0, unknown: 0 },
      });
      await service.app.get(UsageTally).flush();
      const { total } = (await ask('/api/v1/usage')).body;
      expect(total).toMatchObject({ items: rows + 1, credits: 1 });
      await expectLedgerFits();
    },
  );

  it('a text that is no address costs nothing when a list is verified again, nor where verdicts are given again', async () => {
    const first = (await ask(BATCHES, { emails: LIST, reuse_days: 1 })).body;
    await completed(first.id);
    const second = (await ask(BATCHES, { emails: [...LIST, 'new cell'], reuse_days: 1 })).body;
    expect(await completed(second.id)).toMatchObject({ reused: 1, credits_reserved: 0, credits_charged: 0 });
    expect(await credits()).toMatchObject({ remaining: 0, reserved: 0, used_total: 1 });
  });

  it('a text that is no address is estimated as what it costs', async () => {
    const asked = { emails: LIST };
    expect((await ask('/api/v1/estimate', asked)).body).toMatchObject({
      unique_addresses: 6,
      malformed: 5,
      credits_required: 1,
      sufficient: true,
    });
    const { result } = await callTool(service, 'estimate_cost', asked, { key: account.liveKey });
    expect(result).toMatchObject({ malformed: 5, credits_required: 1, sufficient: true });
  });

  it('a text that is no address costs an agent one credit, single and in a batch, as its estimate says', async () => {
    const key = await register(service);
    await ask('/api/v1/verify', { email: 'no address' }, key);
    expect((await ask('/api/v1/estimate', { emails: LIST }, key)).body.data).toMatchObject({ credits_required: 6 });
    const { id } = (await ask(BATCHES, { emails: LIST }, key)).body.data;
    expect(await completed(id, key)).toMatchObject({ credits_charged: 6 });
    expect((await ask('/api/v1/credits', undefined, key)).body.data).toMatchObject({ used_today: 7, reserved: 0 });
  });

  it('a text that is no address leaves the balance that a test key sees alone', async () => {
    const { id } = (await ask(BATCHES, { emails: LIST }, account.testKey)).body;
    expect(await completed(id, account.testKey)).toMatchObject({ credits_charged: 0, counts: { invalid: 8 } });
    expect(await kinds()).toEqual(['grant']);
  });
});
