import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/lib/durations.js';
import { BatchCleanup } from '../../src/batch/upkeep/batch-cleanup.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { tablesWith } from '../support/batches.js';
import { call, register, type Reply } from '../support/call.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { callTool } from '../support/mcp.js';
import { startService, type TestService } from '../support/service.js';
import { bodyOnce, isCompleted } from '../support/next-look.js';

const BATCHES = '/api/v1/verify/batch';
const PEOPLE = '/api/v1/finder/batch';

let dns: DnsServer;
let service: TestService;
let account: FullAccount;
let later = 0;

beforeAll(async () => {
  dns = await startDnsServer({ zones: {} });
  service = await startService({
    env: { dnsServers: [dns.address], registrationsPerHour: 1000 },
    clock: { now: () => Date.now() + later },
  });
});

beforeEach(async () => {
  later = 0;
  account = await createFullAccount({ url: service.env.databaseUrl }, { credits: 50 });
});

afterAll(async () => {
  await service.close();
  await dns.close();
});

const sql = <T = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<T[]> =>
  service.app.get(DataSource).query(text, values);

const ask = (path: string, options: object = {}): Promise<Reply> =>
  call(service, path, { key: account.liveKey, ...options });
const hold = (emails: readonly string[], key = account.liveKey): Promise<Reply> =>
  call(service, `${BATCHES}?hold=true`, { key, body: { emails } });
const start = (id: number, options: object = {}): Promise<Reply> =>
  ask(`${BATCHES}/${id}/start`, { method: 'POST', ...options });
const remove = (id: number): Promise<Reply> => ask(`${BATCHES}/${id}`, { method: 'DELETE' });
const cleanUp = (): Promise<number> => service.app.get(BatchCleanup).deleteExpired();

/** Of a domain that never resolves, so that nobody is asked and each costs a credit at once. */
const nowhere = (count: number): string[] => Array.from({ length: count }, (_, i) => `u${i}@nowhere.invalid`);

async function heldId(count = 2): Promise<number> {
  return (await hold(nowhere(count))).body.id;
}

const balance = async () =>
  (
    await sql('SELECT available::integer, reserved::integer FROM credit_balances WHERE account_id = $1', [
      account.accountId,
    ])
  )[0];

const completed = (path: string) => bodyOnce(() => ask(path), isCompleted);

/** Runs `work` while every act waits to be written down, with all else of its transaction done. */
async function whileActsWait(work: (waiting: () => Promise<void>) => Promise<void>): Promise<void> {
  const blocker = service.app.get(DataSource).createQueryRunner();
  await blocker.startTransaction();
  try {
    await blocker.query('LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE');
    await work(async () => {
      await expect.poll(() => sql(WAITING)).toHaveLength(1);
    });
  } finally {
    await blocker.rollbackTransaction();
    await blocker.release();
  }
}

const WAITING = `
  SELECT pid FROM pg_stat_activity
   WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO audit_log%'`;

