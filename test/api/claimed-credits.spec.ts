import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/lib/durations.js';
import { BatchWorker } from '../../src/batch/worker/batch-worker.js';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { CreditsService } from '../../src/credits/credits.service.js';
import { AccessService } from '../../src/keys/access/access.service.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { call, type Reply } from '../support/call.js';
import { callTool } from '../support/mcp.js';
import { startService, type TestService } from '../support/service.js';
import type { Redis } from 'ioredis';
import { REDIS } from '../../src/platform/redis/redis.js';

const FREE = 25;
const START = Date.parse('2026-11-21T10:00:00.000Z');
const MIDNIGHT = '2026-11-22T00:00:00.000Z';

let now = START;
let service: TestService;
let account: FullAccount;

interface Agent {
  readonly api_key: string;
  readonly claim_token: string;
}

beforeAll(async () => {
  const limits = { registrationsPerHour: 1_000, registrationsPerDay: 1_000 };
  service = await startService({ clock: { now: () => now }, env: limits });
});

beforeEach(async () => {
  now = START;
  account = await createFullAccount({ url: service.env.databaseUrl }, { credits: 100 });
});

afterAll(() => service.close());

/** Ten requests a minute are fewer than a test's. */
const ask = async (path: string, key: string, body?: object, method?: string): Promise<Reply> => {
  await service.app.get<Redis>(REDIS).flushdb();
  return call(service, path, { key, ...(body && { body }), ...(method && { method }) });
};
const registered = async () =>
  (await call(service, '/agent-gateway/register', { body: { name: 'Scout' } })).body as Agent;
const claimed = async (ceilings: object = {}) => {
  const agent = await registered();
  const { status, body } = await ask('/api/v1/claims', account.liveKey, {
    claim_token: agent.claim_token,
    ...ceilings,
  });
  expect(status).toBe(201);
  return { ...agent, id: body.id as string, ceilings: body.ceilings };
};
/** No domain, so that each is answered at once, and charged. */
const verify = ({ api_key }: Agent) => ask('/api/v1/verify', api_key, { email: 'no address' });
let batches = 0;
const submit = ({ api_key }: Agent, count: number, query = '') => {
  const emails = Array.from({ length: count }, (_, i) => `nobody ${++batches} ${i}`);
  return ask(`/api/v1/verify/batch${query}`, api_key, { emails });
};
const completed = async ({ api_key }: Agent, id: number) => {
  const status = async () => (await ask(`/api/v1/verify/batch/${id}`, api_key)).body.data.status;
  // Forgetting requests forgets notifications too.
  await service.app.get(BatchWorker).wake();
  await expect.poll(status).toBe('completed');
};
const useUpFreeCredits = async (agent: Agent) => completed(agent, (await submit(agent, FREE)).body.data.id);
const creditsOf = async ({ api_key }: Agent) => (await ask('/api/v1/credits', api_key)).body.data;
const balance = async () => (await ask('/api/v1/credits', account.liveKey)).body;
const change = (id: string, body: object) => ask(`/api/v1/keys/${id}`, account.liveKey, body, 'PATCH');
const codeOf = ({ status, body }: Reply) => [status, body.code];
// oxlint-disable-next-line typescript/no-explicit-any
const sql = (text: string, values: unknown[] = []): Promise<any[]> => service.app.get(DataSource).query(text, values);

