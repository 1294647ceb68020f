import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ErasureSweep, ErasureWork } from '../../src/privacy/erasure-work.js';
import { ReuseService } from '../../src/reuse/reuse.service.js';
import { RecentVerdicts } from '../../src/reuse/recent-verdicts.js';
import { BatchReuseService } from '../../src/batch/upkeep/batch-reuse.service.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase, queueBatch } from '../support/batches.js';
import { call, register, type Reply } from '../support/call.js';
import { callTool } from '../support/mcp.js';
import { startService, type TestService } from '../support/service.js';
import { tracesOf } from '../support/traces.js';
import { startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';
import { bodyOnce, isCompleted } from '../support/next-look.js';

const BATCHES = '/api/v1/verify/batch';
const PEOPLE = '/api/v1/finder/batch';
const ERASURES = '/api/v1/erasures';
/** No other text of the test holds this word. */
const WORD = 'zarquon';
const ADDRESS = `${WORD}.quux@gmail.com`;

const time = { later: 0, now: () => Date.now() + time.later };
let service: TestService;
let sink: WebhookSink;
let account: FullAccount;

beforeAll(async () => {
  sink = await startWebhookSink();
  service = await startService({ env: { ...TO_LOOPBACK, registrationsPerHour: 100 }, clock: time });
  // Each test makes the steps itself, one by one.
  await get(ErasureSweep).onModuleDestroy();
});

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl });
});

afterAll(async () => {
  await service.close();
  await sink.close();
});

const get = <Class>(token: new (...parts: never[]) => Class): Class => service.app.get(token, { strict: false });
const ask = (path: string, options: Parameters<typeof call>[2] = {}): Promise<Reply> =>
  call(service, path, { key: account.testKey, ...options });
/** Whoever waits for the lock of a row that another transaction has. */
const WAITING_FOR_ROW = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const query = (sql: string, values: unknown[] = []) => onDatabase(service.env.databaseUrl, sql, values);
const traces = () => tracesOf(service.env, [WORD]);

async function ended(path: string, id: number, key = account.testKey): Promise<Reply['body']> {
  return bodyOnce(
    () => ask(`${path}/${id}`, { key }),
    ({ status }) => ['completed', 'cancelled', 'failed'].includes(status),
  );
}

async function csvBatch(csv: string, key = account.testKey): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/csv' };
  const sent = await fetch(`${service.url}${BATCHES}?reuse_days=1`, { method: 'POST', headers, body: csv });
  const { id } = (await sent.json()) as { id: number };
  expect(sent.status).toBe(201);
  await ended(BATCHES, id, key);
  return id;
}

