import { randomInt, randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { onDatabase, queueBatch } from '../support/batches.js';
import { call, type Call, register, type Reply } from '../support/call.js';
import { ManualClock } from '../support/manual-clock.js';
import { post, request } from '../support/mcp.js';
import { routesOf } from '../support/routes.js';
import { startService, type TestService } from '../support/service.js';
import { startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';

const HASH = 'a'.repeat(64);

let service: TestService;
let sink: WebhookSink;
let account: FullAccount;
const clock = new ManualClock(Date.parse('2026-11-22T12:00:00Z'));

beforeAll(async () => {
  sink = await startWebhookSink();
  // Nobody works: what is queued stays so.
  const env = { ...TO_LOOPBACK, role: 'api', trustedProxies: ['127.0.0.0/8'], registrationsPerHour: 100 } as const;
  service = await startService({ env, clock });
});

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl });
});

afterAll(async () => {
  await service.close();
  await sink.close();
});

// oxlint-disable-next-line typescript/no-explicit-any
const sql = (text: string, values: unknown[] = []): Promise<any[]> => service.app.get(DataSource).query(text, values);

/** From an address of its own, as a trusted proxy tells it. */
const FROM = '203.0.113.9';
const send = (method: string, path: string, body?: unknown, options: Call = {}): Promise<Reply> =>
  call(service, path, {
    key: account.liveKey,
    method,
    ...(body !== undefined && { body }),
    ...options,
    headers: { 'x-forwarded-for': FROM, ...options.headers },
  });

const rowsOf = () => sql('SELECT * FROM audit_log WHERE account_id = $1 ORDER BY id', [account.accountId]);

async function newKey(): Promise<string> {
  return (await send('POST', '/api/v1/keys', { kind: 'test' })).body.id;
}

let claimToken = '';

async function newAgent(): Promise<string> {
  const { body } = await call(service, '/agent-gateway/register', { method: 'POST' });
  claimToken = body.claim_token;
  return (await sql(`SELECT id FROM api_keys WHERE kind = 'agent' AND last_four = $1`, [body.api_key.slice(-4)]))[0].id;
}

async function newWebhook(): Promise<string> {
  return (await send('POST', '/api/v1/webhooks', { url: sink.url(`/${randomUUID()}?token=secret-of-theirs`) })).body.id;
}

async function newBatch(kind: 'verify' | 'find', state: 'queued' | 'completed'): Promise<number> {
  const { databaseUrl } = service.env;
  const id = await queueBatch(databaseUrl, { accountId: account.accountId, emails: ['a@example.com'], kind });
  const finished = `UPDATE batches SET state = 'completed', finished_at = now(), open_chunks = 0, expires_at = now() + interval '1 day' WHERE id = $1`;
  if (state === 'completed') await onDatabase(databaseUrl, finished, [id]);
  return id;
}

async function newScheduledList(): Promise<number> {
  const id = await newBatch('verify', 'completed');
  await send('POST', `/api/v1/lists/${id}/schedule`, { every_days: 7 });
  return id;
}

async function newMonitor(): Promise<number> {
  return (await send('POST', '/api/v1/monitors', { kind: 'domain', target: 'example.com', enabled: false })).body.id;
}

/** @returns the id of its monitor, and its own */
async function newFinding(): Promise<string> {
  const monitor = await newMonitor();
  await sql(
    `INSERT INTO monitor_findings (id, monitor_id, code, subject, area, severity, state, first_seen_at, last_seen_at, seen_runs,
                                   clean_runs, flips, explanation, evidence)
     VALUES ($1, $1, 'dmarc_missing', 'example.com', 'dmarc', 'critical', 'open', now(), now(), 1, 0, '{}', '', '{}')`,
    [monitor],
  );
  return `${monitor}/${monitor}`;
}

