import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/lib/durations.js';
import { BatchCleanup } from '../../src/batch/upkeep/batch-cleanup.js';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { ListScheduler } from '../../src/lists/list-runs.service.js';
import { ErasureWork } from '../../src/privacy/erasure-work.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase, tablesWith } from '../support/batches.js';
import { call } from '../support/call.js';
import { startMailService } from '../support/mail-service.js';
import { startScriptedSmtpServer } from '../support/scripted-smtp-server.js';
import type { TestService } from '../support/service.js';
import { startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';

const time = { later: 0, now: () => Date.now() + time.later };
const gone = new Set<string>();
const asked: string[] = [];
let service: TestService;
let sink: WebhookSink;
let account: FullAccount;

beforeAll(async () => {
  sink = await startWebhookSink();
  service = await startMailService({
    host: startScriptedSmtpServer({
      onLine: (line) => {
        const address = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1];
        if (address === undefined) return undefined;
        asked.push(address);
        return address.startsWith('ok') && !gone.has(address) ? undefined : '550 5.1.1 User unknown';
      },
    }),
    clock: time,
    env: TO_LOOPBACK,
  });
  // Tests say themselves when somebody looks.
  await service.app.get(ListScheduler).onModuleDestroy();
});

afterAll(async () => {
  await service.close();
  await sink.close();
});

beforeEach(async () => {
  gone.clear();
  asked.length = 0;
  // The lists of other tests are verified no more.
  await onDatabase(service.env.databaseUrl, 'UPDATE list_schedules SET enabled = false');
  account = await createFullAccount({ url: service.env.databaseUrl }, { credits: 100 });
});

const ask = (path: string, options: Parameters<typeof call>[2] = {}) =>
  call(service, `/api/v1${path}`, { key: account.liveKey, ...options });
const statusOf = async (id: number) => (await ask(`/verify/batch/${id}`)).body;
const scheduleOf = async (list: number) => (await ask(`/lists/${list}/schedule`)).body;
const schedule = (list: number, body: object) => ask(`/lists/${list}/schedule`, { body });
const look = () => service.app.get(ListScheduler).run();
const query = (sql: string, values: unknown[] = []) => onDatabase(service.env.databaseUrl, sql, values);

async function listOf(emails: readonly string[], more: object = {}): Promise<number> {
  const { body } = await ask('/verify/batch', { body: { emails, name: 'Guests', ...more } });
  await expect.poll(async () => (await statusOf(body.id)).status).toBe('completed');
  return body.id as number;
}

/** Lets the time of the next run come and the run begin. @returns its batch */
async function runOf(list: number): Promise<number> {
  time.later += Date.parse((await scheduleOf(list)).next_run_at) - time.now() + 1_000;
  await look();
  return (await scheduleOf(list)).last_run.batch_id as number;
}

async function endOf(list: number): Promise<void> {
  const batch = (await scheduleOf(list)).last_run.batch_id as number;
  await expect.poll(async () => (await statusOf(batch)).status).toBe('completed');
  await look();
}

const EMAILS = ['ok.a@one.example.com', 'ok.b@one.example.com', 'ok.A@ONE.example.com', 'no.c@two.example.com'];