it('an agent’s life: it registers, uses its 25, is claimed, goes on within its ceiling and is stopped exactly there', async () => {
  const agent = await registered();
  for (let i = 0; i < FREE; i++) expect((await verify(agent)).status).toBe(200);
  const first = await verify(agent);
  expect(codeOf(first)).toEqual([402, 'credits_insufficient']);
  expect((await fetch(first.body.claim_url, { headers: { accept: 'text/plain' } })).status).toBe(200);

  const body = { claim_token: agent.claim_token, name: 'Our scout', credits_per_day: 3 };
  const { id, ceilings } = (await ask('/api/v1/claims', account.liveKey, body)).body;
  expect(ceilings).toMatchObject({ credits_per_day: { credits: 3, used: 0 } });
  expect(await creditsOf(agent)).toMatchObject({ used_today: FREE, remaining: 3, paid_remaining: 3 });
  for (let i = 0; i < 3; i++) {
    const reply = await verify(agent);
    expect([reply.status, reply.body.success]).toEqual([200, true]);
  }
  const stopped = await verify(agent);
  expect(stopped.status).toBe(402);
  const refusal = { ceiling: 'credits_per_day', credits: 3, used: 3, required: 1, resets_at: MIDNIGHT };
  expect(stopped.body).toMatchObject({ code: 'key_ceiling_reached', ...refusal });
  expect(stopped.body.error).toContain(`/api/v1/keys/${id}`);
  expect(stopped.body).not.toHaveProperty('claim_url');
  const { result } = await callTool(service, 'verify_email', { email: 'no address' }, { key: agent.api_key });
  expect(result).toMatchObject({ code: 'key_ceiling_reached', ...refusal, action: 'retry_later' });
  expect(result.next_step).toContain('raise the ceiling credits_per_day');

  // Ledger and usage of the account name the agent's key, and its free credits are in neither.
  expect(await balance()).toMatchObject({ remaining: 97, reserved: 0, used_total: 3 });
  const { entries } = (await ask('/api/v1/credits/history', account.liveKey)).body;
  expect(entries[0]).toMatchObject({ kind: 'charge', amount: -1, what_for: 'verify', key_id: id });
  const { usage } = (await ask('/api/v1/usage?by=key&from=2026-11-21&to=2026-11-21', account.liveKey)).body;
  expect(usage).toMatchObject([{ value: id, items: 3, credits: 3, free_credits: 0 }]);

  // Raised by the account, the ceiling holds at once; renamed, it is the same key; it lives on after its 30 days.
  expect((await change(id, { credits_per_day: 4, name: 'Renamed' })).body).toMatchObject({ name: 'Renamed' });
  expect((await verify(agent)).status).toBe(200);
  expect(codeOf(await verify(agent))).toEqual([402, 'key_ceiling_reached']);
  now += 31 * DAY_MS;
  expect(await creditsOf(agent)).toMatchObject({ used_today: 0, remaining: FREE + 4, paid_remaining: 4 });
  expect((await verify(agent)).status).toBe(200);
  expect(await balance()).toMatchObject({ remaining: 96 });
  expect((await ask(`/api/v1/keys/${id}`, account.liveKey, undefined, 'DELETE')).status).toBe(204);
  expect(codeOf(await verify(agent))).toEqual([401, 'key_revoked']);
});