/** As its room keeps it: no receiver is here that a test could wait at. */
async function newPlacementTest(state: 'waiting' | 'completed'): Promise<number> {
  const id = randomInt(2 ** 40, 2 ** 47);
  await sql(
    `INSERT INTO placement_tests (id, account_id, simulated, key_id, token, seeds, state, credits_reserved, settle_minutes, created_at,
                                  expires_at, due_at, settled_at)
     VALUES ($1::bigint, $2, false, gen_random_uuid(), $1::text, '"none"', $3::text, 0, 30, now(), now() + interval '1 hour',
             CASE $3::text WHEN 'waiting' THEN now() END, CASE $3::text WHEN 'completed' THEN now() END)`,
    [id, account.accountId, state],
  );
  return id;
}

interface Act {
  readonly act: string;
  /** Makes what is acted on. @returns its id */
  readonly prepare?: () => Promise<string | number>;
  readonly body?: unknown;
  /** What else of the act the entry tells. */
  readonly details?: object;
  /** Does not make it good: nothing is there, or it may not be. */
  readonly refused: { readonly id?: string | number; readonly body?: unknown };
}

const NOBODY = randomUUID();
const NO_BATCH = 987_654_321;
async function newHeldBatch(kind: 'verify' | 'find'): Promise<number> {
  const [path, body] =
    kind === 'verify'
      ? ['/api/v1/verify/batch', { emails: ['a@example.com'] }]
      : ['/api/v1/finder/batch', { people: [{ full_name: 'Jane Doe', domain: 'example.com' }] }];
  return (await send('POST', `${path}?hold=true`, body)).body.id;
}

const startOf = (kind: 'verify' | 'find'): Act[] => [
  {
    act: 'batch.start',
    prepare: () => newHeldBatch(kind),
    details: { kind, credits_reserved: 1 },
    refused: { id: NO_BATCH },
  },
];
const keepOf = (kind: 'verify' | 'find'): Act[] => [
  {
    act: 'batch.retention',
    prepare: () => newBatch(kind, 'completed'),
    body: { retention_days: 3 },
    details: { kind, retention_days: 3 },
    refused: { id: NO_BATCH, body: { retention_days: 3 } },
  },
];
const batchActs = (kind: 'verify' | 'find'): Act[] => [
  { act: 'batch.cancel', prepare: () => newBatch(kind, 'queued'), details: { kind }, refused: { id: NO_BATCH } },
  { act: 'batch.delete', prepare: () => newBatch(kind, 'completed'), details: { kind }, refused: { id: NO_BATCH } },
];

