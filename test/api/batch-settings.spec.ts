import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/lib/durations.js';
import { BatchCleanup } from '../../src/batch/upkeep/batch-cleanup.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';

const SETTINGS = '/api/v1/batch-settings';
const BATCHES = '/api/v1/verify/batch';

const time = { later: 0, now: () => Date.now() + time.later };
let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  service = await startService({ clock: time });
});

afterAll(() => service.close());

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl }, { credits: 100 });
});

const get = (path: string, key = account.testKey) => call(service, path, { key });
const change = (body: object, key = account.testKey) => call(service, SETTINGS, { key, method: 'PATCH', body });

async function ended(body: object, path = BATCHES, key = account.testKey) {
  const sent = { emails: ['valid@acme.com'], ...body };
  const { body: taken, status } = await call(service, path, { key, body: sent });
  expect(status, JSON.stringify(taken)).toBe(201);
  const statusNow = async () => (await get(`${BATCHES}/${taken.id}`, key)).body;
  await expect.poll(async () => (await statusNow()).status).toBe('completed');
  return statusNow();
}

const daysKept = ({ completed_at, expires_at }: Record<string, string>) =>
  (Date.parse(expires_at!) - Date.parse(completed_at!)) / DAY_MS;

describe('retention_days', () => {
  it('retention_days says for how long one batch is kept, else the account does, else the plan', async () => {
    expect(daysKept(await ended({}))).toBe(30);
    expect(daysKept(await ended({ retention_days: 3 }))).toBe(3);
    expect((await change({ retention_days: 7 })).body).toEqual({
      retention_days: 7,
      max_retention_days: 30,
      retry_window_seconds: 900,
    });
    expect(daysKept(await ended({}))).toBe(7);
    expect(daysKept(await ended({ retention_days: 30 }))).toBe(30);
    expect(daysKept(await ended({ retention_days: null }))).toBe(7);
    // The live mode has its own.
    expect((await get(SETTINGS, account.liveKey)).body.retention_days).toBe(30);
    await change({ retention_days: null });
    expect(daysKept(await ended({}))).toBe(30);
  });

  it('retention_days is in the status of a batch, in listings and while it is held too', async () => {
    const batch = await ended({ retention_days: 3 });
    const body = { emails: ['valid@acme.com'], retention_days: 4 };
    const held = (await call(service, `${BATCHES}?hold=true`, { key: account.testKey, body })).body;
    expect(batch.retention_days).toBe(3);
    expect((await get(`${BATCHES}/${held.id}`)).body.retention_days).toBe(4);
    const { batches } = (await get(BATCHES)).body;
    expect(batches.map((one: { retention_days: number }) => one.retention_days)).toEqual([4, 3]);
  });

  it('retention_days ends a batch with its list, its results and its links, and the ones beside it stay', async () => {
    const short = await ended({ retention_days: 1 });
    const long = await ended({ retention_days: 2 });
    expect((await get(`/api/v1/lists/${short.id}`)).body.expires_at).toBe(short.expires_at);
    time.later += DAY_MS + 1_000;
    await service.app.get(BatchCleanup).deleteExpired();
    for (const path of [`${BATCHES}/${short.id}`, `/api/v1/lists/${short.id}`, `${BATCHES}/${short.id}/results`])
      expect((await get(path)).status).toBe(404);
    expect((await get(`${BATCHES}/${long.id}/results`)).status).toBe(200);
  });

  it('retention_days is of a held batch too, after its end', async () => {
    const { body: held } = await call(service, `${BATCHES}?hold=true`, {
      key: account.testKey,
      body: { emails: ['valid@acme.com'], retention_days: 4 },
    });
    expect((await get(`${BATCHES}/${held.id}`)).body.expires_at).not.toBeNull();
    await call(service, `${BATCHES}/${held.id}/start`, { key: account.testKey, body: {} });
    const status = async () => (await get(`${BATCHES}/${held.id}`)).body;
    await expect.poll(async () => (await status()).status).toBe('completed');
    expect(daysKept(await status())).toBe(4);
  });

  it('retention_days is changed of a batch that runs, is held or has ended, from its end on, and of a list with its versions', async () => {
    const keep = (id: number, days: unknown, path = BATCHES, key = account.testKey) =>
      call(service, `${path}/${id}`, { key, method: 'PATCH', body: { retention_days: days } });
    const batch = await ended({ retention_days: 3 });
    const changed = await keep(batch.id, 20);
    expect(changed.body).toMatchObject({ id: batch.id, retention_days: 20, status: 'completed' });
    expect(daysKept(changed.body)).toBe(20);
    expect(daysKept((await keep(batch.id, 1)).body)).toBe(1);

    const { body: held } = await call(service, `${BATCHES}?hold=true`, {
      key: account.testKey,
      body: { emails: ['valid@acme.com'] },
    });
    const until = (await get(`${BATCHES}/${held.id}`)).body.expires_at;
    const kept = (await keep(held.id, 2)).body;
    expect(kept).toMatchObject({ status: 'held', retention_days: 2, expires_at: until, quote: { max_credits: 1 } });
    await call(service, `${BATCHES}/${held.id}/start`, { key: account.testKey, body: {} });
    const status = async () => (await get(`${BATCHES}/${held.id}`)).body;
    await expect.poll(async () => (await status()).status).toBe('completed');
    expect(daysKept(await status())).toBe(2);

    // A version of a list, and a list that its schedule keeps.
    await onDatabase(service.env.databaseUrl, 'UPDATE batches SET list_id = $2, expires_at = NULL WHERE id = $1', [
      held.id,
      batch.id,
    ]);
    await keep(batch.id, 5);
    const days = () =>
      onDatabase(
        service.env.databaseUrl,
        'SELECT retention_days AS days, expires_at AS at FROM batches WHERE id = $1',
        [held.id],
      );
    expect(await days()).toEqual([{ days: 5, at: null }]);

    for (const wrong of [0, 31, -1, 1.5, '3', true, [3], 1e9, null, undefined]) {
      const refused = await keep(batch.id, wrong);
      expect([refused.status, refused.body.fields[0].field], String(wrong)).toEqual([422, 'retention_days']);
    }
    const people = { people: [{ full_name: 'Jane Doe', domain: 'example.com' }] };
    const sent = await call(service, '/api/v1/finder/batch', { key: account.testKey, body: people });
    expect((await keep(sent.body.id, 6, '/api/v1/finder/batch')).body).toMatchObject({ retention_days: 6 });
    const other = await createFullAccount({ url: service.env.databaseUrl });
    for (const reply of [
      await keep(batch.id, 31, BATCHES, other.testKey),
      await keep(batch.id, 5, BATCHES, account.liveKey),
    ])
      expect([reply.status, reply.body.code]).toEqual([404, 'batch_not_found']);
    expect((await keep(sent.body.id, 6)).body.code).toBe('batch_not_found');
  });

  it('retention_days is refused when it is none, or more than the plan has, and then nothing is stored', async () => {
    const count = () => onDatabase(service.env.databaseUrl, 'SELECT count(*)::integer AS count FROM batches');
    const before = await count();
    for (const wrong of [0, 31, -1, 1.5, '3', true, [3], 1e9]) {
      const sent = { emails: ['valid@acme.com'], retention_days: wrong };
      for (const { status, body } of [
        await call(service, BATCHES, { key: account.testKey, body: sent }),
        await change({ retention_days: wrong }),
      ])
        expect([status, body.fields?.[0].field], JSON.stringify(wrong)).toEqual([422, 'retention_days']);
    }
    const csv = { method: 'POST', body: 'email\nvalid@acme.com\n' };
    const headers = { authorization: `Bearer ${account.testKey}`, 'content-type': 'text/csv' };
    const send = (query: string) => fetch(`${service.url}${BATCHES}${query}`, { ...csv, headers });
    expect((await send('?retention_days=31')).status).toBe(422);
    expect((await send('?retention_days=x')).status).toBe(422);
    expect(await count()).toEqual(before);
    expect((await send('?retention_days=2')).status).toBe(201);
  });
});

it('the retry window of an account holds for batches that name none, and a member left out stays as it is', async () => {
  await change({ retry_window_seconds: 3_600 });
  expect((await change({ retention_days: 5 })).body).toMatchObject({ retention_days: 5, retry_window_seconds: 3_600 });
  const stored = async (id: number) =>
    onDatabase(service.env.databaseUrl, 'SELECT retry_window_seconds AS seconds FROM batches WHERE id = $1', [id]);
  expect(await stored((await ended({})).id)).toEqual([{ seconds: 3_600 }]);
  expect(await stored((await ended({ retry_window_seconds: 0 })).id)).toEqual([{ seconds: 0 }]);
  for (const wrong of [86_401, -1, '1'])
    expect((await change({ retry_window_seconds: wrong })).body.fields[0].field).toBe('retry_window_seconds');
});