describe('a scheduled list', () => {
  // The first test: the engine tells the real time, and before the clock is moved no verdict is older than its batch.
  it('a scheduled list asks only about the verdicts that it wants, and gives the others again for nothing', async () => {
    const list = await listOf(EMAILS);
    await schedule(list, { every_days: 1, verdicts: ['invalid'] });
    asked.length = 0;
    const batch = await runOf(list);
    await endOf(list);
    expect(asked.filter((address) => address.startsWith('ok'))).toEqual([]);
    expect(asked).toContain('no.c@two.example.com');
    expect(await statusOf(batch)).toMatchObject({ reused: 3, credits_charged: 1, counts: { valid: 3, invalid: 1 } });
    await schedule(list, { every_days: 1, verdicts: ['invalid'], reuse_days: 30 });
    const free = await runOf(list);
    await endOf(list);
    expect(await statusOf(free)).toMatchObject({ reused: 4, credits_charged: 0, credits_reserved: 0 });
    expect((await service.app.get(CreditsAudit).run()).differing).toEqual([]);
  });

  it('a scheduled list stands among all schedules of its account in its mode, the next one to run first and those switched off last', async () => {
    const [monthly, off, weekly] = [await listOf(EMAILS), await listOf(EMAILS), await listOf(EMAILS)];
    await schedule(monthly, { every_days: 30 });
    await schedule(off, { every_days: 1, enabled: false });
    await schedule(weekly, { every_days: 7 });
    const { body } = await ask('/schedules');
    expect(body.schedules.map(({ list_id }: { list_id: number }) => list_id)).toEqual([weekly, monthly, off]);
    expect(body.schedules[0]).toEqual({ ...(await scheduleOf(weekly)), name: 'Guests' });
    expect((await ask('/schedules', { key: account.testKey })).body).toEqual({ schedules: [] });
    const { liveKey } = await createFullAccount({ url: service.env.databaseUrl });
    expect((await ask('/schedules', { key: liveKey })).body).toEqual({ schedules: [] });
  });

  it('a scheduled list is verified again in turn, is told what has changed, and has the newest verdicts under its own id', async () => {
    await ask('/webhooks', { body: { url: sink.url(), events: ['list.changed'] } });
    await expect.poll(() => sink.received.length).toBeGreaterThan(0);
    const list = await listOf(EMAILS);
    const set = await schedule(list, { every_days: 7 });
    expect(set.body).toMatchObject({ list_id: list, every_days: 7, enabled: true, last_run: null, verdicts: null });
    const firstIn = Date.parse(set.body.next_run_at) - time.now();
    expect(firstIn).toBeGreaterThan(7 * DAY_MS - 60_000);
    expect(firstIn).toBeLessThan(7 * DAY_MS + 3_660_000);
    await look();
    expect((await scheduleOf(list)).last_run).toBeNull();
    expect((await ask(`/lists/${list}/changes`)).body).toEqual({
      list_id: list,
      batch_id: null,
      pending: false,
      changes: [],
      next_cursor: null,
    });

    gone.add('ok.b@one.example.com');
    const batch = await runOf(list);
    expect((await scheduleOf(list)).last_run).toMatchObject({ status: 'running', batch_id: batch, changed: null });
    expect(await statusOf(batch)).toMatchObject({ list_id: list, name: 'Guests', total_emails: 4, unique_emails: 4 });
    await expect.poll(async () => (await statusOf(batch)).status).toBe('completed');
    const uncompared = { list_id: list, batch_id: batch, pending: true, changes: [], next_cursor: null };
    expect((await ask(`/lists/${list}/changes`)).body).toEqual(uncompared);
    await look();
    expect((await scheduleOf(list)).last_run).toMatchObject({ status: 'completed', batch_id: batch, changed: 1 });

    const change = {
      email: 'ok.b@one.example.com',
      before: { verdict: 'valid', reason: 'mailbox_exists' },
      after: { verdict: 'invalid', reason: 'mailbox_not_found' },
    };
    expect((await ask(`/lists/${list}/changes`)).body).toEqual({
      list_id: list,
      batch_id: batch,
      pending: false,
      changes: [change],
      next_cursor: null,
    });
    expect((await ask(`/lists/${list}/changes?cursor=nonsense`)).body.fields[0].field).toBe('cursor');
    const { body } = await ask(`/lists/${list}`);
    expect(body).toMatchObject({ id: list, batch_id: batch, expires_at: null, counts: { valid: 2, invalid: 2 } });
    expect(body.results.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
      'valid',
      'invalid',
      'valid',
      'invalid',
    ]);
    const { body: lists } = await ask('/lists');
    expect(lists.lists.map(({ id }: { id: number }) => id)).toEqual([list]);
    expect((await ask(`/lists/${batch}`)).status).toBe(404);

    const told = () => sink.received.filter(({ body: { type } }) => type === 'list.changed');
    await expect.poll(told).toHaveLength(1);
    const event = told()[0]!.body;
    expect(event.data).toMatchObject({
      list_id: list,
      batch_id: batch,
      previous_batch_id: list,
      changed: 1,
      counts: { valid: 2, invalid: 2 },
      changes: [change],
    });
    expect(event.data.changes_url).toMatch(`/api/v1/lists/${list}/changes`);
    expect((await service.app.get(CreditsAudit).run()).differing).toEqual([]);
  });

  it('a scheduled list that nothing has changed in tells no event, and is compared with the version before', async () => {
    const list = await listOf(EMAILS);
    await schedule(list, { every_days: 1 });
    gone.add('ok.a@one.example.com');
    gone.add('ok.b@one.example.com');
    const first = await runOf(list);
    await endOf(list);
    const { body: page } = await ask(`/lists/${list}/changes?limit=1`);
    expect([page.changes.length, page.batch_id]).toEqual([1, first]);
    const { body: next } = await ask(`/lists/${list}/changes?limit=1&cursor=${page.next_cursor}`);
    expect([next.changes.length, next.next_cursor]).toEqual([1, null]);
    expect(next.changes[0].email).not.toBe(page.changes[0].email);
    const other = await listOf(['ok.d@one.example.com']);
    expect((await ask(`/lists/${other}/changes?cursor=${page.next_cursor}`)).status).toBe(422);
    const second = await runOf(list);
    await endOf(list);
    expect((await scheduleOf(list)).last_run).toMatchObject({ batch_id: second, changed: 0, status: 'completed' });
    expect((await ask(`/lists/${list}`)).body.batch_id).toBe(second);
    const kept = await query('SELECT id, expires_at IS NULL AS protected FROM batches WHERE id = ANY ($1) ORDER BY 1', [
      [list, first, second],
    ]);
    expect(Object.fromEntries(kept.map((row) => [row['id'], row['protected']]))).toEqual({
      [list]: true,
      [first]: false,
      [second]: true,
    });
  });

  it('a scheduled list skips a run that the balance or its ceiling does not allow, says so, and tries the next time', async () => {
    const list = await listOf(EMAILS);
    await schedule(list, { every_days: 1, max_credits: 3 });
    expect(await runOf(list)).toBeNull();
    const { last_run, next_run_at } = await scheduleOf(list);
    expect(last_run).toMatchObject({ status: 'skipped', reason: 'ceiling_reached', batch_id: null });
    expect(Date.parse(next_run_at) - time.now()).toBeGreaterThan(0);
    await schedule(list, { every_days: 1 });
    await query('UPDATE credit_balances SET available = 0 WHERE account_id = $1', [account.accountId]);
    expect(await runOf(list)).toBeNull();
    expect((await scheduleOf(list)).last_run).toMatchObject({ status: 'skipped', reason: 'credits_insufficient' });
    await query('UPDATE credit_balances SET available = 96 WHERE account_id = $1', [account.accountId]);
    expect(await runOf(list)).not.toBeNull();
    await endOf(list);
    expect((await scheduleOf(list)).last_run).toMatchObject({ status: 'completed', changed: 0 });
  });

  describe('of a key', () => {
    const keys = async (path: string, options: Parameters<typeof call>[2]) => (await ask(`/keys${path}`, options)).body;
    const make = (body: object) => keys('', { body: { name: 'Shop', ...body } });
    const lastOf = async (list: number) => (await scheduleOf(list)).last_run;
    /** @returns a list of the account whose schedule this key has set */
    const scheduledBy = async (key: string) => {
      const list = await listOf(['ok.a@one.example.com']);
      expect((await ask(`/lists/${list}/schedule`, { body: { every_days: 1 }, key })).status).toBe(200);
      return list;
    };

    it.each([
      ['was revoked', 'key_revoked', (id: string) => keys(`/${id}`, { method: 'DELETE' })],
      [
        'lost a permission',
        'permission_missing',
        (id: string) => keys(`/${id}`, { method: 'PATCH', body: { permissions: ['lists'] } }),
      ],
      ['has expired', 'key_expired', () => undefined],
    ])(
      'a scheduled list of a key that %s has its run skipped, costs nothing, and runs for the key that sets it again',
      async (_, reason, end) => {
        const expires_at = reason === 'key_expired' ? new Date(time.now() + DAY_MS).toISOString() : null;
        const { id, api_key } = await make({ expires_at });
        const list = await scheduledBy(api_key);
        await end(id);
        const { remaining } = (await ask('/credits')).body;
        expect(await runOf(list)).toBeNull();
        expect(await lastOf(list)).toMatchObject({ status: 'skipped', reason, batch_id: null });
        expect(await runOf(list)).toBeNull();
        expect((await ask('/credits')).body).toMatchObject({ remaining, reserved: 0 });
        await schedule(list, { every_days: 1 });
        expect(await runOf(list)).not.toBeNull();
        await endOf(list);
      },
    );

    it('a scheduled list of a key that was rotated, twice even, runs for its newest successor, until that one is revoked', async () => {
      const old = await make({});
      const list = await scheduledBy(old.api_key);
      const rotate = (id: string, body: object) => keys(`/${id}/rotate`, { body });
      const between = await rotate(old.id, { grace_seconds: 0 });
      const newest = await rotate(between.id, { grace_seconds: 3_600 });
      const run = await runOf(list);
      expect(await query('SELECT key_id FROM batches WHERE id = $1', [run])).toEqual([{ key_id: newest.id }]);
      await endOf(list);
      await keys(`/${newest.id}`, { method: 'DELETE' });
      expect(await runOf(list)).toBeNull();
      expect(await lastOf(list)).toMatchObject({ status: 'skipped', reason: 'key_revoked' });
    });
  });

  it('a scheduled list is reached behind more lists than one look reads, none of which can run, and those are put off', async () => {
    const list = await listOf(['ok.a@one.example.com']);
    await schedule(list, { every_days: 1 });
    const due = new Date(time.now() - DAY_MS);
    const numbers = [account.accountId, 1_001, 1_045];
    await query(
      `INSERT INTO batches (id, account_id, key_id, policy, simulated, state, retention_days, created_at, finished_at)
       SELECT number, $1, gen_random_uuid(), 'scale', false, 'completed', 1, now(), now() FROM generate_series($2::int, $3) AS number`,
      numbers,
    );
    await query(
      `INSERT INTO list_schedules (list_id, account_id, simulated, key_id, every_days, reuse_days, enabled, created_at, next_run_at)
       SELECT number, $1, false, key.id, 1, 0, true, now(), $4
         FROM generate_series($2::int, $3) AS number, api_keys AS key WHERE key.account_id = $1 AND key.kind = 'live'`,
      [...numbers, due],
    );
    // A fault of ours: none of these can be queued.
    await query(
      'ALTER TABLE batches ADD CONSTRAINT fault CHECK (list_id IS NULL OR list_id NOT BETWEEN 1001 AND 1045) NOT VALID',
    );
    const began = Date.parse((await scheduleOf(list)).next_run_at);
    expect(await runOf(list)).not.toBeNull();
    const waiting = await query('SELECT next_run_at FROM list_schedules WHERE list_id BETWEEN 1001 AND 1045');
    expect(waiting).toHaveLength(45);
    for (const { next_run_at } of waiting) expect(+new Date(next_run_at as string)).toBeGreaterThan(began + 600_000);
    await query('ALTER TABLE batches DROP CONSTRAINT fault');
    await query('DELETE FROM list_schedules WHERE list_id BETWEEN 1001 AND 1045');
    await endOf(list);
  });

  it('a scheduled list runs once, however many processes look, and once for all the turns that nobody saw', async () => {
    const list = await listOf(EMAILS);
    await schedule(list, { every_days: 1 });
    time.later += 10 * DAY_MS;
    await Promise.all([look(), look(), look()]);
    await endOf(list);
    await Promise.all([look(), look()]);
    const versions = await query('SELECT id FROM batches WHERE list_id = $1', [list]);
    expect(versions).toHaveLength(1);
    const next = Date.parse((await scheduleOf(list)).next_run_at) - time.now();
    expect(next).toBeGreaterThan(0);
    expect(next).toBeLessThanOrEqual(DAY_MS + 3_600_000);
    expect((await query('SELECT count(*)::integer AS count FROM credit_reservations'))[0]).toEqual({ count: 0 });
  });

  it('a scheduled list does not expire while it is enabled, and does so its retention after that ends', async () => {
    const list = await listOf(EMAILS, { retention_days: 2 });
    await schedule(list, { every_days: 30 });
    time.later += 10 * DAY_MS;
    await service.app.get(BatchCleanup).deleteExpired();
    expect((await ask(`/lists/${list}`)).body.expires_at).toBeNull();
    expect((await schedule(list, { every_days: 30, enabled: false })).body).toMatchObject({
      enabled: false,
      next_run_at: null,
    });
    const days = (Date.parse((await ask(`/lists/${list}`)).body.expires_at) - time.now()) / DAY_MS;
    expect(days).toBeCloseTo(2, 2);
    await schedule(list, { every_days: 30 });
    expect((await ask(`/lists/${list}`)).body.expires_at).toBeNull();
    expect((await ask(`/lists/${list}/schedule`, { method: 'DELETE' })).status).toBe(204);
    expect((await ask(`/lists/${list}/schedule`)).body.code).toBe('schedule_not_found');
    time.later += 2 * DAY_MS + 1_000;
    await service.app.get(BatchCleanup).deleteExpired();
    expect((await ask(`/lists/${list}`)).status).toBe(404);
  });

  it('a scheduled list is deleted with every version, one that runs included, and leaves no address and no credit behind', async () => {
    const list = await listOf(['ok.needle88@one.example.com', 'ok.other@one.example.com']);
    await schedule(list, { every_days: 1 });
    gone.add('ok.needle88@one.example.com');
    await runOf(list);
    await endOf(list);
    const running = await runOf(list);
    expect((await ask(`/lists/${list}`, { method: 'DELETE' })).status).toBe(204);
    expect((await ask(`/verify/batch/${running}`)).status).toBe(404);
    await look();
    expect(await tablesWith(service.env.databaseUrl, 'needle88')).toEqual([]);
    expect(await query('SELECT 1 FROM list_schedules WHERE list_id = $1', [list])).toEqual([]);
    const { body: credits } = await ask('/credits');
    expect(credits.reserved).toBe(0);
    expect((await service.app.get(CreditsAudit).run()).differing).toEqual([]);
  });

  it('a scheduled list asks no more about an address that was erased, and has it in no later version', async () => {
    const list = await listOf(['ok.needle99@one.example.com', 'ok.other@one.example.com', 'no.third@one.example.com']);
    await schedule(list, { every_days: 1 });
    const running = await runOf(list);
    await ask('/erasures', { body: { email: 'ok.needle99@one.example.com' } });
    await expect.poll(async () => (await statusOf(running)).status).toBe('completed');
    await look();
    const erased = async () => {
      time.later += 60_000;
      await service.app.get(ErasureWork).run();
      return tablesWith(service.env.databaseUrl, 'needle99');
    };
    await expect.poll(erased).toEqual([]);
    asked.length = 0;
    const batch = await runOf(list);
    await endOf(list);
    expect(asked.length).toBeGreaterThan(0);
    expect(await statusOf(batch)).toMatchObject({ credits_charged: 2, reused: 1, counts: { valid: 2, invalid: 1 } });
    expect((await scheduleOf(list)).last_run).toMatchObject({ status: 'completed', changed: 0 });
    expect(await tablesWith(service.env.databaseUrl, 'needle99')).toEqual([]);
  });

  it('a scheduled list that is to be erased is erased in a version that began from it meanwhile', async () => {
    const list = await listOf(['ok.needle66@one.example.com', 'ok.other@one.example.com']);
    await schedule(list, { every_days: 1 });
    await ask('/erasures', { body: { email: 'ok.needle66@one.example.com' } });
    await runOf(list);
    await endOf(list);
    const erased = async () => {
      time.later += 60_000;
      await service.app.get(ErasureWork).run();
      return tablesWith(service.env.databaseUrl, 'needle66');
    };
    await expect.poll(erased).toEqual([]);
  });

  it('a scheduled list goes on from the list itself when somebody has deleted a version, and says when a run was cancelled', async () => {
    const list = await listOf(EMAILS);
    await schedule(list, { every_days: 1 });
    gone.add('ok.a@one.example.com');
    const first = await runOf(list);
    await endOf(list);
    await ask(`/verify/batch/${first}`, { method: 'DELETE' });
    expect((await ask(`/lists/${list}`)).body.batch_id).toBe(list);
    await runOf(list);
    await endOf(list);
    expect((await scheduleOf(list)).last_run).toMatchObject({ status: 'completed', changed: 1 });
  });
});