/** What each mutating route leaves in the log. */
const ACTS: Readonly<Record<string, readonly Act[]>> = {
  'POST /api/v1/keys': [
    {
      act: 'key.create',
      body: { name: 'mine' },
      details: { kind: 'live', name: 'mine' },
      refused: { body: { kind: 'admin' } },
    },
  ],
  'PATCH /api/v1/keys/:id': [
    {
      act: 'key.change',
      prepare: newKey,
      body: { name: 'Form', permissions: ['verify'], networks: ['192.0.2.1'] },
      details: { name: 'Form', permissions: ['verify'], networks: ['192.0.2.1/32'] },
      refused: { body: { networks: ['nowhere'] } },
    },
  ],
  'POST /api/v1/keys/:id/rotate': [
    {
      act: 'key.rotate',
      prepare: newKey,
      body: { grace_seconds: 60 },
      details: { grace_seconds: 60 },
      refused: { id: NOBODY },
    },
  ],
  'POST /api/v1/claims': [
    {
      act: 'agent.claim',
      prepare: newAgent,
      body: {},
      details: { name: null },
      refused: { body: { claim_token: 'ms_claim_' } },
    },
  ],
  'DELETE /api/v1/keys/:id': [{ act: 'key.revoke', prepare: newKey, refused: { id: NOBODY } }],
  'POST /api/v1/webhooks': [{ act: 'webhook.create', body: {}, refused: { body: { url: 'ftp://nowhere' } } }],
  'PATCH /api/v1/webhooks/:id': [
    {
      act: 'webhook.change',
      prepare: newWebhook,
      body: { enabled: false },
      details: { changed: ['enabled'], enabled: false },
      refused: { id: NOBODY, body: { enabled: false } },
    },
  ],
  'DELETE /api/v1/webhooks/:id': [{ act: 'webhook.delete', prepare: newWebhook, refused: { id: NOBODY } }],
  'POST /api/v1/webhooks/:id/rotate-secret': [
    { act: 'webhook.rotate_secret', prepare: newWebhook, refused: { id: NOBODY } },
  ],
  'PATCH /api/v1/lists/:id': [
    {
      act: 'list.rename',
      prepare: () => newBatch('verify', 'completed'),
      body: { name: 'new' },
      refused: { id: NO_BATCH, body: { name: 'new' } },
    },
  ],
  'POST /api/v1/lists/:id/schedule': [
    {
      act: 'list.schedule',
      prepare: () => newBatch('verify', 'completed'),
      body: { every_days: 7 },
      details: { every_days: 7, enabled: true },
      refused: { id: NO_BATCH, body: { every_days: 7 } },
    },
  ],
  'DELETE /api/v1/lists/:id/schedule': [
    { act: 'list.unschedule', prepare: newScheduledList, refused: { id: NO_BATCH } },
  ],
  'DELETE /api/v1/lists/:id': [
    { act: 'list.delete', prepare: () => newBatch('verify', 'completed'), refused: { id: NO_BATCH } },
  ],
  'POST /api/v1/verify/batch/:id/start': startOf('verify'),
  'POST /api/v1/finder/batch/:id/start': startOf('find'),
  'PATCH /api/v1/verify/batch/:id': keepOf('verify'),
  'PATCH /api/v1/finder/batch/:id': keepOf('find'),
  'DELETE /api/v1/verify/batch/:id': batchActs('verify'),
  'DELETE /api/v1/finder/batch/:id': batchActs('find'),
  'POST /api/v1/suppressions': [
    {
      act: 'suppression.add',
      body: { emails: ['jane@example.com', 'kim@example.com'] },
      details: { asked: 2, added: 2 },
      refused: { body: { email: 'no address' } },
    },
  ],
  'DELETE /api/v1/suppressions/:id': [
    {
      act: 'suppression.remove',
      prepare: async () => (await send('POST', '/api/v1/suppressions', { sha256: [HASH] })).body.suppressions[0].id,
      details: { hash: HASH },
      refused: { id: 'b'.repeat(64) },
    },
  ],
  'POST /api/v1/erasures': [
    {
      act: 'address.erase',
      body: { email: 'jane@example.com', suppress: true },
      details: { erasure_id: expect.any(String), suppress: true },
      refused: { body: { email: 'no address' } },
    },
  ],
  'POST /api/v1/monitors': [
    {
      act: 'monitor.create',
      body: { kind: 'domain', target: 'example.com' },
      details: { kind: 'domain' },
      refused: { body: { kind: 'domain', target: 'co.uk' } },
    },
  ],
  'PATCH /api/v1/monitors/:id': [
    { act: 'monitor.change', prepare: newMonitor, body: { name: 'new' }, refused: { id: NO_BATCH, body: {} } },
  ],
  'DELETE /api/v1/monitors/:id': [{ act: 'monitor.delete', prepare: newMonitor, refused: { id: NO_BATCH } }],
  'PATCH /api/v1/monitors/:id/findings/:finding_id': [
    {
      act: 'monitor.mute',
      prepare: newFinding,
      body: { note: 'known' },
      refused: { id: `${NO_BATCH}/1`, body: { note: 'known' } },
    },
  ],
  'PATCH /api/v1/monitors/:id/lists/:list': [
    {
      act: 'monitor.mute',
      prepare: async () => `${await newMonitor()}/psbl`,
      body: { muted_until: '2126-01-31T12:00:00Z' },
      refused: { id: `${NO_BATCH}/psbl`, body: { muted_until: '2126-01-31T12:00:00Z' } },
    },
  ],
  'DELETE /api/v1/placement/tests/:id': [
    { act: 'placement.cancel', prepare: () => newPlacementTest('waiting'), refused: { id: NO_BATCH } },
    { act: 'placement.delete', prepare: () => newPlacementTest('completed'), refused: { id: NO_BATCH } },
  ],
  'PATCH /api/v1/batch-settings': [
    {
      act: 'batch.settings',
      body: { retention_days: 3 },
      details: { retention_days: 3, retry_window_seconds: null },
      refused: { body: { retention_days: 0 } },
    },
  ],
  'PATCH /api/v1/verification-settings': [
    { act: 'verification.settings', body: { reuse: false }, details: { reuse: false }, refused: { body: {} } },
  ],
  'PATCH /api/v1/suppression-settings': [
    {
      act: 'suppression.settings',
      body: { report_in_verify: true },
      details: { report_in_verify: true },
      refused: { body: {} },
    },
  ],
};