async function csvOf(path: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${account.testKey}` };
  return (await (await fetch(service.url + path, { headers })).text()).trim().split('\r\n');
}

async function order(body: object, options: { key?: string; headers?: Record<string, string> } = {}): Promise<string> {
  const reply = await ask(ERASURES, { body, ...options });
  expect(reply.status, JSON.stringify(reply.body)).toBe(202);
  return reply.body.id as string;
}

/** Works until the erasure has ended, as the sweeps of all processes do. */
async function finished(id: string, key = account.testKey): Promise<Reply['body']> {
  return bodyOnce(
    async () => {
      time.later += 6_000;
      await get(ErasureWork).run();
      return ask(`${ERASURES}/${id}`, { key });
    },
    ({ finished_at }) => finished_at !== null,
  );
}

const erase = async (body: object) => finished(await order(body));

describe('an erased address', () => {
  it('an erased address is nowhere any more: in no table, in no key of Redis, in no encoding', async () => {
    sink.answer = ({ text }, response) => response.writeHead(200).end(text);
    await ask('/api/v1/webhooks', { body: { url: sink.url('/all') } });
    await expect.poll(async () => (await ask('/api/v1/webhooks')).body.webhooks[0].confirmed_at).not.toBeNull();
    const csv = [
      'Name;E-Mail;Manager;Notiz',
      `Jürgen Zarquon;Zarquon.Quux@GMAIL.com;;heißt ${WORD}`,
      `Mary;mary@example.com;ask ${ADDRESS}!;her own`,
      'Otto;otto@example.com;mary@example.com;bleibt',
      `Again;${ADDRESS};x;${WORD} again`,
      `Full;${WORD}.quux+full@gmail.com;;`,
      `Typo;zarquon.quux@gmial.com;;`,
    ].join('\n');
    const batch = await csvBatch(csv);
    const people = [
      { first_name: 'Zarquon', last_name: 'Quux', domain: 'gmeil-works.example' },
      { full_name: 'Mary Major', domain: 'example.com' },
    ];
    const found = await ask(PEOPLE, { body: { people, name: `People for ${ADDRESS}` } });
    await ended(PEOPLE, found.body.id);
    const { results } = (await ask(`${PEOPLE}/${found.body.id}/results`)).body;
    await ask('/api/v1/verify', { body: { email: ADDRESS, reuse_days: 1 }, headers: { 'idempotency-key': 'one' } });
    await ask('/api/v1/finder/email', { body: people[0], headers: { 'idempotency-key': 'two' } });
    await callTool(service, 'verify_email', { email: ADDRESS, idempotency_key: 'three' }, { key: account.testKey });
    const suppression = { email: ADDRESS, reason: `${ADDRESS} wrote to us` };
    await ask('/api/v1/suppressions', { body: suppression, headers: { 'idempotency-key': 'four' } });
    await ask('/api/v1/suppressions', { body: { sha256: ['b'.repeat(64)], reason: `as ${ADDRESS}` } });
    await get(RecentVerdicts).flush();
    await get(BatchReuseService).keepEnded(100);
    await expect.poll(() => query(`SELECT 1 FROM webhook_attempts WHERE reply LIKE '%zarquon%'`)).not.toEqual([]);

    // Other spellings of the same person are other addresses, each with an erasure of its own.
    const all = [ADDRESS, `${WORD}.quux+full@gmail.com`, 'zarquon.quux@gmial.com', results[0].email as string];
    const receipts = [];
    for (const email of all)
      receipts.push(
        await finished(await order({ email }, { headers: { 'idempotency-key': `erase-${receipts.length}` } })),
      );
    expect(await traces()).toEqual([]);
    const hashes = [ADDRESS, `{"email":"${ADDRESS}"}`].map((text) => createHash('sha256').update(text).digest('hex'));
    expect(await tracesOf(service.env, hashes)).toEqual([]);
    expect(receipts[0]).toMatchObject({
      status: 'done',
      suppressed: false,
      batches_left: 0,
      erased: { batches: 2, kept_replies: 3, suppressions: 1, agents: 0, names: 1 },
    });
    expect(receipts[0].erased.rows).toBe(3);
    expect(receipts[0].erased.kept_verdicts).toBeGreaterThan(0);
    expect(JSON.stringify(receipts)).not.toMatch(/zarquon/i);
    expect(await csvOf(`${BATCHES}/${batch}/results?format=csv&fields=verdict`)).toEqual([
      'Name;E-Mail;Manager;Notiz;verdict',
      ';;;;valid',
      'Mary;mary@example.com;;her own;valid',
      'Otto;otto@example.com;mary@example.com;bleibt;valid',
      ';;;;valid',
      ';;;;risky',
      ';;;;valid',
    ]);
  });

  it('an erased address leaves rows where they are, with verdict and price and no more, and the counts as they were', async () => {
    const emails = [
      'mary@example.com',
      `${WORD}+invalid@example.com`,
      'otto@example.com',
      `${WORD}+INVALID@example.com`,
    ];
    const sent = await ask(BATCHES, { body: { emails } });
    const before = await ended(BATCHES, sent.body.id);
    const receipt = await erase({ email: `${WORD}+invalid@example.com` });
    expect(receipt.erased).toMatchObject({ batches: 1, rows: 2 });
    const path = `/api/v1/lists/${sent.body.id}`;
    const { results } = (await ask(`${BATCHES}/${sent.body.id}/results`)).body;
    expect(results.map(({ email, verdict }: Reply['body']) => [email, verdict])).toEqual([
      ['mary@example.com', 'valid'],
      ['', 'invalid'],
      ['otto@example.com', 'valid'],
      ['', 'invalid'],
    ]);
    expect(results[1]).toMatchObject({
      normalized_email: null,
      did_you_mean: null,
      mx_host: null,
      reason: 'mailbox_not_found',
      evidence: { mx_host: null, mx_address: null, text: null, reply_code: 550 },
    });
    expect((await ask(`${BATCHES}/${sent.body.id}`)).body).toEqual(before);
    expect((await ask(path)).body.counts).toEqual(before.counts);
    expect(await traces()).toEqual([]);
  });

  it('an erased address is taken with its display name, its IDN in either spelling, and not within a longer address', async () => {
    const emails = [
      '"Z, Q" <zarquon@bücher.example>',
      'Zarquon@XN--BCHER-KVA.example',
      'mary-zarquon@bücher.example',
      'zarquon@bücher.example.org',
    ];
    const sent = await ask(BATCHES, { body: { emails } });
    await ended(BATCHES, sent.body.id);
    expect((await erase({ email: 'ZARQUON@bücher.example' })).erased.rows).toBe(2);
    const { results } = (await ask(`${BATCHES}/${sent.body.id}/results`)).body;
    expect(results.map(({ email }: Reply['body']) => email)).toEqual(['', '', emails[2], emails[3]]);
    for (const email of emails.slice(2)) await erase({ email });
    expect(await traces()).toEqual([]);
  });

  it.each(['"z zarquon"@example.com', 'zärquon@bücher.example'])(
    'an erased address is found by its domain where its local part is not plain: %s',
    async (email) => {
      const sent = await ask(BATCHES, { body: { emails: [email.toUpperCase(), 'mary@example.com', email] } });
      await ended(BATCHES, sent.body.id);
      expect((await erase({ email })).erased.rows).toBe(2);
    },
  );

  it('an erased address is not given again by a replay, whose work stays done', async () => {
    const headers = { 'idempotency-key': 'order-7' };
    const body = { email: ADDRESS };
    const other = { body: { email: 'mary@example.com' }, headers: { 'idempotency-key': 'order-8' } };
    await ask('/api/v1/verify', { body, headers });
    const kept = await ask('/api/v1/verify', other);
    await erase(body);
    const again = await ask('/api/v1/verify', { body, headers });
    expect([again.status, again.body.code]).toEqual([409, 'idempotency_reply_lost']);
    expect((await ask('/api/v1/verify', other)).body).toEqual(kept.body);
  });

  it('an erased address is no verdict to be given again, while those of others stay', async () => {
    for (const email of [ADDRESS, 'mary@example.com']) await ask('/api/v1/verify', { body: { email, reuse_days: 1 } });
    await get(RecentVerdicts).flush();
    expect((await erase({ email: ADDRESS })).erased.kept_verdicts).toBe(1);
    const owner = { accountId: account.accountId, simulated: true };
    const find = (email: string) => get(ReuseService).find(owner, email, 1);
    expect([await find(ADDRESS), (await find('mary@example.com'))?.verdict]).toEqual([null, 'valid']);
  });

  it('an erased address stays on the suppression list by its hash alone when that is wanted, from the order on', async () => {
    await order({ email: ADDRESS, suppress: true });
    const { body } = await ask('/api/v1/suppressions');
    const [{ id }] = body.suppressions;
    expect(id).toBe(createHash('sha256').update(ADDRESS).digest('hex'));
    const receipt = await erase({ email: ADDRESS, suppress: true });
    expect(receipt).toMatchObject({ suppressed: true, erased: { suppressions: 0 } });
    expect((await ask('/api/v1/suppressions')).body.suppressions).toHaveLength(1);
    expect((await erase({ email: ADDRESS })).erased.suppressions).toBe(1);
    expect((await ask('/api/v1/suppressions')).body.suppressions).toEqual([]);
    expect(await traces()).toEqual([]);
  });

  it('an erased address with a tag leaves the entry of the address without it on the suppression list', async () => {
    await ask('/api/v1/suppressions', { body: { email: ADDRESS } });
    const tagged = ADDRESS.replace('@', '+news@');
    expect((await erase({ email: tagged })).erased.suppressions).toBe(0);
    expect((await ask('/api/v1/suppressions')).body.suppressions).toHaveLength(1);
    expect((await erase({ email: ADDRESS })).erased.suppressions).toBe(1);
  });

  it('an erased address leaves what the agents have that the account has claimed, and nothing of others', async () => {
    const mine = await call(service, '/agent-gateway/register', { body: { name: 'Scout', contact: ADDRESS } });
    const foreign = await register(service);
    const claim = { claim_token: mine.body.claim_token as string };
    expect((await ask('/api/v1/claims', { key: account.liveKey, body: claim })).status).toBe(201);
    const batches = new Map<string, number>();
    for (const key of [mine.body.api_key as string, foreign]) {
      const { body } = await ask(BATCHES, {
        key,
        body: { emails: [`${WORD} is no address`, `${WORD}@nowhere.invalid`] },
      });
      batches.set(key, body.data.id);
      const status = async () => call(service, `/admin/v1/batches/${body.data.id}`, { key: await admin() });
      await bodyOnce(status, isCompleted);
    }
    const id = await order({ email: `${WORD}@nowhere.invalid` }, { key: account.liveKey });
    expect((await finished(id, account.liveKey)).erased).toMatchObject({ batches: 1, rows: 1, agents: 0 });
    const itemsOf = async (key: string) =>
      (await query('SELECT items FROM batch_chunks WHERE batch_id = $1', [batches.get(key)])).map(({ items }) => items);
    expect(JSON.stringify(await itemsOf(mine.body.api_key))).not.toContain('nowhere');
    expect(JSON.stringify(await itemsOf(foreign))).toContain('nowhere');
    const contact = await order({ email: ADDRESS }, { key: account.liveKey });
    expect((await finished(contact, account.liveKey)).erased.agents).toBe(1);
    await query('DELETE FROM batches');
  });

  it('an erased address is in no name and in no act; what administrators wrote for themselves, and URLs, stay', async () => {
    const live = { key: account.liveKey };
    const agent = { name: `Scout of ${ADDRESS}`, purpose: `For ${ADDRESS}`, contact: ADDRESS };
    const registered = await call(service, '/agent-gateway/register', { body: agent });
    await ask('/api/v1/claims', { ...live, body: { claim_token: registered.body.claim_token } });
    const made = await ask('/api/v1/keys', { ...live, body: { kind: 'live', name: `Key of ${ADDRESS}` } });
    const key = made.body.api_key as string;
    await ask('/api/v1/keys', { key, body: { kind: 'live', name: 'another' } });
    await fetch(`${service.url}/console/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': `Mail/1 (${ADDRESS})`, origin: service.url },
      body: JSON.stringify({ api_key: key }),
    });
    await query('UPDATE accounts SET name = $2, contact_email = $3, note = $3 WHERE id = $1', [
      account.accountId,
      `Firm of ${ADDRESS}`,
      ADDRESS,
    ]);
    await ask('/api/v1/webhooks', { ...live, body: { url: sink.url(`/to?mail=${encodeURIComponent(ADDRESS)}`) } });
    const acts = async () => (await ask('/api/v1/audit', live)).body.entries as Reply['body'][];
    const before = await acts();

    const receipt = await finished(await order({ email: ADDRESS }, live), account.liveKey);
    // The account and its key, the agent's account and its key, the browser; the claim and the two keys.
    expect(receipt.erased).toMatchObject({ names: 5, agents: 1, audit_entries: 3 });
    expect((await traces()).sort()).toEqual(['accounts', 'webhook_endpoints']);
    expect(await query('SELECT name, contact_email, note FROM accounts WHERE id = $1', [account.accountId])).toEqual([
      { name: null, contact_email: ADDRESS, note: ADDRESS },
    ]);
    const after = await acts();
    const whole = ({ actor, ...act }: Reply['body']) => ({ ...act, details: null, by: actor.key_id });
    expect(after.slice(1).map(whole)).toEqual(before.map(whole));
    expect(after.find(({ act }) => act === 'key.create')?.actor).toEqual({ key_id: made.body.id, name: '' });
    expect(after.findLast(({ act }) => act === 'key.create')?.details).toMatchObject({ kind: 'live', name: '' });
    await query('DELETE FROM webhook_endpoints WHERE account_id = $1', [account.accountId]);
    await query('UPDATE accounts SET contact_email = NULL, note = NULL WHERE id = $1', [account.accountId]);
  });

  it('an erased address leaves the audit log nothing else to be changed', async () => {
    const named = { kind: 'test', name: `Key of ${ADDRESS}` };
    const { body } = await ask('/api/v1/keys', { body: named });
    await ask('/api/v1/keys', { key: body.api_key, body: { kind: 'test' } });
    const [act] = await query('SELECT * FROM audit_log WHERE account_id = $1 ORDER BY id', [account.accountId]);
    for (const change of [
      `details = details || '{"name": "another"}'`,
      `details = details || '{"kind": ""}'`,
      `details = details || '{"more": ""}'`,
      `details = details - 'name'`,
      `actor = ''`,
      `origin = ''`,
      `simulated = NULL`,
      `at = now()`,
    ])
      await expect(query(`UPDATE audit_log SET ${change} WHERE id = $1`, [act!.id])).rejects.toThrow(
        'only ever added to',
      );
    expect((await erase({ email: ADDRESS })).erased).toMatchObject({ names: 1, audit_entries: 2 });
  });

  it('an erased address is not taken for a longer one that ends or begins with it', async () => {
    const longer = [`jo${ADDRESS}`, `${ADDRESS}.org`, `x.${ADDRESS}`];
    sink.answer = (_, response) => response.writeHead(200).end(longer.join(' '));
    await ask('/api/v1/webhooks', { body: { url: sink.url('/longer') } });
    await expect.poll(async () => (await ask('/api/v1/webhooks')).body.webhooks[0].confirmed_at).not.toBeNull();
    for (const [i, text] of longer.entries()) {
      await ask('/api/v1/suppressions', { body: { sha256: [`${i}`.repeat(64)], reason: `${text} wrote to us` } });
      await ask('/api/v1/keys', { body: { kind: 'test', name: text } });
    }
    const agent = await call(service, '/agent-gateway/register', {
      body: { name: longer[0]!, purpose: longer[1]!, contact: longer[2]! },
    });
    await ask('/api/v1/claims', { key: account.liveKey, body: { claim_token: agent.body.claim_token } });
    const kept = async () => [
      await query(`SELECT reason FROM suppressions WHERE account_id = $1 ORDER BY reason`, [account.accountId]),
      await query(`SELECT name FROM api_keys WHERE name LIKE '%zarquon%' ORDER BY name`),
      await query(`SELECT purpose, contact FROM agent_registrations WHERE contact LIKE '%zarquon%'`),
      await query(`SELECT reply FROM webhook_attempts WHERE reply LIKE '%zarquon%'`),
      await query(`SELECT details FROM audit_log WHERE details::text LIKE '%zarquon%' ORDER BY id`),
    ];
    const before = await kept();
    expect(before.map((rows) => rows.length)).toEqual([3, 4, 1, 1, 4]);
    const none = { webhook_replies: 0, agents: 0, names: 0, audit_entries: 0 };
    expect((await erase({ email: ADDRESS })).erased).toMatchObject(none);
    expect(
      (await finished(await order({ email: ADDRESS }, { key: account.liveKey }), account.liveKey)).erased,
    ).toMatchObject(none);
    expect(await kept()).toEqual(before);
    for (const email of longer) {
      await erase({ email });
      await finished(await order({ email }, { key: account.liveKey }), account.liveKey);
    }
    expect((await kept()).slice(1)).toEqual([[], [], [], []]);
    expect(await traces()).toEqual([]);
  });

  it('an erased address leaves the mode of the key, and stays in the other', async () => {
    const sent = await ask(BATCHES, { body: { emails: [ADDRESS] } });
    await ended(BATCHES, sent.body.id);
    const id = await order({ email: ADDRESS }, { key: account.liveKey });
    expect((await finished(id, account.liveKey)).erased.rows).toBe(0);
    expect((await ask(`${ERASURES}/${id}`)).body.code).toBe('erasure_not_found');
    expect((await erase({ email: ADDRESS })).erased.rows).toBe(1);
  });
});