it('a schedule is refused for what is no list of the account, and for numbers that are none', async () => {
  const list = await listOf(['ok.a@one.example.com']);
  expect((await schedule(1, { every_days: 1 })).body.code).toBe('list_not_found');
  expect((await ask(`/lists/${list}/schedule`, { body: { every_days: 1 }, key: account.testKey })).status).toBe(404);
  for (const [body, field] of [
    [{}, 'every_days'],
    [{ every_days: 0 }, 'every_days'],
    [{ every_days: 366 }, 'every_days'],
    [{ every_days: 1, verdicts: [] }, 'verdicts'],
    [{ every_days: 1, verdicts: ['maybe'] }, 'verdicts'],
    [{ every_days: 1, verdicts: ['valid', 'valid'] }, 'verdicts'],
    [{ every_days: 1, reuse_days: 91 }, 'reuse_days'],
    [{ every_days: 1, max_credits: -1 }, 'max_credits'],
    [{ every_days: 1, enabled: 'yes' }, 'enabled'],
  ] as const) {
    const { status, body: reply } = await schedule(list, body);
    expect([status, reply.fields?.[0].field], JSON.stringify(body)).toEqual([422, field]);
  }
  await schedule(list, { every_days: 1 });
  await query(
    `INSERT INTO batches (id, account_id, key_id, policy, simulated, state, retention_days, created_at, finished_at, expires_at)
     SELECT number, $1, gen_random_uuid(), 'scale', false, 'completed', 1, now(), now(), now() + interval '1000 days'
       FROM generate_series(1, 99) AS number`,
    [account.accountId],
  );
  await query(
    `INSERT INTO list_schedules (list_id, account_id, simulated, key_id, every_days, reuse_days, enabled, created_at, next_run_at)
     SELECT number, $1, false, gen_random_uuid(), 1, 0, false, now(), now() FROM generate_series(1, 99) AS number`,
    [account.accountId],
  );
  const other = await listOf(['ok.b@one.example.com']);
  expect((await schedule(other, { every_days: 1 })).body.code).toBe('too_many_schedules');
  expect((await schedule(list, { every_days: 2 })).status).toBe(200);
});