describe('a claimed agent', () => {
  it('a claimed agent without a ceiling spends nothing of the account, also once the last one is taken away', async () => {
    const agent = await claimed();
    expect(agent.ceilings).toBeNull();
    await useUpFreeCredits(agent);
    const refusal = { code: 'key_ceiling_reached', ceiling: 'credits_total', credits: 0, used: 0, resets_at: MIDNIGHT };
    expect((await verify(agent)).body).toMatchObject(refusal);
    expect((await submit(agent, 2)).body).toMatchObject({ ...refusal, required: 2 });
    await change(agent.id, { credits_total: 1 });
    expect((await verify(agent)).status).toBe(200);
    await change(agent.id, { credits_total: null });
    expect((await verify(agent)).body).toMatchObject(refusal);
    expect(await creditsOf(agent)).toMatchObject({ remaining: 0, paid_remaining: 0 });
    expect(await balance()).toMatchObject({ remaining: 99, reserved: 0 });
  });

  it('a claimed agent sends a batch beyond its free credits, which is paid from both and charged exactly', async () => {
    const agent = await claimed({ credits_total: 10 });
    for (let i = 0; i < 20; i++) await verify(agent);
    expect((await submit(agent, 16)).body).toMatchObject({ code: 'key_ceiling_reached', required: 16, used: 0 });
    expect(await creditsOf(agent)).toMatchObject({ used_today: 20, remaining: 15 });
    const { body } = await submit(agent, 12);
    await completed(agent, body.data.id);
    expect(await creditsOf(agent)).toMatchObject({ used_today: FREE, remaining: 3, paid_remaining: 3 });
    expect(await balance()).toMatchObject({ remaining: 93, reserved: 0, used_total: 7 });
    const { entries } = (await ask('/api/v1/credits/history', account.liveKey)).body;
    expect(entries[0]).toMatchObject({ kind: 'charge', amount: -7, batch_id: body.data.id, key_id: agent.id });
    const { usage } = (await ask('/api/v1/usage?by=key&from=2026-11-21&to=2026-11-21', account.liveKey)).body;
    expect(usage).toMatchObject([{ value: agent.id, items: 7, credits: 7 }]);
    expect(await sql('SELECT * FROM credit_reservations')).toEqual([]);
  });

  it('a claimed agent starts a batch that was held, which is then paid from both', async () => {
    const agent = await claimed({ credits_per_month: 10 });
    for (let i = 0; i < 23; i++) await verify(agent);
    const { quote, id } = (await submit(agent, 5, '?hold=true')).body.data;
    expect(quote).toMatchObject({ max_credits: 5, balance_after: 7 });
    await ask(`/api/v1/verify/batch/${id}/start`, agent.api_key, {});
    await completed(agent, id);
    expect(await creditsOf(agent)).toMatchObject({ used_today: FREE, paid_remaining: 7 });
    expect(await balance()).toMatchObject({ remaining: 97 });
  });

  it('a claimed agent is told when the account has too few credits, whatever the ceiling', async () => {
    account = await createFullAccount({ url: service.env.databaseUrl }, { credits: 1 });
    const agent = await claimed({ credits_total: 1_000 });
    await useUpFreeCredits(agent);
    const { body } = await submit(agent, 2);
    expect(body).toMatchObject({ code: 'credits_insufficient', required: 2, remaining: 1, resets_at: MIDNIGHT });
    expect(body).not.toHaveProperty('claim_url');
    expect((await verify(agent)).status).toBe(200);
    const { result } = await callTool(service, 'verify_email', { email: 'no address' }, { key: agent.api_key });
    expect(result).toMatchObject({ code: 'credits_insufficient', action: 'retry_later' });
    expect(result.next_step).toContain('add credits');
  });

  it('a claimed agent is refused while the account is suspended', async () => {
    const agent = await claimed({ credits_total: 1 });
    const key = await createAdminKey(service);
    const path = `/admin/v1/accounts/${account.accountId}`;
    await call(service, `${path}/suspend`, { key, body: { reason: 'unpaid' } });
    expect(codeOf(await verify(agent))).toEqual([403, 'account_suspended']);
    await call(service, `${path}/resume`, { key, method: 'POST' });
    expect((await verify(agent)).status).toBe(200);
  });

  it('a claimed agent is claimed with ceilings by no key that has some', async () => {
    const { api_key } = (await ask('/api/v1/keys', account.liveKey, { credits_total: 5 })).body;
    const { claim_token } = await registered();
    const claim = (body: object) => ask('/api/v1/claims', api_key, { claim_token, ...body });
    expect(codeOf(await claim({ credits_per_day: 1 }))).toEqual([403, 'ceiling_not_allowed']);
    expect(await claim({})).toMatchObject({ status: 201, body: { ceilings: null } });
  });
});