/** Routes that change something and leave no entry. */
const WITHOUT_ENTRY: Readonly<Record<string, string>> = {
  'POST /api/v1/verify': 'work, which the ledger tells',
  'POST /api/v1/estimate': 'changes nothing',
  'POST /api/v1/verify/preview': 'changes nothing',
  'POST /api/v1/blacklists/check': 'work, which the ledger tells',
  'POST /api/v1/domains/check': 'work, which the ledger tells',
  'POST /api/v1/monitors/:id/run': 'work, which the ledger tells',
  'POST /api/v1/monitors/:id/verify-ownership': 'the DNS decides: who may publish there',
  'POST /api/v1/placement/analyze': 'work, which the ledger tells',
  'POST /api/v1/placement/tests': 'work, which the ledger tells',
  'POST /api/v1/verify/batch':
    'work: the batch itself tells who sent it and when; an endpoint that it makes has an entry',
  'POST /api/v1/finder/email': 'work, which the ledger tells',
  'POST /api/v1/finder/batch': 'as a batch of addresses',
  'POST /api/v1/webhooks/:id/test': 'the log of deliveries tells it',
  'POST /api/v1/webhooks/:id/samples/:event': 'the log of deliveries tells it',
  'POST /api/v1/webhooks/:id/redeliver': 'the log of deliveries tells it',
  'POST /api/v1/webhooks/deliveries/:id/redeliver': 'the log of deliveries tells it',
  'POST /agent-gateway/register': 'agent_registrations tells who registered, when and from where',
  'POST /about-these-connections': 'mails a link, which changes nothing by itself',
  'POST /about-these-connections/opt-out': 'the log of administrators tells it: no account has done it',
  'POST /try': 'the simulated world, and nobody whose act it would be',
  'POST /console/session': 'a way to use a key, as each request is; the row of the session tells when and from where',
  'DELETE /console/session': 'as signing in',
  'POST /mcp': 'each tool is one of the routes above; see the tools',
};

/** Tools that change something: an act of each would have to stand in the log as a route's does. */
const TOOLS_WITHOUT_ENTRY: Readonly<Record<string, string>> = {
  verify_email: 'work, which the ledger tells',
  verify_batch: 'as POST /api/v1/verify/batch',
  get_api_key: 'as POST /agent-gateway/register',
};

const cases = Object.entries(ACTS).flatMap(([route, acts]) => acts.map((act) => [route, act.act, act] as const));

function asked(route: string, id: string | number | undefined, body: unknown): readonly [string, string, unknown] {
  const [method, pattern] = route.split(' ') as [string, string];
  return [
    method,
    pattern.replace(':id', String(id).split('/')[0]!).replace(/:(finding_id|list)$/, String(id).split('/').at(-1)!),
    JSON.stringify(body) === '{}' ? (freshBody(route) ?? body) : body,
  ];
}

/** Each endpoint has a URL of its own, and each agent a token. */
function freshBody(route: string): object | null {
  if (route === 'POST /api/v1/webhooks') return { url: sink.url(`/${randomUUID()}`) };
  return route === 'POST /api/v1/claims' ? { claim_token: claimToken } : null;
}

/* RFC 9110 section 9.2.1. */
const SAFE_METHODS = ['GET', 'OPTIONS'];

it('every route of accounts that changes something leaves an entry, or has a reason why it leaves none', () => {
  const mutating = routesOf(service.app)
    .filter(({ method, audience }) => !SAFE_METHODS.includes(method) && audience !== 'admin')
    .map(({ method, path }) => `${method} ${path}`);
  expect(mutating.sort()).toEqual([...Object.keys(ACTS), ...Object.keys(WITHOUT_ENTRY)].sort());
});