describe('the schedule that a key has set', () => {
  const make = async (body: object, key = account.liveKey) => {
    const { status, body: made } = await ask('/keys', { key, body });
    expect(status).toBe(201);
    return { id: made.id as string, token: made.api_key as string };
  };
  const set = (list: number, key: string, body: object = { every_days: 7 }) =>
    ask(`/lists/${list}/schedule`, { key, body });
  const remove = (list: number, key: string) => ask(`/lists/${list}/schedule`, { key, method: 'DELETE' });
  const codeOf = (reply: { status: number; body: { code?: string } | null }) => [reply.status, reply.body?.code];
  const NARROW = { permissions: ['lists', 'batches'] };

  it.each([
    ['permissions', NARROW, 'permission_missing', 'it has all permissions, those of later versions too'],
    ['networks', { networks: ['127.0.0.0/8'] }, 'address_not_allowed', 'it works from more networks than yours'],
    ['credits', { credits_per_day: 50 }, 'ceiling_not_allowed', 'it may spend more than yours'],
    ['an end', { expires_at: '2099-01-01T00:00:00Z' }, 'key_lasts_longer', 'it works longer than yours'],
  ])(
    'the schedule that a key has set is neither replaced nor deleted by one with less: %s',
    async (_, less, code, sentence) => {
      const list = await listOf(EMAILS);
      await schedule(list, { every_days: 30 });
      const { token } = await make(less);
      const withList = (path: string) => (id: number, key: string) => ask(`/${path}/${id}`, { key, method: 'DELETE' });
      for (const act of [set, remove, withList('lists'), withList('verify/batch')]) {
        const refused = await act(list, token);
        expect(codeOf(refused)).toEqual([403, code]);
        expect(refused.body.error).toBe(
          `Another key set this schedule, and ${sentence}. Use that key or one with at least its rights.`,
        );
      }
      expect((await scheduleOf(list)).every_days).toBe(30);
    },
  );

  it('the schedule that a key has set is replaced and deleted by itself, by its like and by one that may more', async () => {
    const list = await listOf(EMAILS);
    const [one, like] = [await make(NARROW), await make(NARROW)];
    for (const key of [one.token, one.token, like.token, one.token])
      expect((await set(list, key, { every_days: 7, max_credits: 5 })).status).toBe(200);
    expect((await remove(list, like.token)).status).toBe(204);
    await set(list, one.token);
    expect((await set(list, account.liveKey)).status).toBe(200);
    expect((await remove(list, account.liveKey)).status).toBe(204);
  });

  it('the schedule that a key has set is compared by the newest key in its place, and by none once that is revoked', async () => {
    const list = await listOf(EMAILS);
    const [setter, narrow] = [await make({}), await make(NARROW)];
    await set(list, setter.token);
    const rotated = (await ask(`/keys/${setter.id}/rotate`, { body: { grace_seconds: 60 } })).body;
    // In its grace it may still change what it has set itself.
    expect((await set(list, setter.token, { every_days: 14 })).status).toBe(200);
    expect(codeOf(await remove(list, narrow.token))).toEqual([403, 'permission_missing']);
    expect((await set(list, rotated.api_key)).status).toBe(200);
    await ask(`/keys/${rotated.id}`, { method: 'DELETE' });
    expect((await set(list, narrow.token)).status).toBe(200);
  });

  it('the schedule that a key has set is deleted, but not set anew, by a key with higher ceilings of its own, which would pay for it', async () => {
    const list = await listOf(EMAILS);
    const [low, high] = [await make({ credits_per_day: 50 }), await make({ credits_per_day: 60 })];
    await set(list, low.token);
    const refused = await set(list, high.token);
    expect(codeOf(refused)).toEqual([403, 'ceiling_not_allowed']);
    expect(refused.body.error).toMatch(
      /^Your key has spending limits, so it cannot replace a schedule that another key set\./,
    );
    expect((await remove(list, high.token)).status).toBe(204);
    // A key without a schedule of others in its way sets one under its ceilings.
    expect((await set(list, high.token)).status).toBe(200);
  });
});