describe('a reservation in two parts', () => {
  /** The principal of the agent, with so many of its free credits left. */
  async function prepared(freeCredits: number) {
    const agent = await claimed({ credits_total: 50 });
    for (let i = freeCredits; i < FREE; i++) await verify(agent);
    return service.app.get(AccessService).authenticate(`Bearer ${agent.api_key}`, '127.0.0.1');
  }
  const credits = () => service.app.get(CreditsService);
  const inTransaction = <T>(work: (tx: DataSource['manager']) => Promise<T>) =>
    service.app.get(DataSource).transaction(work);
  const WANTED = { amountCredits: 10, purpose: 'batch', workMs: null } as const;
  const used = async (keyId: string) =>
    (await sql('SELECT c.* FROM key_ceilings c JOIN api_keys k ON k.ceiling_id = c.id WHERE k.id = $1', [keyId]))[0];

  it('a reservation in two parts charges the free part first, part by part, and gives back to the account first', async () => {
    const principal = await prepared(4);
    const reservation = await inTransaction((tx) => credits().reserveIn(tx, principal, WANTED));
    expect(reservation).toMatchObject({ source: 'split', amountCredits: 10 });
    expect(await balance()).toMatchObject({ remaining: 94, reserved: 6 });
    const part = (charged: number) => inTransaction((tx) => credits().settlePart(tx, reservation, charged));
    expect(await part(3)).toBe(true);
    expect(await balance()).toMatchObject({ remaining: 94, reserved: 6, used_total: 0 });
    expect(await part(3)).toBe(true);
    expect(await balance()).toMatchObject({ remaining: 94, reserved: 4, used_total: 2 });
    expect(await part(5)).toBe(false);
    expect(await inTransaction((tx) => credits().settleIn(tx, reservation, 1))).toBe(1);
    expect(await inTransaction((tx) => credits().settleIn(tx, reservation, 1))).toBe(0);
    expect(await balance()).toMatchObject({ remaining: 97, reserved: 0, used_total: 3 });
    expect(await used(principal.keyId)).toMatchObject({ used_total: 3, used_day: 3 });
  });

  it('a reservation in two parts gives back the free part too, when less is charged than it has', async () => {
    const principal = await prepared(4);
    const reservation = await inTransaction((tx) => credits().reserveIn(tx, principal, WANTED));
    await inTransaction((tx) => credits().settleIn(tx, reservation, 1));
    expect(await balance()).toMatchObject({ remaining: 100, reserved: 0, used_total: 0 });
    expect(await credits().getStatus(principal)).toMatchObject({ usedToday: 22, remaining: 53, paidRemaining: 50 });
  });

  it('a reservation in two parts is as if it had never been when its transaction fails, and refuses whole', async () => {
    const principal = await prepared(4);
    const failing = inTransaction(async (tx) => {
      await credits().reserveIn(tx, principal, WANTED);
      throw new Error('killed');
    });
    await expect(failing).rejects.toThrow('killed');
    const tooMuch = inTransaction((tx) => credits().reserveIn(tx, principal, { ...WANTED, amountCredits: 55 }));
    await expect(tooMuch).rejects.toMatchObject({ code: 'key_ceiling_reached', details: { body: { required: 55 } } });
    expect(await balance()).toMatchObject({ remaining: 100, reserved: 0 });
    expect(await credits().getStatus(principal)).toMatchObject({ usedToday: 21 });
  });

  it('a reservation in two parts is paid as a whole where the pool of all agents has run out', async () => {
    const principal = await prepared(4);
    await sql(`UPDATE agent_daily_pool SET capacity = used WHERE utc_date = '2026-11-21'`);
    try {
      const reservation = await inTransaction((tx) => credits().reserveIn(tx, principal, WANTED));
      expect(reservation.source).toBe('balance');
      await credits().release(reservation);
    } finally {
      await sql(`UPDATE agent_daily_pool SET capacity = NULL`);
    }
  });

  it('a reservation in two parts without a ceiling is refused as every agent is where the pool has run out', async () => {
    const agent = await claimed();
    await verify(agent);
    await sql(`UPDATE agent_daily_pool SET capacity = used WHERE utc_date = '2026-11-21'`);
    try {
      expect(codeOf(await verify(agent))).toEqual([429, 'daily_capacity_exhausted']);
    } finally {
      await sql(`UPDATE agent_daily_pool SET capacity = NULL`);
    }
  });

  it('a reservation in two parts never waits in a circle with others that reserve and settle', async () => {
    const principals = await Promise.all([prepared(5), prepared(5), prepared(5)]);
    const work = async (i: number) => {
      const principal = principals[i % 3]!;
      const reservation = await inTransaction((tx) =>
        credits().reserveIn(tx, principal, { ...WANTED, amountCredits: 7 }),
      ).catch((error: { code?: string }) => {
        expect(['key_ceiling_reached', 'credits_insufficient']).toContain(error.code);
        return null;
      });
      if (reservation === null) return;
      await inTransaction(async (tx) => {
        await credits().settlePart(tx, reservation, 2);
        await credits().settleIn(tx, reservation, i % 2);
      });
    };
    await Promise.all(Array.from({ length: 60 }, (_, i) => work(i)));
    expect((await service.app.get(CreditsAudit).run()).differingCeilings).toEqual([]);
    expect(await sql('SELECT * FROM credit_reservations')).toEqual([]);
  });
});

it('after all this every balance and every ceiling is what the ledger says', async () => {
  expect(await service.app.get(CreditsAudit).run()).toMatchObject({ differing: [], differingCeilings: [] });
});
