import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/lib/durations.js';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { type Verification, NOTHING_CHECKED, NOTHING_VERIFIED } from '../../src/engine/types.js';
import type { PeriodicJob } from '../../src/platform/periodic-job.js';
import { RecentVerdicts } from '../../src/reuse/recent-verdicts.js';
import { ReuseCleanup } from '../../src/reuse/reuse-cleanup.js';
import { ReuseService } from '../../src/reuse/reuse.service.js';
import { LOOSE } from '../../src/reuse/reuse.store.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase, tablesWith } from '../support/batches.js';
import { call, type Reply } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';
import { bodyOnce, isCompleted } from '../support/next-look.js';

const BATCHES = '/api/v1/verify/batch';
const SETTINGS = '/api/v1/verification-settings';

const time = { later: 0, now: () => Date.now() + time.later };
let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  service = await startService({ clock: time });
  // Tests say themselves when verdicts come and go.
  await service.app.get(ReuseCleanup, { strict: false }).onModuleDestroy();
  await service.app.get<PeriodicJob>('BatchReuseService.keepEnded every 5000 ms', { strict: false }).onModuleDestroy();
});

beforeEach(async () => {
  time.later = 0;
  account = await createFullAccount({ url: service.env.databaseUrl });
});

afterAll(() => service.close());

const owner = (simulated: boolean) => ({ accountId: account.accountId, simulated });
const verdicts = () => service.app.get(ReuseService, { strict: false });
const written = () => service.app.get(RecentVerdicts, { strict: false }).flush();
const query = (sql: string, values: unknown[] = []) => onDatabase(service.env.databaseUrl, sql, values);
const keptRows = () => query('SELECT * FROM kept_verdicts WHERE account_id = $1', [account.accountId]);

async function verify(email: string, reuse_days?: number, key = account.testKey): Promise<Reply> {
  const reply = await call(service, '/api/v1/verify', {
    key,
    body: { email, ...(reuse_days !== undefined && { reuse_days }) },
  });
  await written();
  return reply;
}

async function batchOf(body: object, key = account.testKey) {
  const sent = await call(service, BATCHES, { key, body });
  expect(sent.status, JSON.stringify(sent.body)).toBe(201);
  const status = await bodyOnce(() => call(service, `${BATCHES}/${sent.body.id}`, { key }), isCompleted);
  const { results } = (await call(service, `${BATCHES}/${sent.body.id}/results?limit=1000`, { key })).body;
  return { status, results: results as Record<string, Reply['body']>[] };
}

const GIVEN: Verification = {
  ...NOTHING_VERIFIED,
  verdict: 'risky',
  reason: 'catch_all',
  score: 50,
  confidence: 0.6,
  provider: 'Google',
  checks: { ...NOTHING_CHECKED, syntax: 'pass', mx: 'pass', smtp: 'pass', catchAll: 'yes', free: true },
  evidence: { ...NOTHING_VERIFIED.evidence, stage: 'rcpt', code: 250, enhanced: '2.1.5', text: 'jane@acme.com OK' },
};

/** Keeps verdicts as if a live key had got them. */
const keepLive = (emails: readonly string[], daysAgo = 1, verification = GIVEN) =>
  verdicts().keepOfMany(
    emails.map((address) => ({
      owner: owner(false),
      address,
      verification: { ...verification, checkedAt: time.now() - daysAgo * DAY_MS },
    })),
  );