describe('a held batch', () => {
  it('a held batch is taken in, counted and not reserved, and nothing of it is done', async () => {
    const { status, body } = await hold(['jane@example.com', 'Jane@EXAMPLE.com', 'jane@example.com', 'x', 'x', 'y']);
    expect(status).toBe(201);
    const quote = {
      rows: 6,
      unique_emails: 4,
      duplicates: 2,
      malformed: 2,
      reusable: 0,
      max_credits: 2,
      balance_after: 48,
    };
    expect(body).toMatchObject({ status: 'held', total_emails: 6, unique_emails: 4, quote });
    expect(await balance()).toEqual({ available: 50, reserved: 0 });
    const { body: state } = await ask(`${BATCHES}/${body.id}`);
    expect(state).toMatchObject({ status: 'held', quote, processed: 0, credits_reserved: 0, started_at: null });
    expect((await ask(BATCHES)).body.batches).toEqual([state]);
    expect((await ask('/api/v1/lists')).body.lists).toEqual([]);
    const results = await ask(`${BATCHES}/${body.id}/results`);
    expect([results.status, results.body.code, results.headers.get('retry-after')]).toEqual([
      409,
      'batch_not_finished',
      null,
    ]);
    const leased = await sql('SELECT FROM batch_chunks WHERE batch_id = $1 AND attempts > 0', [body.id]);
    expect(leased).toEqual([]);
  });

  it('a held batch is asked for in the query alone: a body that asks for it is refused, so that nobody is charged who waits for the price', async () => {
    const emails = ['jane@example.com'];
    const form = new FormData();
    form.set('hold', 'true');
    form.set('file', new Blob(['jane@example.com\n'], { type: 'text/plain' }), 'list.txt');
    const headers = { authorization: `Bearer ${account.liveKey}` };
    const sent = await fetch(service.url + BATCHES, { method: 'POST', headers, body: form });
    expect([sent.status, await sent.json()]).toMatchObject([
      422,
      { code: 'invalid_input', fields: [{ field: 'hold' }] },
    ]);
    for (const hold of [true, 'true', 1, {}])
      expect((await ask(BATCHES, { body: { emails, hold } })).body.fields, JSON.stringify(hold)).toMatchObject([
        { field: 'hold' },
      ]);
    const people = [{ name: 'Jane Doe', domain: 'example.com' }];
    expect((await ask('/api/v1/finder/batch', { body: { people, hold: true } })).body.code).toBe('invalid_input');
    expect(await balance()).toEqual({ available: 50, reserved: 0 });
    expect((await ask(BATCHES, { body: { emails, hold: false } })).status).toBe(201);
  });

  it('a held batch is reserved and worked on when it is started', async () => {
    const id = await heldId(3);
    const { status, body } = await start(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, status: 'queued', quote: null, credits_reserved: 3, completed_at: null });
    expect(await completed(`${BATCHES}/${id}`)).toMatchObject({ credits_charged: 3, counts: { invalid: 3 } });
    expect(await balance()).toEqual({ available: 47, reserved: 0 });
  });

  it('a held batch of many chunks is taken in and started like a small one', async () => {
    const emails = [...nowhere(1500), ...nowhere(1500)];
    const { body } = await hold(emails, account.testKey);
    expect(body.quote).toMatchObject({ rows: 3000, unique_emails: 1500, malformed: 0, max_credits: 1500 });
    // Nothing is taken of what a test key sees.
    expect(body.quote.balance_after).toBe(50);
    const key = account.testKey;
    expect((await start(body.id, { key })).status).toBe(200);
    const state = async () => (await ask(`${BATCHES}/${body.id}`, { key })).body;
    await expect.poll(async () => (await state()).status).toBe('completed');
    expect((await state()).counts.invalid).toBe(3000);
  });

  it('a held batch of people is counted and started, too', async () => {
    const people = ['example.com', 'example.com', 'no domain'].map((domain) => ({ full_name: 'Jane Doe', domain }));
    const { body } = await ask(`${PEOPLE}?hold=true`, { body: { people } });
    expect(body).toMatchObject({ status: 'held', total_people: 3, unique_people: 2 });
    const quote = { rows: 3, unique_people: 2, duplicates: 1, malformed: 1, reusable: 0, max_credits: 1 };
    expect(body.quote).toEqual({ ...quote, balance_after: 49 });
    expect((await start(body.id)).body.code).toBe('batch_not_found');
    const started = await ask(`${PEOPLE}/${body.id}/start`, { method: 'POST' });
    expect(started.body).toMatchObject({ status: 'queued', credits_reserved: 1, quote: null });
  });

  it('a held batch of an agent has its quote in the data of the reply', async () => {
    const key = await register(service);
    const { body } = await hold(['x', 'y'], key);
    expect(Object.keys(body.data)).toEqual(['id', 'status', 'total_emails', 'quote']);
    expect(body.data.quote).toMatchObject({ max_credits: 2, balance_after: 23 });
    const { body: started } = await start(body.data.id, { key });
    expect(started).toMatchObject({ success: true, data: { status: 'queued', credits_reserved: 2 } });
  });

  it('a held batch is told to a model with what to do', async () => {
    const asked = { batch_id: await heldId() };
    const { result } = await callTool(service, 'get_batch_status', asked, { key: account.liveKey });
    expect(result).toMatchObject({ status: 'held', action: 'none', next_step: expect.stringContaining('/start') });
  });

  it('a held batch whose price is not there says how much is missing, and stays held when it is started', async () => {
    const { body } = await hold(nowhere(60));
    expect(body.quote).toMatchObject({ max_credits: 60, balance_after: -10 });
    const refused = await start(body.id);
    expect([refused.status, refused.body]).toMatchObject([402, { code: 'credits_insufficient', required: 60 }]);
    expect((await ask(`${BATCHES}/${body.id}`)).body.status).toBe('held');
    expect(await balance()).toEqual({ available: 50, reserved: 0 });
  });

  it('a held batch is started for no more than its owner allows', async () => {
    const id = await heldId(3);
    const refused = await start(id, { body: { max_credits: 2 } });
    expect([refused.status, refused.body]).toMatchObject([402, { code: 'ceiling_reached', required: 3 }]);
    expect(await balance()).toEqual({ available: 50, reserved: 0 });
    expect((await start(id, { body: { max_credits: -1 } })).status).toBe(422);
    expect((await start(id, { body: { max_credits: 3 } })).body.status).toBe('queued');
    const taken = await ask(`${BATCHES}?hold=true`, { body: { emails: nowhere(2), max_credits: 1 } });
    expect(taken.body.code).toBe('ceiling_reached');
  });

  it('a held batch is deleted with every address by a DELETE, for nothing', async () => {
    const { body } = await hold(['delete.me.soon@example.com']);
    expect((await remove(body.id)).body).toEqual({ id: body.id, deleted: true });
    expect(await tablesWith(service.env.databaseUrl, 'delete.me.soon')).toEqual([]);
    expect((await start(body.id)).body.code).toBe('batch_not_found');
    expect(await balance()).toEqual({ available: 50, reserved: 0 });
  });

  it('a held batch is deleted after 24 hours, and is not started from then on', async () => {
    const { body } = await hold(['forget.me.soon@example.com']);
    later = DAY_MS - 60_000;
    await cleanUp();
    expect((await ask(`${BATCHES}/${body.id}`)).body.status).toBe('held');
    later = DAY_MS;
    expect((await start(body.id)).body.code).toBe('batch_not_found');
    await cleanUp();
    expect(await tablesWith(service.env.databaseUrl, 'forget.me.soon')).toEqual([]);
    expect((await ask(`${BATCHES}/${body.id}`)).status).toBe(404);
  });

  it('a held batch that was started is kept for its retention', async () => {
    const id = await heldId();
    await start(id);
    await completed(`${BATCHES}/${id}`);
    later = 2 * DAY_MS;
    await cleanUp();
    expect((await ask(`${BATCHES}/${id}`)).body.status).toBe('completed');
  });

  it.each(['yes', '1', ''])('a held batch is asked for by true alone, not by "%s"', async (value) => {
    const { status, body } = await ask(`${BATCHES}?hold=${value}`, { body: { emails: ['x'] } });
    expect([status, body.fields?.[0]?.field]).toEqual([422, 'hold']);
    expect((await ask(`${BATCHES}?hold=false`, { body: { emails: ['x'] } })).body.status).toBe('queued');
  });
});