it('every tool that changes something does work only, or registers', async () => {
  const { body } = await post(service, request('tools/list'), { key: account.liveKey });
  const tools = body.result.tools as { name: string; annotations: { readOnlyHint: boolean } }[];
  const { result } = (await post(service, request('tools/list'))).body;
  const all = new Map([...tools, ...result.tools].map((tool) => [tool.name, tool]));
  const changing = [...all.values()].filter(({ annotations }) => !annotations.readOnlyHint).map(({ name }) => name);
  expect(new Set(changing)).toEqual(new Set(Object.keys(TOOLS_WITHOUT_ENTRY)));
});

describe('an act', () => {
  it.each(cases)(
    'an act by %s leaves one entry of %s, which names the actor, the time and the address',
    async (route, name, act) => {
      const id = await act.prepare?.();
      const before = await rowsOf();
      const { status } = await send(...asked(route, id, act.body));
      expect([200, 201, 202, 204]).toContain(status);
      const [entry, ...more] = (await rowsOf()).slice(before.length);
      expect(more).toEqual([]);
      const [{ id: actor }] = await sql(
        `SELECT id FROM api_keys WHERE account_id = $1 AND kind = 'live' ORDER BY created_at LIMIT 1`,
        [account.accountId],
      );
      expect(entry).toMatchObject({
        action: name,
        actor_id: actor,
        actor: `live key ${actor}`,
        origin: FROM,
        account_id: account.accountId,
        simulated: false,
        details: act.details ?? {},
      });
      expect(entry.at.getTime()).toBe(clock.now());
      const told = JSON.stringify(entry);
      if (id !== undefined) for (const part of String(id).split('/')) expect(told).toContain(part);
      expect(told).not.toMatch(/ms_(live|test|claim)_|whsec_|secret-of-theirs|jane@/);
    },
  );

  it.each(cases)('an act by %s that is refused leaves no entry of %s', async (route, _, { refused }) => {
    const before = await rowsOf();
    const { status } = await send(...asked(route, refused.id, refused.body));
    expect([404, 422]).toContain(status);
    expect(await rowsOf()).toEqual(before);
  });

  it.each(cases)(
    'an act by %s that is killed before its end has not happened and leaves no entry of %s',
    async (route, _, act) => {
      const id = await act.prepare?.();
      const before = [await rowsOf(), await everything()];
      const blocker = service.app.get(DataSource).createQueryRunner();
      await blocker.startTransaction();
      try {
        await blocker.query('LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE');
        const killed = send(...asked(route, id, act.body));
        // All else is done by then, in a transaction that waits to write its entry.
        await expect.poll(() => sql(END_WHO_WAITS)).toEqual([{ ended: true }]);
        expect((await killed).body).toMatchObject({ code: 'unavailable' });
      } finally {
        await blocker.rollbackTransaction();
        await blocker.release();
      }
      expect([await rowsOf(), await everything()]).toEqual(before);
    },
  );

  it('an act that comes again with its idempotency key leaves one entry', async () => {
    const options = { headers: { 'idempotency-key': randomUUID() } };
    for (const replayed of [null, 'true']) {
      const { status, headers } = await send('POST', '/api/v1/keys', {}, options);
      expect([status, headers.get('idempotent-replayed')]).toEqual([201, replayed]);
    }
    expect(await rowsOf()).toHaveLength(1);
  });

  it('an act of a batch that makes an endpoint leaves an entry for the endpoint, once', async () => {
    const body = { emails: ['a@example.com'], webhook_url: sink.url(`/${randomUUID()}`) };
    for (const status of [201, 201]) expect((await send('POST', '/api/v1/verify/batch', body)).status).toBe(status);
    const rows = await rowsOf();
    expect(rows).toMatchObject([{ action: 'webhook.create', details: { host: new URL(body.webhook_url).host } }]);
  });
});

const END_WHO_WAITS = `
  SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
   WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO audit_log%'`;