describe('a verdict of the account that is young enough', () => {
  it('a verdict of the account that is young enough is given again by a single verification, as it was, with the time of then, and the address as it is sent now', async () => {
    await verify('someone@acme.com', 1);
    const first = await verify('Full+full@GMIAL.com');
    const again = await verify('full+FULL@gmial.com', 1);
    for (const name of ['verdict', 'reason', 'score', 'confidence', 'checks'])
      expect(again.body[name], name).toEqual(first.body[name]);
    expect(again.body).toMatchObject({ email: 'full+FULL@gmial.com', did_you_mean: 'full+FULL@gmail.com' });
    expect(again.body.evidence).toMatchObject({ from_cache: true, reply_code: 552, text: null, mx_host: null });
    expect(first.body.evidence.from_cache).toBe(false);
    expect(Math.abs(Date.parse(again.body.checked_at) - Date.parse(first.body.checked_at))).toBeLessThan(1_000);
    expect((await verify('Full+full@GMIAL.com')).body.evidence.from_cache).toBe(false);
  });

  it('a verdict of the account that is young enough costs nothing, in a single verification and in a batch, whose reservation leaves it out', async () => {
    await verdicts().begin(owner(false));
    await keepLive(['a@acme.com', 'b@acme.com']);
    const one = await verify('a@acme.com', 2, account.liveKey);
    expect(one.body).toMatchObject({ verdict: 'risky', reason: 'catch_all', credits_charged: 0, provider: 'Google' });
    const { status, results } = await batchOf(
      { emails: ['a@acme.com', 'x@nowhere.invalid', 'B@ACME.com', 'b@acme.com'], reuse_days: 2 },
      account.liveKey,
    );
    expect(status).toMatchObject({
      reused: 3,
      unique_emails: 4,
      credits_reserved: 1,
      credits_charged: 1,
      counts: { risky: 3, invalid: 1 },
    });
    expect(results.map(({ credits_charged, evidence }) => [credits_charged, evidence.from_cache])).toEqual([
      [0, true],
      [1, false],
      [0, true],
      [0, true],
    ]);
    const free = await batchOf({ emails: ['a@acme.com', 'b@acme.com'], reuse_days: 2 }, account.liveKey);
    expect(free.status).toMatchObject({ reused: 2, credits_reserved: 0, credits_charged: 0, processed: 2 });
    expect((await service.app.get(CreditsAudit, { strict: false }).run()).differing).toEqual([]);
  });

  it('a verdict of the account that is young enough is found by the next request at once, in another process too when the first one asked for reuse', async () => {
    const ask = (email: string, reuse_days: number, at = service) =>
      call(at, '/api/v1/verify', { key: account.testKey, body: { email, reuse_days } });
    const { databaseUrl: url, redisUrl } = service.env;
    const other = await startService({ database: { url, drop: async () => {} }, env: { redisUrl } });
    try {
      await ask('first@acme.com', 1);
      expect((await ask('first@acme.com', 1, other)).body.evidence.from_cache).toBe(true);
      await ask('second@acme.com', 0);
      expect((await ask('second@acme.com', 1)).body.evidence.from_cache).toBe(true);
      await ask('third@acme.com', 0);
      expect((await batchOf({ emails: ['third@acme.com'], reuse_days: 1 })).status.reused).toBe(1);
    } finally {
      await other.close();
    }
  });

  it('a verdict of the account that is young enough lowers the quote of a held batch, and is what it gets when it is started', async () => {
    await verdicts().begin(owner(false));
    await keepLive(['a@acme.com', 'b@acme.com']);
    const key = account.liveKey;
    const body = { emails: ['a@acme.com', 'b@acme.com', 'x@nowhere.invalid'], reuse_days: 2 };
    const held = (await call(service, `${BATCHES}?hold=true`, { key, body })).body;
    expect(held).toMatchObject({ status: 'held', quote: { unique_emails: 3, reusable: 2, max_credits: 1 } });
    await call(service, `${BATCHES}/${held.id}/start`, { key, body: { max_credits: 1 } });
    const status = async () => (await call(service, `${BATCHES}/${held.id}`, { key })).body;
    await expect.poll(async () => (await status()).status, { interval: 20 }).toBe('completed');
    const counts = { valid: 0, invalid: 1, risky: 2, unknown: 0 };
    expect(await status()).toMatchObject({ reused: 2, credits_reserved: 1, credits_charged: 1, counts });
  });

  it('a verdict of the account that is young enough is found by a batch in what a batch before it said, also when that was sent without reuse_days', async () => {
    const emails = ['full@acme.com', 'jörg@bücher.example', 'no address', 'role@acme.com', 'greylisted@acme.com'];
    const first = await batchOf({ emails });
    expect(await keptRows()).toEqual([]);
    const second = await batchOf({ emails: [...emails, 'new@acme.com'], reuse_days: 7 });
    // What is no address is answered for nothing anyway.
    expect(second.status.reused).toBe(3);
    expect(
      second.results.slice(0, 4).map(({ verdict, reason, score, email }) => [verdict, reason, score, email]),
    ).toEqual(first.results.slice(0, 4).map(({ verdict, reason, score, email }) => [verdict, reason, score, email]));
    expect(second.results.map(({ evidence }) => evidence.from_cache)).toEqual([true, true, false, true, false, false]);
    // What was given again is not kept once more.
    await batchOf({ emails: ['other@acme.com'], reuse_days: 7 });
    const [{ sum }] = (await query('SELECT sum(octet_length(verdicts) / 24) FROM kept_verdicts WHERE account_id = $1', [
      account.accountId,
    ])) as [{ sum: string }];
    expect(Number(sum)).toBe(4);
  });

  it('a verdict of the account that is young enough is found in a batch whose verdicts another process keeps at that moment, which is waited for', async () => {
    const first = await batchOf({ emails: ['full@acme.com', 'role@acme.com'] });
    const other = service.app.get(DataSource).createQueryRunner();
    await other.startTransaction();
    await other.query('SELECT FROM batches WHERE id = $1 FOR NO KEY UPDATE', [first.status.id]);
    const second = batchOf({ emails: ['full@acme.com', 'role@acme.com', 'new@acme.com'], reuse_days: 7 });
    await expect
      .poll(() => query(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`))
      .toHaveLength(1);
    await other.commitTransaction();
    await other.release();
    expect((await second).status.reused).toBe(2);
  });

  it('a verdict of the account that is young enough is one of the same mode, of the account, and at most as old as the caller wants', async () => {
    await verdicts().begin(owner(false));
    await keepLive(['valid@nowhere.invalid'], 3);
    expect((await verify('valid@nowhere.invalid', 4, account.liveKey)).body.reason).toBe('catch_all');
    expect((await verify('valid@nowhere.invalid', 2, account.liveKey)).body.reason).toBe('domain_not_found');
    expect((await verify('valid@nowhere.invalid', 4)).body.reason).toBe('domain_not_found');
    const other = await createFullAccount({ url: service.env.databaseUrl });
    expect((await verify('valid@nowhere.invalid', 4, other.liveKey)).body.reason).toBe('domain_not_found');
    // The newest counts.
    expect((await verify('valid@nowhere.invalid', 4, account.liveKey)).body.reason).toBe('domain_not_found');
  });

  it('a verdict of the account that is young enough is taken from the body, the query or the form, and refused when it is no number of days', async () => {
    const key = account.testKey;
    for (const wrong of [91, -1, 1.5, '1', true, [1], {}]) {
      for (const path of ['/api/v1/verify', BATCHES]) {
        const sent = path === BATCHES ? { emails: ['a@acme.com'] } : { email: 'a@acme.com' };
        const { status, body } = await call(service, path, { key, body: { ...sent, reuse_days: wrong } });
        expect([status, body.fields?.[0].field], `${path} ${JSON.stringify(wrong)}`).toEqual([422, 'reuse_days']);
      }
    }
    await batchOf({ emails: ['full@acme.com'], reuse_days: null });
    const csv = (at: string) =>
      fetch(service.url + at, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
        body: 'email\nfull@acme.com\n',
      });
    const taken = (await (await csv(`${BATCHES}?reuse_days=7`)).json()) as { id: number };
    expect((await call(service, `${BATCHES}/${taken.id}`, { key })).body.reused).toBe(1);
    expect((await csv(`${BATCHES}?reuse_days=91`)).status).toBe(422);
    const form = new FormData();
    form.set('reuse_days', '7');
    form.set('file', new Blob(['full@acme.com\n'], { type: 'text/plain' }), 'list.txt');
    const sent = await fetch(service.url + BATCHES, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: form,
    });
    const { id } = (await sent.json()) as { id: number };
    expect((await call(service, `${BATCHES}/${id}`, { key })).body.reused).toBe(1);
  });
});

describe('what is kept of a verdict', () => {
  it('what is kept of a verdict is nothing for an account that has never asked for reuse', async () => {
    await verify('full@acme.com');
    expect(await keptRows()).toEqual([]);
    expect((await call(service, SETTINGS, { key: account.testKey })).body).toEqual({ reuse: true });
  });

  it('what is kept of a verdict is a keyed hash: neither the address nor the words of its mail host, nor a hash that another account has', async () => {
    const other = await createFullAccount({ url: service.env.databaseUrl });
    for (const key of [account.testKey, other.testKey]) {
      await verify('first@acme.com', 1, key);
      await verify('kept-secretly+full@acme.com', 1, key);
    }
    expect(await tablesWith(service.env.databaseUrl, 'kept-secretly')).toEqual([]);
    const rows = (await query('SELECT verdicts FROM kept_verdicts WHERE account_id = ANY ($1)', [
      [account.accountId, other.accountId],
    ])) as { verdicts: Buffer }[];
    const hashes = rows.map(({ verdicts: bytes }) => bytes.toString('latin1').slice(-24, -16));
    expect(new Set(hashes).size).toBe(rows.length);
  });

  it('what is kept of a verdict takes at most 40 bytes on disk for each verdict of a batch', async () => {
    const all = Array.from({ length: 100_000 }, (_, i) => ({
      address: `person.${i}@company-${i % 977}.example.com`,
      verification: { ...GIVEN, checkedAt: time.now() },
    }));
    await verdicts().begin(owner(true));
    const size = async () =>
      Number((await query(`SELECT pg_total_relation_size('kept_verdicts') AS size`))[0]!['size']);
    await query('VACUUM FULL kept_verdicts');
    const before = await size();
    for (let i = 0; i < all.length; i += 16_000)
      await service.app.get(DataSource).transaction((tx) => verdicts().keep(tx, owner(true), all.slice(i, i + 16_000)));
    const bytes = ((await size()) - before) / all.length;
    expect(bytes).toBeLessThanOrEqual(40);
    expect(bytes).toBeGreaterThan(20);
    expect(await verdicts().find(owner(true), 'person.99999@company-345.example.com', 1)).toMatchObject({
      reason: 'catch_all',
    });
  });

  it('what is kept of a verdict is deleted by switching reuse off, after which nothing is kept or given again until it is switched on', async () => {
    await verify('full@acme.com', 1);
    await verify('full@acme.com', 1);
    expect(await keptRows()).toHaveLength(1);
    const off = await call(service, SETTINGS, { key: account.testKey, method: 'PATCH', body: { reuse: false } });
    expect(off.body).toEqual({ reuse: false });
    expect(await keptRows()).toEqual([]);
    expect((await verify('full@acme.com', 1)).body.evidence.from_cache).toBe(false);
    expect((await verify('full@acme.com', 1)).body.evidence.from_cache).toBe(false);
    expect((await batchOf({ emails: ['full@acme.com'], reuse_days: 1 })).status.reused).toBe(0);
    expect(await keptRows()).toEqual([]);
    expect((await call(service, SETTINGS, { key: account.liveKey })).body).toEqual({ reuse: true });
    await call(service, SETTINGS, { key: account.testKey, method: 'PATCH', body: { reuse: true } });
    await verify('full@acme.com', 1);
    expect((await verify('full@acme.com', 1)).body.evidence.from_cache).toBe(true);
  });

  it('what is kept of a verdict is gathered with no more others than are asked for, although PostgreSQL has not counted what the account keeps', async () => {
    await query('ALTER TABLE kept_verdicts SET (autovacuum_enabled = false)');
    await verdicts().begin(owner(false));
    for (let i = 0; i < 40; i++) await keepLive([`u${i}@acme.com`]);
    await verdicts().gather(owner(false), 10);
    const loose = (await keptRows()).filter(({ bucket }) => bucket === LOOSE);
    expect(loose).toHaveLength(30);
    for (const i of [0, 39]) expect(await verdicts().find(owner(false), `u${i}@acme.com`, 90)).not.toBeNull();
  });

  it('what is kept of a verdict is gone after 90 days; what came singly is gathered, and still found', async () => {
    await verdicts().begin(owner(false));
    for (let i = 0; i < 70; i++) await keepLive([`u${i}@acme.com`], 80);
    expect(await keptRows()).toHaveLength(70);
    const cleanup = service.app.get(ReuseCleanup, { strict: false });
    await cleanup.run();
    const rows = await keptRows();
    expect(rows.every(({ bucket }) => Number(bucket) >= 0)).toBe(true);
    for (const i of [0, 69]) expect(await verdicts().find(owner(false), `u${i}@acme.com`, 90)).not.toBeNull();
    expect((await verify('u1@acme.com', 90, account.liveKey)).body.credits_charged).toBe(0);
    time.later = 11 * DAY_MS;
    await cleanup.run();
    expect(await keptRows()).toEqual([]);
  });
});