describe('an erasure', () => {
  it('an erasure waits for a batch that still runs, says so, and takes the address out when it has ended', async () => {
    const { databaseUrl: url } = service.env;
    const dueAt = new Date('2099-01-01');
    const id = await queueBatch(url, { accountId: account.accountId, emails: [ADDRESS], simulated: true, dueAt });
    const erasure = await order({ email: ADDRESS });
    time.later += 6_000;
    await get(ErasureWork).run();
    expect((await ask(`${ERASURES}/${erasure}`)).body).toMatchObject({
      status: 'waiting',
      batches_left: 1,
      waits_for: [{ id, kind: 'verify', status: 'queued' }],
      finished_at: null,
    });
    expect((await query('SELECT address IS NOT NULL AS kept FROM erasures WHERE id = $1', [erasure]))[0]).toEqual({
      kept: true,
    });
    await ask(`${BATCHES}/${id}`, { method: 'DELETE' });
    expect(await finished(erasure)).toMatchObject({
      status: 'done',
      batches_left: 0,
      waits_for: [],
      erased: { batches: 1 },
    });
    expect(await traces()).toEqual([]);
  });

  it('an erasure waits for no held batch: the row is empty, also where a verdict was to be given again, and costs nothing', async () => {
    const other = 'ann@gmail.com';
    const hold = async (path: string, body: object) =>
      (await ask(`${path}?hold=true`, { body })).body as { id: number; quote: { reusable: number } };
    for (const email of [ADDRESS, other]) await ask('/api/v1/verify', { body: { email, reuse_days: 1 } });
    await get(RecentVerdicts).flush();
    const held = await hold(BATCHES, { emails: [ADDRESS, other, ADDRESS], reuse_days: 1 });
    expect(held.quote.reusable).toBe(2);
    const people = await hold(PEOPLE, { people: [{ first_name: 'Ann', last_name: ADDRESS, domain: 'example.com' }] });
    const { erased, status } = await erase({ email: ADDRESS });
    expect([status, erased.batches]).toEqual(['done', 2]);
    expect(await traces()).toEqual([]);
    for (const [path, id] of [
      [BATCHES, held.id],
      [PEOPLE, people.id],
    ] as const) {
      expect((await ask(`${path}/${id}/start`, { method: 'POST' })).status).toBe(200);
      expect((await ended(path, id)).status).toBe('completed');
    }
    const { results } = (await ask(`${BATCHES}/${held.id}/results`)).body;
    expect(
      results.map(({ email, verdict, reason, credits_charged: credits }: Reply['body']) => [
        email,
        verdict,
        reason,
        credits,
      ]),
    ).toEqual([
      ['', 'invalid', 'invalid_syntax', 0],
      [other, 'valid', 'mailbox_exists', 0],
      ['', 'invalid', 'invalid_syntax', 0],
    ]);
    expect(await traces()).toEqual([]);
  });

  it('an erasure that meets a held batch which somebody starts looks through it when it has ended', async () => {
    const { body: held } = await ask(`${BATCHES}?hold=true`, { body: { emails: [ADDRESS] } });
    const erasure = await order({ email: ADDRESS });
    const starting = service.app.get(DataSource).createQueryRunner();
    await starting.startTransaction();
    let step: Promise<void>;
    try {
      // As a start does that has not been committed, and whose work waits.
      await starting.query(`UPDATE batches SET state = 'queued' WHERE id = $1`, [held.id]);
      step = get(ErasureWork).run();
      await expect.poll(() => query(WAITING_FOR_ROW)).toHaveLength(1);
      await starting.commitTransaction();
    } finally {
      await starting.release();
    }
    await step;
    const { status, waits_for: waitsFor } = (await ask(`${ERASURES}/${erasure}`)).body;
    expect([status, waitsFor]).toEqual(['waiting', [{ id: held.id, kind: 'verify', status: 'queued' }]]);
    await ask(`${BATCHES}/${held.id}`, { method: 'DELETE' });
    expect((await finished(erasure)).status).toBe('done');
    expect(await traces()).toEqual([]);
  });

  it('an erasure goes on wherever it was killed, and counts everything once', async () => {
    for (let i = 0; i < 3; i++) {
      const sent = await ask(BATCHES, { body: { emails: [ADDRESS, `other${i}@example.com`] } });
      await ended(BATCHES, sent.body.id);
    }
    const id = await order({ email: ADDRESS });
    // Each transaction of a step fails once at its end, as if its process had died there.
    await query(`CREATE SEQUENCE kills`);
    await query(`CREATE FUNCTION kill() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN IF nextval(''kills'') % 4 = 1 THEN RAISE EXCEPTION ''killed''; END IF; RETURN NEW; END'`);
    await query(`CREATE TRIGGER kill BEFORE UPDATE ON erasures FOR EACH ROW WHEN (NEW.failures <= OLD.failures)
      EXECUTE FUNCTION kill()`);
    let kills = 0;
    try {
      await bodyOnce(
        async () => {
          // Beyond the pause after a failure.
          time.later += 60_000;
          await get(ErasureWork).run();
          return ask(`${ERASURES}/${id}`);
        },
        ({ finished_at }) => finished_at !== null,
      );
      kills = Math.ceil(Number((await query('SELECT last_value FROM kills'))[0]!.last_value) / 4);
    } finally {
      await query('DROP TRIGGER kill ON erasures');
      await query('DROP FUNCTION kill()');
      await query('DROP SEQUENCE kills');
    }
    expect(kills).toBeGreaterThan(1);
    expect((await ask(`${ERASURES}/${id}`)).body.erased).toMatchObject({ batches: 3, rows: 3 });
    expect(await traces()).toEqual([]);
  });

  it('an erasure that cannot go on holds up no other one, tries again after growing pauses, and ends when it can', async () => {
    await ask('/api/v1/suppressions', { body: { email: 'stuck@example.com' } });
    await query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN RAISE EXCEPTION ''stuck@example.com''; END'`);
    await query('CREATE TRIGGER refuse BEFORE DELETE ON suppressions FOR EACH ROW EXECUTE FUNCTION refuse()');
    const stuck = await order({ email: 'stuck@example.com' });
    const failures = async () => {
      const [row] = await query('SELECT failures, due_at FROM erasures WHERE id = $1', [stuck]);
      return {
        count: Number(row!.failures),
        pause: Math.ceil(((row!.due_at as Date).getTime() - time.now()) / 1_000),
      };
    };
    try {
      expect(await erase({ email: 'other@example.com' })).toMatchObject({ status: 'done' });
      const { count } = await failures();
      time.later += 3_600_000;
      await get(ErasureWork).run();
      expect(await failures()).toEqual({ count: count + 1, pause: 5 * 2 ** count });
      expect((await ask(`${ERASURES}/${stuck}`)).body.status).toBe('working');
    } finally {
      await query('DROP TRIGGER refuse ON suppressions');
      await query('DROP FUNCTION refuse()');
    }
    time.later += 3_600_000;
    expect(await finished(stuck)).toMatchObject({ status: 'done', erased: { suppressions: 1 } });
    expect((await query('SELECT failures FROM erasures WHERE id = $1', [stuck]))[0]).toEqual({ failures: 0 });
  });

  it('an erasure whose steps fail for three days has failed, and its account and administrators are told', async () => {
    await ask('/api/v1/suppressions', { body: { email: 'stuck@example.com' } });
    await query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END'`);
    await query('CREATE TRIGGER refuse BEFORE DELETE ON suppressions FOR EACH ROW EXECUTE FUNCTION refuse()');
    const stuck = await order({ email: 'stuck@example.com' });
    const key = await admin();
    const seen = async (status: string) =>
      (await call(service, `/admin/v1/erasures?account_id=${account.accountId}&status=${status}`, { key })).body
        .erasures;
    const begun = time.now();
    let tries = 0;
    try {
      for (; (await ask(`${ERASURES}/${stuck}`)).body.status === 'working'; tries++) {
        const [row] = await query('SELECT due_at FROM erasures WHERE id = $1', [stuck]);
        time.later += Math.max(1, (row!.due_at as Date).getTime() - time.now() + 1);
        await get(ErasureWork).run(() => false);
        if (tries === 1) expect(await seen('working')).toMatchObject([{ id: stuck, failure: null, test: true }]);
      }
    } finally {
      await query('DROP TRIGGER refuse ON suppressions');
      await query('DROP FUNCTION refuse()');
    }
    expect(tries).toBe(80);
    expect(Math.round((time.now() - begun) / 86_400_000)).toBe(3);
    const { body } = await ask(`${ERASURES}/${stuck}`);
    expect(body).toMatchObject({ status: 'failed', failure: 'steps_failed', finished_at: expect.any(String) });
    const [told] = await seen('failed');
    expect(told).toMatchObject({ ...body, account_id: account.accountId, failed_steps: 80, due_at: null });
    expect((await query('SELECT address FROM erasures WHERE id = $1', [stuck]))[0]).toEqual({ address: null });
    expect(await erase({ email: 'stuck@example.com' })).toMatchObject({ failure: null, erased: { suppressions: 1 } });
  });

  it('an erasure takes turns by account: ten thousand orders of one do not hold up the first of another', async () => {
    await query(
      `INSERT INTO erasures (account_id, simulated, address, suppressed, state, created_at, due_at)
       SELECT $1, true, '\\x00', false, 'working', now(), now() - interval '1 day' FROM generate_series(1, 10000)`,
      [account.accountId],
    );
    const other = await createFullAccount({ url: service.env.databaseUrl });
    const first = await order({ email: ADDRESS }, { key: other.testKey });
    let steps = 0;
    const isLookedAt = async () =>
      (await query('SELECT looked_at FROM erasures WHERE id = $1', [first]))[0]!.looked_at !== null;
    while (!(await isLookedAt())) {
      let asked = 0;
      time.later += 1;
      await get(ErasureWork).run(() => asked++ > 0);
      steps += 1;
    }
    expect(steps).toBeLessThanOrEqual(2);
    await query('DELETE FROM erasures WHERE account_id = $1', [account.accountId]);
    await finished(first, other.testKey);
  });

  it('an erasure takes turns with others: one of many large batches does not keep one of none waiting', async () => {
    const { databaseUrl: url } = service.env;
    for (let i = 0; i < 3; i++) {
      const sent = await ask(BATCHES, { body: { emails: [ADDRESS, `turn${i}@example.com`] } });
      await ended(BATCHES, sent.body.id);
    }
    const large = await order({ email: ADDRESS });
    time.later += 1_000;
    const other = await createFullAccount({ url });
    const small = await order({ email: ADDRESS }, { key: other.testKey });
    time.later += 6_000;
    let steps = 0;
    const isLookedAt = async () =>
      (await query('SELECT looked_at FROM erasures WHERE id = $1', [small]))[0]!.looked_at !== null;
    // Stopped after each step, as by a process that ends.
    while (!(await isLookedAt())) {
      let asked = 0;
      time.later += 1;
      await get(ErasureWork).run(() => asked++ > 0);
      steps += 1;
    }
    expect(steps).toBeLessThanOrEqual(2);
    expect((await finished(large)).erased.rows).toBe(3);
    await finished(small, other.testKey);
  });

  it('an erasure by several processes at once counts everything once', async () => {
    for (let i = 0; i < 4; i++) {
      const sent = await ask(BATCHES, { body: { emails: [ADDRESS] } });
      await ended(BATCHES, sent.body.id);
    }
    const id = await order({ email: ADDRESS });
    time.later += 6_000;
    await Promise.all(Array.from({ length: 4 }, () => get(ErasureWork).run()));
    expect((await finished(id)).erased).toMatchObject({ batches: 4, rows: 4 });
  });

  it('an erasure given twice finds nothing the second time', async () => {
    const sent = await ask(BATCHES, { body: { emails: [ADDRESS] } });
    await ended(BATCHES, sent.body.id);
    expect((await erase({ email: ADDRESS })).erased.rows).toBe(1);
    const none = { batches: 0, rows: 0, webhook_bodies: 0, webhook_replies: 0, kept_replies: 0, kept_verdicts: 0 };
    const others = { suppressions: 0, agents: 0, names: 0, audit_entries: 0 };
    expect((await erase({ email: ADDRESS })).erased).toEqual({ ...none, ...others });
  });

  it('an erasure with the same idempotency key is one', async () => {
    const headers = { 'idempotency-key': 'forget-1' };
    const first = await order({ email: ADDRESS }, { headers });
    expect(await order({ email: ADDRESS }, { headers })).toBe(first);
    await finished(first);
    expect(await order({ email: ADDRESS }, { headers })).toBe(first);
  });

  it('an erasure keeps the address sealed while it works, and forgets it with its end', async () => {
    const id = await order({ email: ADDRESS });
    expect(await traces()).toEqual([]);
    await finished(id);
    const [row] = await query('SELECT address, state FROM erasures WHERE id = $1', [id]);
    expect(row).toEqual({ address: null, state: 'done' });
  });

  it('an erasure whose address nothing can open any more has failed, and says so', async () => {
    const id = await order({ email: ADDRESS });
    await query(`UPDATE erasures SET address = '\\x00' WHERE id = $1`, [id]);
    expect(await finished(id)).toMatchObject({ status: 'failed', failure: 'address_unreadable' });
  });

  it.each([
    { email: 'nobody' },
    { email: '' },
    { email: ['a@example.com'] },
    { email: 'a@example.com', suppress: 'no' },
    { email: 'a\u0000b@example.com' },
    { email: 'a\ud800@example.com' },
    { email: `${'a'.repeat(255)}@example.com` },
    {},
  ])('an erasure is not begun by %j', async (body) => {
    const { status, body: reply } = await ask(ERASURES, { body });
    expect([status, reply.code]).toEqual([422, 'invalid_input']);
  });

  it('an erasure is listed, newest first and a page at a time, for its own account and mode alone, without the address', async () => {
    const ids: string[] = [];
    for (const email of [ADDRESS, `b.${ADDRESS}`, `c.${ADDRESS}`]) ids.unshift(await order({ email }));
    const { body: first, status } = await ask(`${ERASURES}?limit=2`);
    expect(status).toBe(200);
    expect(JSON.stringify(first)).not.toContain(WORD);
    const { body: second } = await ask(`${ERASURES}?limit=2&cursor=${first.next_cursor}`);
    expect([...first.erasures, ...second.erasures].map(({ id }) => id)).toEqual(ids);
    expect(second.next_cursor).toBeNull();
    expect(first.erasures[0]).toEqual((await ask(`${ERASURES}/${ids[0]}`)).body);
    const stranger = await createFullAccount({ url: service.env.databaseUrl });
    for (const key of [account.liveKey, stranger.testKey])
      expect((await ask(ERASURES, { key })).body).toEqual({ erasures: [], next_cursor: null });
    const { status: refused, body: reply } = await ask(`${ERASURES}?cursor=invented`);
    expect([refused, reply.code]).toEqual([422, 'invalid_input']);
  });

  it('an erasure is refused while a hundred of the account are under way', async () => {
    await query(
      `INSERT INTO erasures (account_id, simulated, address, suppressed, state, created_at, due_at)
       SELECT $1, true, '\\x00', false, 'waiting', now(), 'infinity' FROM generate_series(1, 100)`,
      [account.accountId],
    );
    const { status, body } = await ask(ERASURES, { body: { email: ADDRESS } });
    expect([status, body.code]).toEqual([409, 'too_many_erasures']);
  });
});