/** All that accounts can change, without what is written beside an act. */
async function everything(): Promise<unknown> {
  const keys = await sql('SELECT id, revoked_at FROM api_keys WHERE account_id = $1 ORDER BY id', [account.accountId]);
  const tables = [
    'webhook_endpoints',
    'batches',
    'suppressions',
    'suppression_settings',
    'monitors',
    'credit_balances',
  ];
  const rows = await Promise.all(
    tables.map((table) => sql(`SELECT * FROM ${table} WHERE account_id = $1 ORDER BY 1, 2`, [account.accountId])),
  );
  return [keys, rows];
}

it.each([
  ['without a port', '203.0.113.9:5678', '203.0.113.9'],
  ['as IPv4 where it is mapped into IPv6', '::ffff:203.0.113.9', '203.0.113.9'],
  ['as unknown where the proxy hides it', '_hidden', 'unknown'],
])('an act of an account or an administrator names the client %s', async (_, forwarded, origin) => {
  const headers = { 'x-forwarded-for': forwarded };
  const admin = await createAdminKey(service);
  await send('POST', '/api/v1/suppressions', { sha256: [HASH] }, { headers });
  await call(service, `/admin/v1/accounts/${account.accountId}/resume`, { method: 'POST', key: admin, headers });
  expect(await rowsOf()).toMatchObject([
    { action: 'suppression.add', origin },
    { action: 'account.resume', origin },
  ]);
});

describe('GET /api/v1/audit', () => {
  const audit = (key: string, query = '') => call(service, `/api/v1/audit${query}`, { key });

  it('GET /api/v1/audit shows a live key the acts of live keys, and a test key the acts of test keys', async () => {
    await send('POST', '/api/v1/suppressions', { sha256: [HASH] });
    await send('POST', '/api/v1/keys', { kind: 'test' }, { key: account.testKey });
    const acts = async (key: string) => (await audit(key)).body.entries.map(({ act }: { act: string }) => act);
    expect(await acts(account.liveKey)).toEqual(['suppression.add']);
    expect(await acts(account.testKey)).toEqual(['key.create']);
    const stranger = await createFullAccount({ url: service.env.databaseUrl });
    expect(await acts(stranger.liveKey)).toEqual([]);
    expect((await audit(await register(service))).body.code).toBe('full_account_required');
  });

  it('GET /api/v1/audit shows actor, action, time and address, newest first, a page at a time', async () => {
    const ids: string[] = [];
    for (const name of ['first', 'second', 'third'])
      ids.unshift((await send('POST', '/api/v1/keys', { name })).body.id as string);
    const first = await audit(account.liveKey, '?limit=2');
    expect(first.body.entries[0]).toEqual({
      id: expect.any(Number),
      at: new Date(clock.now()).toISOString(),
      actor: { key_id: expect.any(String), name: expect.stringContaining('live key') },
      from: FROM,
      act: 'key.create',
      key_id: ids[0],
      details: { kind: 'live', name: 'third', expires_at: null, permissions: null, networks: null },
    });
    const second = await audit(account.liveKey, `?limit=2&cursor=${first.body.next_cursor}`);
    const told = [...first.body.entries, ...second.body.entries].map(({ key_id }: { key_id: string }) => key_id);
    expect(told).toEqual(ids);
    expect(second.body.next_cursor).toBeNull();
  });

  it('GET /api/v1/audit does not show the acts of administrators, whose reasons and machines are private; they see both', async () => {
    const admin = await createAdminKey(service);
    const path = `/admin/v1/accounts/${account.accountId}`;
    await call(service, `${path}/credits/grant`, { key: admin, body: { amount: 5, reason: 'between us' } });
    await send('POST', '/api/v1/keys', { kind: 'test' }, { key: account.testKey });
    await send('POST', '/api/v1/suppressions', { sha256: [HASH] });
    expect((await audit(account.liveKey)).body.entries).toMatchObject([{ act: 'suppression.add' }]);
    const { body } = await call(service, `/admin/v1/audit?account_id=${account.accountId}`, { key: admin });
    expect(body.entries).toMatchObject([
      { act: 'suppression.add', mode: 'live', from: FROM },
      { act: 'key.create', mode: 'test', from: FROM },
      { act: 'credits.grant', mode: null },
    ]);
  });
});