describe('starting a held batch', () => {
  it('a second time is refused, and with its idempotency key it gets the first reply', async () => {
    const id = await heldId();
    const options = { headers: { 'idempotency-key': randomUUID() } };
    const [first, second] = [await start(id, options), await start(id, options)];
    expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    const third = await start(id);
    expect([third.status, third.body.code]).toEqual([409, 'batch_not_held']);
    expect(await sql(RESERVED, [account.accountId])).toHaveLength(1);
  });

  it('many times at once reserves its credits once', async () => {
    const id = await heldId();
    const replies = await Promise.all(Array.from({ length: 8 }, () => start(id)));
    const codes = replies.map(({ status, body }) => (status === 200 ? 'started' : (body.code as string))).sort();
    expect(codes).toEqual([...Array.from({ length: 7 }, () => 'batch_not_held'), 'started']);
    expect(await sql(RESERVED, [account.accountId])).toHaveLength(1);
  });

  it('starting a held batch while it is deleted either begins it, which is then cancelled, or finds nothing', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await heldId();
      const [started, removed] = await Promise.all([start(id), remove(id)]);
      expect(removed.status).toBe(200);
      if (started.status === 200) expect(removed.body.status ?? 'deleted').not.toBe('held');
      else expect([started.body.code, removed.body]).toEqual(['batch_not_found', { id, deleted: true }]);
      await expect.poll(balance).toMatchObject({ reserved: 0 });
    }
  });

  it('starting a held batch wins over the cleanup that comes while it reserves', async () => {
    const id = await heldId();
    let started: Promise<Reply>;
    await whileActsWait(async (waiting) => {
      started = start(id);
      await waiting();
      later = DAY_MS;
      await cleanUp();
    });
    expect((await started!).status).toBe(200);
    expect(await completed(`${BATCHES}/${id}`)).toMatchObject({ credits_charged: 2 });
  });

  it('starting a held batch waits for a cleanup that was there first, and finds nothing', async () => {
    const id = await heldId();
    const cleanup = service.app.get(DataSource).createQueryRunner();
    await cleanup.startTransaction();
    await cleanup.query('DELETE FROM batches WHERE id = $1', [id]);
    const started = start(id);
    await expect
      .poll(() =>
        sql(`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`),
      )
      .toHaveLength(1);
    await cleanup.commitTransaction();
    await cleanup.release();
    expect((await started).body.code).toBe('batch_not_found');
    expect(await balance()).toEqual({ available: 50, reserved: 0 });
  });

  it('starting a held batch that is killed in between has reserved nothing, and is done by the next one', async () => {
    const id = await heldId();
    await whileActsWait(async (waiting) => {
      const killed = start(id);
      await waiting();
      await sql(WAITING.replace('SELECT pid', 'SELECT pg_terminate_backend(pid)'));
      expect((await killed).body.code).toBe('unavailable');
    });
    expect((await ask(`${BATCHES}/${id}`)).body.status).toBe('held');
    expect(await balance()).toEqual({ available: 50, reserved: 0 });
    expect((await start(id)).status).toBe(200);
    expect(await completed(`${BATCHES}/${id}`)).toMatchObject({ credits_charged: 2 });
  });
});

const RESERVED = `SELECT number FROM credit_ledger WHERE account_id = $1 AND kind = 'reserve'`;

describe('what an account holds', () => {
  it('what an account holds is ten batches at most in each mode, however many come at once', async () => {
    const replies = await Promise.all(Array.from({ length: 14 }, (_, i) => hold([`x${i}`])));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
    for (const { status, body } of replies) if (status !== 201) expect(body.code).toBe('too_many_held');
    expect((await hold(['x'], account.testKey)).status).toBe(201);
    const { id } = replies.find(({ status }) => status === 201)!.body;
    await remove(id);
    expect((await hold(['x'])).status).toBe(201);
    expect(
      await sql('SELECT id FROM batches WHERE account_id = $1 AND NOT simulated', [account.accountId]),
    ).toHaveLength(10);
  });

  it('what an account holds is a million rows at most', async () => {
    const id = await heldId();
    await sql('UPDATE batches SET total_rows = 999999 WHERE id = $1', [id]);
    expect((await hold(['x', 'y'])).body.code).toBe('too_many_held');
    expect((await hold(['x'])).status).toBe(201);
    expect((await ask(BATCHES, { body: { emails: ['x', 'y'] } })).status).toBe(201);
  });
});