async function admin(): Promise<string> {
  const { createAdminKey } = await import('../support/admin.js');
  return (adminKey ??= await createAdminKey(service));
}
let adminKey: string | undefined;

describe('what is made while an address is erased', () => {
  it('a body of an event, begun before and kept after, is made again without it', async () => {
    const sent = await ask(BATCHES, { body: { emails: [ADDRESS] } });
    await ended(BATCHES, sent.body.id);
    const { EventBodyStore } = await import('../../src/events/event-bodies.service.js');
    const store = service.app.get(EventBodyStore, { strict: false });
    const sql = service.app.get(DataSource);
    await sql.query(
      `INSERT INTO webhook_events (id, account_id, simulated, type, created_at, batch_id, data)
       VALUES (gen_random_uuid(), $1, true, 'batch.completed', now(), $2, '{}')`,
      [account.accountId, sent.body.id],
    );
    const [{ id }] = await sql.query('SELECT id FROM webhook_events WHERE batch_id = $1', [sent.body.id]);
    const begun = (await store.find(id, 10))!;
    await erase({ email: ADDRESS });
    expect((await store.keep(begun, 10, `"${ADDRESS}"`))?.body).toBeNull();
    const { EventBodiesService } = await import('../../src/events/event-bodies.service.js');
    const { text: body } = (await service.app.get(EventBodiesService, { strict: false }).get(id, 10))!;
    expect(body).toContain('"email":""');
    expect(await traces()).toEqual([]);
  });
});
