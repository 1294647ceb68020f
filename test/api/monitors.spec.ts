import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MonitorTermsService } from '../../src/deliverability/monitors/monitor-terms.service.js';
import { MonitorUpkeep } from '../../src/deliverability/monitors/monitor-upkeep.js';
import { MonitorSweep } from '../../src/deliverability/monitors/monitor-sweep.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey, runAdmin } from '../support/admin.js';
import { onDatabase } from '../support/batches.js';
import { call, register, type Reply } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';
import { startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';

const SECOND = 1_000;
const DAY = 86_400_000;

// Nothing runs by itself: only `runs` moves the time, and the service has no timer.
const time = { at: Date.now(), now: () => time.at };
let service: TestService;
let sink: WebhookSink;
let account: FullAccount;

beforeAll(async () => {
  [sink, service] = await Promise.all([startWebhookSink(), startService({ env: TO_LOOPBACK, clock: time })]);
});

afterAll(async () => {
  await service.close();
  await sink.close();
});

beforeEach(async () => {
  await query('DELETE FROM monitors');
  account = await createFullAccount({ url: service.env.databaseUrl }, { plan: 'pro' });
});

const query = (sql: string, values: unknown[] = []) => onDatabase(service.env.databaseUrl, sql, values);
const ask = (path: string, options: Parameters<typeof call>[2] = {}) =>
  call(service, `/api/v1${path}`, { key: account.testKey, ...options });
const create = (body: object, key = account.testKey, headers = {}) =>
  call(service, '/api/v1/monitors', { key, body, headers });
const sweep = () => service.app.get(MonitorSweep).runDue();

async function made(body: object): Promise<number> {
  const { status, body: monitor } = await create({ kind: 'domain', ...body });
  expect(status).toBe(201);
  return monitor.id as number;
}

/** Nobody runs it by itself before an hour is over. */
async function madeForLater(body: object, key = account.testKey): Promise<number> {
  const { body: monitor } = await create({ kind: 'domain', enabled: false, ...body }, key);
  await query('UPDATE monitors SET paused = NULL, next_run_at = $2 WHERE id = $1', [
    monitor.id,
    new Date(time.at + 3_600_000),
  ]);
  return monitor.id as number;
}

/** Lets so many runs of all monitors happen, two seconds from one to the next. */
async function runs(count: number): Promise<void> {
  for (let run = 0; run < count; run++) {
    time.at += 2 * SECOND;
    await sweep();
  }
}

const findingsOf = async (id: number, query_ = '') => (await ask(`/monitors/${id}/findings${query_}`)).body.findings;
const eventsOf = async (id: number): Promise<Reply['body'][]> =>
  (await ask(`/monitors/${id}/events?limit=100`)).body.events;
const typesOf = async (id: number) => (await eventsOf(id)).map(({ type }) => type).toReversed();
const outbox = async (): Promise<{ type: string; data: Reply['body'] }[]> =>
  (
    (await query('SELECT type, data FROM webhook_events WHERE account_id = $1 ORDER BY created_at', [
      account.accountId,
    ])) as { type: string; data: string }[]
  )
    .filter(({ type }) => type !== 'webhook.test')
    .map(({ type, data }) => ({ type, data: JSON.parse(data) }));
const listen = async (events: readonly string[]) => {
  const { body } = await ask('/webhooks', { body: { url: sink.url(`/${account.accountId}`), events } });
  expect(body.id).toBeDefined();
};
/** Areas of which something may change. */
const CHANGING = ['mx', 'spf', 'dkim', 'mta_sts', 'registration'];
const ALL = ['monitor.changed', 'monitor.stalled', 'blacklist.listed', 'blacklist.delisted'];

describe('a monitor', () => {
  it('a monitor is looked at as soon as it is made, which opens what is wrong and tells nobody', async () => {
    await listen(ALL);
    const id = await made({ target: 'No-DMARC.example.com.', name: 'Shop' });
    await runs(1);
    expect((await ask(`/monitors/${id}`)).body).toMatchObject({
      kind: 'domain',
      target: 'no-dmarc.example.com',
      name: 'Shop',
      state: 'critical',
      enabled: true,
      interval_minutes: 60,
      open: { critical: 1 },
    });
    expect(await findingsOf(id, '?state=open')).toMatchObject([
      { code: 'dmarc_missing', state: 'open', severity: 'critical', flapping: false, fix: { action: 'add' } },
    ]);
    expect(await typesOf(id)).toEqual(['monitor.created', 'finding.opened', 'monitor.state']);
    expect(await outbox()).toEqual([]);
  });

  it('a monitor with notify_first tells what the first run finds, in one event', async () => {
    await listen(ALL);
    await made({ target: 'no-dmarc.example.com', notify_first: true });
    await runs(3);
    expect(await outbox()).toMatchObject([
      {
        type: 'monitor.changed',
        data: { state_before: 'pending', state: 'critical', opened: [{ code: 'dmarc_missing' }] },
      },
    ]);
  });

  it('a monitor of a test key goes its whole way in seconds: broken, mended, resolved, told once', async () => {
    await listen(ALL);
    const id = await made({ target: 'fixed-later.example.com' });
    await runs(6);
    expect((await ask(`/monitors/${id}`)).body).toMatchObject({ state: 'ok', open: { critical: 0 } });
    expect(await findingsOf(id)).toMatchObject([{ code: 'dmarc_missing', state: 'resolved' }]);
    expect(await typesOf(id)).toEqual([
      'monitor.created',
      'finding.opened',
      'monitor.state',
      'facts.changed',
      'finding.resolved',
      'monitor.state',
    ]);
    expect(await outbox()).toMatchObject([
      {
        type: 'monitor.changed',
        data: {
          monitor_id: id,
          state_before: 'critical',
          state: 'ok',
          opened: [],
          resolved: [{ code: 'dmarc_missing' }],
        },
      },
    ]);
    await expect
      .poll(() => sink.received.filter(({ body }) => body.type === 'monitor.changed' && body.data.monitor_id === id))
      .toHaveLength(1);
  });

  it('a monitor that turns listed is told by blacklist.listed, by blacklist.delisted when it is over, and by nothing else', async () => {
    await listen(ALL);
    const id = await made({ target: 'listed-later.example.com' });
    await runs(12);
    const notifiedState = await outbox();
    const types = notifiedState.map(({ type }) => type);
    const lists = new Set(notifiedState.map(({ data }) => data.list));
    expect(new Set(types)).toEqual(new Set(['blacklist.listed', 'blacklist.delisted']));
    for (const list of lists)
      expect(notifiedState.filter(({ data }) => data.list === list).map(({ type }) => type)).toEqual([
        'blacklist.listed',
        'blacklist.delisted',
      ]);
    expect(notifiedState[0]!.data).toMatchObject({
      monitor_id: id,
      listed: 'listed-later.example.com',
      severity: expect.any(String),
      delist_url: expect.anything(),
    });
  });

  it('a monitor that comes and goes never opens a second time, is called flapping, and its record inconsistent', async () => {
    await listen(ALL);
    const id = await made({ target: 'flapping.example.com' });
    await runs(9);
    const found = (await findingsOf(id)).toSorted((a: { code: string }, b: { code: string }) =>
      a.code < b.code ? -1 : 1,
    );
    expect(found).toMatchObject([
      { code: 'dmarc_missing', flapping: true },
      { code: 'inconsistent_answers', subject: 'TXT _dmarc.flapping.example.com.', state: 'open', flapping: false },
    ]);
    expect((await typesOf(id)).filter((type) => type === 'finding.opened')).toHaveLength(2);
    expect((await typesOf(id)).filter((type) => type === 'finding.flapping')).toHaveLength(1);
    const notifiedState = (await outbox()).map(({ data }) => data);
    expect(notifiedState.flatMap(({ flapping }) => flapping)).toMatchObject([
      { code: 'dmarc_missing', flapping: true },
    ]);
    expect(notifiedState.flatMap(({ opened }) => opened)).toMatchObject([{ code: 'inconsistent_answers' }]);
    expect(notifiedState.flatMap(({ resolved, worsened }) => [...resolved, ...worsened])).toEqual([]);
  });

  it('a monitor tells once what its domain publishes otherwise than before, and ends it without a word', async () => {
    await listen(ALL);
    const id = await made({ target: 'moved-later.example.com', alert_from: 'info', checks: CHANGING });
    await runs(5);
    expect(await outbox()).toEqual([]);
    await runs(5);
    expect((await findingsOf(id)).map(({ code, severity }: Reply['body']) => `${severity} ${code}`).toSorted()).toEqual(
      [
        'info dkim_key_rotated',
        'info mx_changed',
        'info spf_changed',
        'warning name_servers_changed',
        'warning registrar_changed',
        'warning registration_lock_gone',
        'warning sts_id_unchanged',
      ],
    );
    const notifiedState = await outbox();
    expect(new Set(notifiedState.map(({ type }) => type))).toEqual(new Set(['monitor.changed']));
    const opened = notifiedState.flatMap(({ data }) => data.opened as { code: string; since: string }[]);
    expect(opened.map(({ code }) => code).toSorted()).toEqual([
      'dkim_key_rotated',
      'mx_changed',
      'name_servers_changed',
      'registrar_changed',
      'registration_lock_gone',
      'spf_changed',
      'sts_id_unchanged',
    ]);
    const [ns] = (await findingsOf(id)).filter(({ code }: Reply['body']) => code === 'name_servers_changed');
    expect(ns).toMatchObject({
      state: 'open',
      subject: 'example.com',
      fix: null,
      evidence: {
        before: ['ns1.example.net.', 'ns2.example.net.'],
        after: ['ns1.example.org.', 'ns2.example.org.'],
        changed_at: expect.any(String),
      },
    });
    await runs(8);
    expect((await ask(`/monitors/${id}`)).body.state).toBe('ok');
    expect(new Set((await findingsOf(id)).map(({ state }: Reply['body']) => state))).toEqual(new Set(['resolved']));
    expect(await outbox()).toHaveLength(notifiedState.length);
  });

  it('a monitor of a domain whose answers rotate says nothing of it', async () => {
    await listen(ALL);
    const id = await made({ target: 'round-robin.example.com', alert_from: 'info', checks: ['mx', 'spf', 'dkim'] });
    await runs(15);
    expect(await findingsOf(id)).toEqual([]);
    expect(await outbox()).toEqual([]);
  });

  it('a monitor that nobody answers for is unknown, and stalled once, because silence is no health', async () => {
    await listen(ALL);
    const id = await made({ target: 'silent.example.com' });
    await runs(10);
    expect((await ask(`/monitors/${id}`)).body).toMatchObject({
      state: 'unknown',
      unanswered_since: expect.any(String),
    });
    expect((await outbox()).map(({ type }) => type)).toEqual(['monitor.stalled']);
    expect((await ask(`/monitors/${id}/runs`)).body.runs[0]).toMatchObject({ state: 'unknown', answered: false });
  });

  it('a monitor of an address is looked for on block lists alone', async () => {
    const { body } = await create({ kind: 'address', target: '192.0.2.2' });
    await runs(1);
    const findings = await findingsOf(body.id);
    expect(findings.length).toBeGreaterThan(3);
    expect(new Set(findings.map(({ area }: { area: string }) => area))).toEqual(new Set(['blacklists']));
    expect(findings[0]).toMatchObject({
      code: 'blacklist_listed',
      evidence: {
        target: '192.0.2.2',
        codes: ['127.0.0.2'],
        asked_at: expect.any(String),
        list_tested_at: expect.any(String),
      },
    });
  });

  it('a monitor shows each run as it was, and what differs between any two', async () => {
    const id = await made({ target: 'fixed-later.example.com' });
    await runs(4);
    const { body } = await ask(`/monitors/${id}/runs`);
    expect(body.runs.map(({ number, changed }: Reply['body']) => [number, changed])).toEqual([
      [4, true],
      [3, true],
      [2, false],
      [1, true],
    ]);
    const [last, , second, first] = body.runs;
    const one = await ask(`/monitors/${id}/runs/${second.id}`);
    expect(one.body.findings).toMatchObject([{ code: 'dmarc_missing' }]);
    const { body: diff } = await ask(`/monitors/${id}/diff?from=${first.id}&to=${last.id}`);
    expect(diff).toMatchObject({
      from: first.id,
      to: last.id,
      records_added: [
        { area: 'bimi', name: 'default._bimi.fixed-later.example.com.', type: 'TXT' },
        { area: 'dmarc', name: '_dmarc.fixed-later.example.com.', type: 'TXT' },
      ],
      records_removed: [],
      records_changed: [],
      listings_changed: [],
      findings_opened: [],
      findings_resolved: [{ code: 'dmarc_missing' }],
    });
    const { body: none } = await ask(`/monitors/${id}/diff?from=${first.id}&to=${second.id}`);
    expect([none.records_added, none.findings_resolved]).toEqual([[], []]);
  });

  it('a monitor is muted by finding until a date, with a note, and speaks afterwards if it is still so', async () => {
    await listen(ALL);
    const id = await made({ target: 'fixed-later.example.com' });
    await runs(1);
    const [finding] = await findingsOf(id);
    const path = `/monitors/${id}/findings/${finding.id}`;
    const muted_until = new Date(time.at + DAY).toISOString();
    const muted = await ask(path, { method: 'PATCH', body: { muted_until, note: 'They know' } });
    expect(muted.body).toMatchObject({ id: finding.id, muted_until, note: 'They know', state: 'open' });
    await runs(6);
    expect(await outbox()).toEqual([]);
    expect((await ask(path, { method: 'PATCH', body: { muted_until: null } })).body).toMatchObject({
      muted_until: null,
      note: 'They know',
    });
    const words = async () => (await typesOf(id)).filter((type) => /muted|noted/.test(type));
    expect(await words()).toEqual(['finding.muted', 'finding.unmuted']);
    // What changes nothing leaves no trace, and what says nothing is refused.
    const acts = async () =>
      (await query(`SELECT 1 FROM audit_log WHERE account_id = $1 AND action = 'monitor.mute'`, [account.accountId]))
        .length;
    const before = await acts();
    for (const body of [{ muted_until: null }, { note: 'They know' }])
      expect((await ask(path, { method: 'PATCH', body })).status).toBe(200);
    for (const body of [{ muted: true }, {}]) {
      const { status, body: refused } = await ask(path, { method: 'PATCH', body });
      expect([status, refused.code]).toEqual([422, 'invalid_input']);
      expect(JSON.stringify(refused)).toContain('muted_until');
    }
    expect([await words(), await acts()]).toEqual([['finding.muted', 'finding.unmuted'], before]);
    await ask(path, { method: 'PATCH', body: { note: 'They know since May' } });
    expect(await words()).toContain('finding.noted');
    await runs(1);
    expect((await outbox()).map(({ data }) => data.resolved.length)).toEqual([1]);
  });

  it('a monitor is muted by block list until a date, with a note, and speaks afterwards of what the list still says', async () => {
    await listen(ALL);
    const id = await made({ target: 'listed-later.example.com' });
    await runs(1);
    const path = `/monitors/${id}/lists/spamhaus-dbl`;
    const muted_until = new Date(time.at + DAY).toISOString();
    const muted = await ask(path, { method: 'PATCH', body: { muted_until, note: 'They know' } });
    expect(muted).toMatchObject({
      status: 200,
      body: { id, muted_lists: [{ list: 'spamhaus-dbl', muted_until, note: 'They know' }] },
    });
    const { since, key_id } = muted.body.muted_lists[0];
    expect(since).toBe(new Date(time.at).toISOString());
    const [key] = await query('SELECT id FROM api_keys WHERE account_id = $1 AND kind = $2', [
      account.accountId,
      'test',
    ]);
    expect(key_id).toBe((key as { id: string }).id);
    for (const [body, field] of [
      [{ muted: true }, 'muted'],
      [{}, 'muted_until'],
    ] as const)
      expect((await ask(path, { method: 'PATCH', body })).body.fields).toMatchObject([{ field }]);
    await ask(`/monitors/${id}`, { method: 'PATCH', body: { name: 'Shop' } });
    await runs(3);
    const listed = (await outbox()).map(({ type, data }) => `${type} ${data.list}`);
    expect(listed.length).toBeGreaterThan(1);
    expect(listed.join()).not.toContain('spamhaus-dbl');
    expect(await findingsOf(id, '?state=open')).toContainEqual(
      expect.objectContaining({ subject: 'spamhaus-dbl listed-later.example.com' }),
    );
    const noted = await ask(path, { method: 'PATCH', body: { note: 'Asked again' } });
    expect(noted.body.muted_lists).toEqual([{ list: 'spamhaus-dbl', muted_until, note: 'Asked again', since, key_id }]);
    expect((await ask(path, { method: 'PATCH', body: { muted_until: null } })).body.muted_lists).toEqual([]);
    await runs(1);
    expect((await outbox()).map(({ type, data }) => `${type} ${data.list}`)).toContain('blacklist.listed spamhaus-dbl');
    // Once more: it is told of already.
    expect((await ask(path, { method: 'PATCH', body: { muted_until: null } })).status).toBe(200);
    const words = (await typesOf(id)).filter((type) => type.startsWith('list.'));
    expect(words).toHaveLength(3);
    expect(new Set(words)).toEqual(new Set(['list.muted', 'list.noted', 'list.unmuted']));
    const edited = (await eventsOf(id)).filter(({ type }) => type === 'monitor.edited');
    expect(edited.map(({ data }) => data.changed)).toEqual([['name']]);
    const audited = await query(
      `SELECT details FROM audit_log WHERE account_id = $1 AND action = 'monitor.mute' ORDER BY at, id`,
      [account.accountId],
    );
    expect(audited).toMatchObject([
      { details: { monitor_id: id, list: 'spamhaus-dbl', muted_until } },
      { details: { list: 'spamhaus-dbl', muted_until } },
      { details: { muted_until: null } },
    ]);
  });

  it('a monitor that was muted until a date that is over speaks again, and shows it no more', async () => {
    await listen(ALL);
    const id = await made({ target: 'listed-later.example.com' });
    const muted_until = new Date(time.at + 9 * SECOND).toISOString();
    await ask(`/monitors/${id}/lists/spamhaus-dbl`, { method: 'PATCH', body: { muted_until } });
    await runs(6);
    expect((await outbox()).map(({ type, data }) => `${type} ${data.list}`)).toContain('blacklist.listed spamhaus-dbl');
    expect((await ask(`/monitors/${id}`)).body.muted_lists).toEqual([]);
  });

  it('a monitor that is changed to watch something else looks again without an alarm', async () => {
    await listen(ALL);
    const id = await made({ target: 'weak-dkim.example.com', checks: ['spf'] });
    await runs(2);
    expect(await findingsOf(id)).toEqual([]);
    const changed = await ask(`/monitors/${id}`, { method: 'PATCH', body: { checks: ['spf', 'dkim'], name: 'Shop' } });
    expect(changed.body).toMatchObject({ checks: ['spf', 'dkim'], name: 'Shop' });
    await runs(2);
    expect(await findingsOf(id)).toMatchObject([{ code: 'dkim_key_1024', state: 'open' }]);
    expect(await outbox()).toEqual([]);
    await ask(`/monitors/${id}`, { method: 'PATCH', body: { checks: ['spf'] } });
    await runs(2);
    expect(await findingsOf(id)).toMatchObject([{ code: 'dkim_key_1024', state: 'resolved' }]);
    expect(await outbox()).toEqual([]);
  });

  it('a monitor does not run while its owner has switched it off, and is deleted with all that it has', async () => {
    const id = await made({ target: 'no-dmarc.example.com' });
    await runs(1);
    const off = await ask(`/monitors/${id}`, { method: 'PATCH', body: { enabled: false } });
    expect(off.body).toMatchObject({ state: 'paused', paused_by: 'owner', enabled: false, next_run_at: null });
    await runs(2);
    expect((await ask(`/monitors/${id}/runs`)).body.runs).toHaveLength(1);
    expect((await ask('/monitors?state=paused')).body.monitors).toHaveLength(1);
    expect((await ask('/monitors?state=critical')).body.monitors).toHaveLength(0);
    expect((await ask(`/monitors/${id}`, { method: 'PATCH', body: { enabled: true } })).body.state).toBe('critical');
    await runs(1);
    expect((await ask(`/monitors/${id}/runs`)).body.runs).toHaveLength(2);
    expect((await ask(`/monitors/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await ask(`/monitors/${id}`)).body.code).toBe('monitor_not_found');
    expect(await query('SELECT 1 FROM monitor_runs UNION ALL SELECT 1 FROM monitor_findings')).toEqual([]);
  });
});

describe('a run that somebody asks for', () => {
  it('a run that somebody asks for is made now, once a minute, and free with a test key', async () => {
    const id = await madeForLater({ target: 'no-dmarc.example.com' });
    const first = await ask(`/monitors/${id}/run`, { method: 'POST' });
    expect(first).toMatchObject({
      status: 200,
      body: { cause: 'request', number: 1, state: 'critical', credits_charged: 0 },
    });
    expect(first.body.findings[0].code).toBe('dmarc_missing');
    const second = await ask(`/monitors/${id}/run`, { method: 'POST' });
    expect([second.status, second.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(50);
    await query('UPDATE monitors SET next_run_at = $1', [new Date(time.at + DAY)]);
    time.at += 60 * SECOND;
    expect((await ask(`/monitors/${id}/run`, { method: 'POST' })).status).toBe(200);
  });

  it('a run that somebody asks for costs a live key nothing where nobody answers, and the credits go back', async () => {
    const id = await madeForLater({ kind: 'address', target: '8.8.4.25' }, account.liveKey);
    const live = (path: string, options = {}) => call(service, `/api/v1${path}`, { key: account.liveKey, ...options });
    const reply = await live(`/monitors/${id}/run`, { method: 'POST' });
    expect(reply).toMatchObject({ status: 200, body: { answered: false, state: 'unknown', credits_charged: 0 } });
    expect((await live('/credits')).body).toMatchObject({ remaining: 1000, reserved: 0 });
  });

  it('a run that somebody asks for is refused while the monitor is paused or runs, and takes no credits', async () => {
    const id = await made({ target: 'no-dmarc.example.com', enabled: false });
    const paused = await ask(`/monitors/${id}/run`, { method: 'POST' });
    expect([paused.status, paused.body.code]).toEqual([409, 'monitor_paused']);
    await ask(`/monitors/${id}`, { method: 'PATCH', body: { enabled: true } });
    await query(`UPDATE monitors SET holder = gen_random_uuid(), leased_until = $1`, [new Date(time.at + 60_000)]);
    const running = await ask(`/monitors/${id}/run`, { method: 'POST' });
    expect([running.status, running.body.code]).toEqual([409, 'monitor_busy']);
  });
});

describe('what a plan has no room for', () => {
  it('what a plan has no room for is refused: more monitors, and shorter intervals', async () => {
    const free = await createFullAccount({ url: service.env.databaseUrl }, { plan: 'free' });
    const body = { kind: 'domain', target: 'clean.example.com' };
    expect((await create(body, free.testKey)).body).toMatchObject({ interval_minutes: 1440 });
    const second = await create({ ...body, target: 'other.example.com' }, free.testKey);
    expect([second.status, second.body.code]).toEqual([403, 'plan_limit_reached']);
    expect(second.body.error).toBe("The account's plan allows 1 monitor: delete one, or ask for another plan.");
    const short = await create({ ...body, interval_minutes: 59 });
    expect([short.status, short.body.code]).toEqual([403, 'plan_limit_reached']);
    // The modes count for themselves.
    expect((await create(body, free.liveKey)).status).toBe(201);
  });

  it('what a plan has no room for is paused after a downgrade or a suspension, and goes on when it is over; nothing is deleted', async () => {
    const terms = service.app.get(MonitorTermsService);
    // None is due, so that no run of the service's own sweep stands beside what the plan does.
    const ids = [
      await madeForLater({ target: 'clean.example.com' }),
      await madeForLater({ target: 'www.example.com' }),
    ];
    time.at += SECOND;
    ids.push(await madeForLater({ target: 'later.example.com' }));
    const states = async () => (await ask('/monitors')).body.monitors?.map((one: Reply['body']) => one.paused_by);
    // What happens in one moment has no order.
    time.at += SECOND;
    await query(`UPDATE accounts SET policy = 'free' WHERE id = $1`, [account.accountId]);
    expect(await terms.applyToAll()).toBe(2);
    expect((await states())[0]).toBe('plan');
    expect((await states()).filter((by: string | null) => by === null)).toHaveLength(1);
    expect((await typesOf(ids[2]!)).slice(-2)).toEqual(expect.arrayContaining(['monitor.edited', 'monitor.paused']));
    await query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [account.accountId]);
    await terms.applyToAll();
    const rows = await query('SELECT DISTINCT paused FROM monitors');
    expect(rows).toEqual([{ paused: 'suspended' }]);
    await query(`UPDATE accounts SET policy = 'pro', suspended_at = NULL WHERE id = $1`, [account.accountId]);
    expect(await terms.applyToAll()).toBe(3);
    // A key in use is read again by itself, and may have been while the account was suspended.
    await expect.poll(states).toEqual([null, null, null]);
    expect(await terms.applyToAll()).toBe(0);
  });

  it('a smaller plan holds at once: intervals are stretched, and who asks for a paused monitor reads what the plan allows', async () => {
    const key = await createAdminKey(service);
    const plan = (name: string) =>
      call(service, `/admin/v1/accounts/${account.accountId}`, { key, method: 'PATCH', body: { plan: name } });
    const live = (path: string, options = {}) => call(service, `/api/v1${path}`, { key: account.liveKey, ...options });
    const older = await madeForLater({ target: 'clean.example.com' }, account.liveKey);
    time.at += SECOND;
    const newer = await madeForLater({ target: 'later.example.com' }, account.liveKey);
    await query(`UPDATE monitors SET last_run_at = $1, next_run_at = $2, runs = 5`, [
      new Date(time.at),
      new Date(time.at + 60_000),
    ]);

    expect((await plan('free')).status).toBe(200);
    // A key in use is read again by itself.
    await expect.poll(async () => (await live(`/monitors/${newer}`)).body.paused_why).toContain('allows 1 monitor,');
    expect((await live(`/monitors/${older}`)).body).toMatchObject({
      paused_by: null,
      paused_why: null,
      interval_minutes: 1440,
      next_run_at: new Date(time.at + DAY).toISOString(),
    });
    const paused = (await live(`/monitors/${newer}`)).body;
    expect(paused).toMatchObject({ paused_by: 'plan', interval_minutes: 1440, next_run_at: null });
    const why =
      "The account's plan allows 1 monitor, and older ones take that room. This one goes on by itself as soon as enough of them are deleted or paused, or the plan allows more.";
    expect(paused.paused_why).toBe(why);
    const run = await live(`/monitors/${newer}/run`, { method: 'POST' });
    expect([run.status, run.body.code, run.body.error]).toEqual([409, 'monitor_paused', why]);
    // It is stored that its owner wants it to run, whatever it was before, and what it waits for is told.
    for (const wanted of [true, false, true]) {
      const enabled = await live(`/monitors/${newer}`, { method: 'PATCH', body: { name: 'news', enabled: wanted } });
      expect(enabled.status).toBe(200);
      expect(enabled.body).toMatchObject({
        name: 'news',
        enabled: wanted,
        paused_by: wanted ? 'plan' : 'owner',
        paused_why: wanted ? why : null,
      });
    }

    await live(`/monitors/${older}`, { method: 'PATCH', body: { enabled: false } });
    expect((await live(`/monitors/${newer}`)).body).toMatchObject({ paused_by: null, paused_why: null });
    await plan('pro');
    expect((await live(`/monitors/${newer}`)).body.interval_minutes).toBe(1440);
  });
});

describe('an administrator', () => {
  it('an administrator sees how late monitors are, pauses one with a reason, and lets it go on; nobody else does', async () => {
    const key = await createAdminKey(service);
    const id = await madeForLater({ target: 'clean.example.com' }, account.liveKey);
    await query('UPDATE monitors SET next_run_at = $1, leased_until = $2', [
      new Date(time.at - 90_000),
      new Date(time.at + DAY),
    ]);
    const look = async () => (await call(service, '/admin/v1/monitors', { key })).body;
    expect(await look()).toMatchObject({ oldest_due_seconds: 0, due: 0, by_state: { pending: 1, paused: 0 } });
    const path = `/admin/v1/monitors/${id}`;
    const paused = await call(service, `${path}/pause`, { key, body: { reason: 'Asked by telephone' } });
    expect(paused.body).toMatchObject({ id, account_id: account.accountId, mode: 'live', state: 'paused' });
    const own = (options = {}) => call(service, `/api/v1/monitors/${id}`, { key: account.liveKey, ...options });
    expect((await own()).body).toMatchObject({
      paused_by: 'operator',
      paused_why: 'Asked by telephone',
      enabled: true,
    });
    const enabled = await own({ method: 'PATCH', body: { enabled: true } });
    expect([enabled.status, enabled.body.code]).toEqual([409, 'monitor_paused_by_operator']);
    await service.app.get(MonitorTermsService).applyToAll();
    expect((await look()).by_state).toMatchObject({ pending: 0, paused: 1 });
    expect((await call(service, `${path}/resume`, { key, method: 'POST' })).body.paused_by).toBeNull();
    const again = await call(service, `${path}/resume`, { key, method: 'POST' });
    expect([again.status, again.body.code]).toEqual([409, 'monitor_not_paused']);
    expect((await call(service, '/admin/v1/monitors/77/pause', { key, body: { reason: 'x' } })).body.code).toBe(
      'monitor_not_found',
    );
    const acts = await query(`SELECT action FROM audit_log WHERE details ->> 'monitor_id' = $1 ORDER BY id`, [
      String(id),
    ]);
    expect(acts).toEqual([{ action: 'monitor.create' }, { action: 'monitor.pause' }, { action: 'monitor.resume' }]);
  });

  it('an administrator finds the one again that was paused, among hundreds that run', async () => {
    const key = await createAdminKey(service);
    const id = await madeForLater({ target: 'clean.example.com' }, account.liveKey);
    await call(service, `/admin/v1/monitors/${id}/pause`, { key, body: { reason: 'Asked by telephone' } });
    await query(
      `INSERT INTO monitors (id, account_id, simulated, kind, target, settings, interval_minutes, state, created_at, next_run_at, paused)
       SELECT 2 ^ 40 + number, account_id, false, kind, number || '.example', settings, interval_minutes, state, created_at,
              next_run_at, CASE WHEN number > 150 THEN 'owner' END
         FROM monitors, generate_series(1, 300) AS number WHERE id = $1`,
      [id],
    );
    const { monitors } = (await call(service, '/admin/v1/monitors', { key })).body;
    const pauses = monitors.map((one: Reply['body']) => one.paused_by);
    expect(pauses).toEqual([
      ...Array.from({ length: 100 }, () => null),
      'operator',
      ...Array.from({ length: 99 }, () => 'owner'),
    ]);
    expect(monitors[100]).toMatchObject({ id, paused_why: 'Asked by telephone' });
  });
});

describe('commands of administrators', () => {
  const command = (...words: string[]) => runAdmin(service, ...words);

  it('commands of administrators name the monitors that are late, pause one with a reason and resume it, on the record', async () => {
    const id = await madeForLater({ target: 'clean.example.com' }, account.liveKey);
    const held = await madeForLater({ target: 'held.example.com' }, account.liveKey);
    const due = new Date(Date.now() - 90_000);
    // Both are due, and somebody runs the second.
    await query('UPDATE monitors SET next_run_at = $1, leased_until = CASE WHEN id = $2 THEN $3::timestamptz END', [
      due,
      held,
      new Date(Date.now() + DAY),
    ]);
    // Those that run by themselves are told by the time of the test, which is kept before it.
    const now = time.at;
    time.at = due.getTime() - DAY;
    const late = await command('monitors', 'late', '--json');
    expect(late.exit).toBe(1);
    expect(JSON.parse(late.out)).toMatchObject({
      due: 1,
      monitors: [{ id, account_id: account.accountId, mode: 'live' }],
    });
    expect(await command('monitors', 'late', '--seconds', '600')).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/oldest_due_seconds +9\d/),
    });
    const list = await command('monitors', 'list');
    expect(list).toMatchObject({ exit: 0, out: expect.stringContaining('held.example.com') });
    expect((await command('monitors', 'pause', String(id), '--reason', 'Asked by telephone')).exit).toBe(0);
    expect((await call(service, `/api/v1/monitors/${id}`, { key: account.liveKey })).body).toMatchObject({
      paused_by: 'operator',
      paused_why: 'Asked by telephone',
    });
    expect(await command('monitors', 'late')).toMatchObject({ exit: 0 });
    expect((await command('monitors', 'resume', String(id))).exit).toBe(0);
    expect(await command('monitors', 'resume', String(id))).toMatchObject({ exit: 1 });
    time.at = now;
    const acts = await query(
      `SELECT action, details ->> 'reason' AS reason FROM audit_log WHERE details ->> 'monitor_id' = $1 AND action <> 'monitor.create' ORDER BY id`,
      [String(id)],
    );
    expect(acts).toEqual([
      { action: 'monitor.pause', reason: 'Asked by telephone' },
      { action: 'monitor.resume', reason: null },
    ]);
  });

  it('commands of administrators refuse what is no monitor, no reason and no number', async () => {
    for (const wrong of ['77', 'nonsense', '__proto__', '99999999999999999999', '-1'])
      expect((await command('monitors', 'pause', '--reason', 'x', '--', wrong)).exit).toBe(1);
    expect((await command('monitors', 'pause', '77')).exit).toBe(64);
    expect((await command('monitors', 'pause', '77', '--reason', 'a\0b')).exit).toBe(1);
    for (const wrong of ['-1', 'soon', '1e3', '99999999999'])
      expect((await command('monitors', 'late', `--seconds=${wrong}`)).exit).toBe(64);
  });
});

describe('the history of monitors', () => {
  it('the history of monitors is kept for 30 days, what changed something for as long as the plan says, and the last run always', async () => {
    const id = await made({ target: 'fixed-later.example.com' });
    await runs(8);
    const numbers = async () =>
      (await ask(`/monitors/${id}/runs`)).body.runs.map(({ number }: Reply['body']) => number);
    const retention = service.app.get(MonitorUpkeep);
    await retention.forget();
    expect(await numbers()).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    const back = (days: number) =>
      query(`UPDATE monitor_runs SET finished_at = finished_at - $1 * interval '1 day'`, [days]);
    await back(31);
    await retention.forget();
    // The last one shows what the third found first.
    expect(await numbers()).toEqual([8, 4, 3, 1]);
    expect((await ask(`/monitors/${id}/runs/${(await ask(`/monitors/${id}`)).body.last_run_id}`)).status).toBe(200);
    await back(60);
    await query(`UPDATE monitor_events SET at = at - interval '91 days'`);
    await query(`UPDATE monitor_findings SET resolved_at = resolved_at - interval '91 days'`);
    await retention.forget();
    expect(await numbers()).toEqual([8, 3]);
    expect([await eventsOf(id), await findingsOf(id)]).toEqual([[], []]);
  });
});

describe('the days of a monitor', () => {
  const daysOf = async (id: number): Promise<{ day: string; state: string | null }[]> =>
    (await ask(`/monitors/${id}`)).body.days;
  const back = (id: number, days: number, condition = 'true') =>
    query(
      `UPDATE monitor_runs SET finished_at = finished_at - $2 * interval '1 day' WHERE monitor_id = $1 AND ${condition}`,
      [id, days],
    );

  it('the days of a monitor are the last 30 in UTC, the oldest first, and a day without a run has no state', async () => {
    const id = await madeForLater({ target: 'example.com' });
    const days = await daysOf(id);
    expect(days.map(({ day }) => day)).toEqual(
      Array.from({ length: 30 }, (_, at) => new Date(time.at - (29 - at) * 86_400_000).toISOString().slice(0, 10)),
    );
    expect(new Set(days.map(({ state }) => state))).toEqual(new Set([null]));
  });

  it('the days of a monitor have the worst that a run of the day found, whatever was found after it', async () => {
    const id = await made({ target: 'fixed-later.example.com' });
    const other = await made({ target: 'no-dmarc.example.com' });
    await runs(8);
    const states = (await query('SELECT DISTINCT state FROM monitor_runs WHERE monitor_id = $1', [id])) as object[];
    expect(states).toEqual(expect.arrayContaining([{ state: 'critical' }, { state: 'ok' }]));
    await query(`UPDATE monitor_runs SET finished_at = date_trunc('day', finished_at, 'UTC')`);
    expect((await daysOf(id)).at(-1)!.state).toBe('critical');
    await back(id, 4, `state = 'critical'`);
    await query(`UPDATE monitor_runs SET state = 'unknown' WHERE monitor_id = $1 AND number = 8`, [id]);
    await back(other, 29);
    const found = (await daysOf(id)).flatMap(({ state }, at) => (state === null ? [] : [[at, state]]));
    expect(found).toEqual([
      [25, 'critical'],
      [29, 'unknown'],
    ]);
    expect((await daysOf(other))[0]!.state).toBe('critical');
    await back(other, 1);
    expect(new Set((await daysOf(other)).map(({ state }) => state))).toEqual(new Set([null]));
  });
});

describe('a request about monitors', () => {
  it.each([
    [{ target: '192.0.2.1' }, 'target must be a domain'],
    [{ target: 'co.uk' }, 'target is a domain under which anybody can register'],
    [{ target: 'a\0b.example.com' }, 'target must not contain NUL'],
    [{ target: 'example.com', name: 'a\0b' }, 'name must not contain NUL'],
    [{ target: 'example.com', name: '\ud800' }, 'name must not contain NUL characters or halves'],
    [{ target: 'example.com', dkim_selectors: ['a\0'] }, 'dkim_selectors'],
    [{ target: 'example.com', sending_addresses: ['8.8.8.8\0'] }, 'sending_addresses[0]'],
    [{ target: 'example.com', checks: ['weather'] }, 'checks'],
    [{ target: 'example.com', checks: [] }, 'checks'],
    [{ target: 'example.com', interval_minutes: 20_000 }, 'interval_minutes'],
    [{ target: 'example.com', alert_from: 'panic' }, 'alert_from'],
    [{ kind: 'address', target: 'example.com' }, 'target must be an IPv4 or IPv6 address'],
    [{ kind: 'address', target: '192.0.2.1', checks: ['spf'] }, 'checks must be blacklists'],
    [{ kind: 'address', target: '192.0.2.1', dkim_selectors: ['s1'] }, 'dkim_selectors belong to a domain'],
    [{ kind: 'planet', target: 'example.com' }, 'kind'],
  ])('a request about monitors with %j is refused with the field and why', async (body, words) => {
    const reply = await create({ kind: 'domain', ...body });
    expect([reply.status, reply.body.code]).toEqual([422, 'invalid_input']);
    expect(JSON.stringify(reply.body)).toContain(words);
  });

  it('a request about monitors for a target that is watched already is refused, and names the monitor', async () => {
    const id = await made({ target: 'clean.example.com' });
    const again = await create({ kind: 'domain', target: 'CLEAN.example.com' });
    expect([again.status, again.body.code]).toEqual([409, 'monitor_exists']);
    expect(again.body.error).toContain(String(id));
  });

  it('a request about monitors with an idempotency key makes one monitor', async () => {
    const headers = { 'idempotency-key': 'once' };
    const body = { kind: 'domain', target: 'clean.example.com' };
    const [one, two] = [await create(body, account.testKey, headers), await create(body, account.testKey, headers)];
    expect(two.body).toEqual(one.body);
    expect((await ask('/monitors')).body.monitors).toHaveLength(1);
  });

  it('a request about monitors for runs and findings that there are not says so', async () => {
    const id = await made({ target: 'clean.example.com' });
    const code = async (path: string, options = {}) => (await ask(`/monitors/${id}${path}`, options)).body.code;
    expect(await code('/runs/77')).toBe('run_not_found');
    expect(await code('/runs/nonsense')).toBe('run_not_found');
    expect(await code('/diff?from=77&to=78')).toBe('run_not_found');
    expect(await code('/diff?from=77')).toBe('invalid_input');
    const patch = { method: 'PATCH', body: { note: 'x' } };
    expect(await code('/findings/77', patch)).toBe('finding_not_found');
    expect(await code('/findings/77', { method: 'PATCH', body: { note: 'a\0b' } })).toBe('invalid_input');
    const past = new Date(time.at - DAY).toISOString();
    expect(await code('/findings/77', { method: 'PATCH', body: { muted_until: past } })).toBe('invalid_input');
    const list = async (name: string, body: object) => {
      const { status, body: reply } = await ask(`/monitors/${id}/lists/${name}`, { method: 'PATCH', body });
      return `${status} ${reply.code}`;
    };
    const ahead = new Date(time.at + DAY).toISOString();
    expect(await list('sorbs', { muted_until: ahead })).toBe('404 blacklist_not_found');
    expect(await list('__proto__', { muted_until: ahead })).toBe('404 blacklist_not_found');
    expect(await list('a%00b', { muted_until: ahead })).toBe('404 blacklist_not_found');
    expect(await list('psbl', { muted_until: past })).toBe('422 invalid_input');
    expect(await list('psbl', { muted_until: 'soon' })).toBe('422 invalid_input');
    expect(await list('psbl', { muted_until: ahead, note: 'a\0b' })).toBe('422 invalid_input');
    expect(await list('psbl', { muted_until: ahead, note: 'x'.repeat(1_001) })).toBe('422 invalid_input');
    expect(await list('psbl', { note: 'never muted' })).toBe('422 invalid_input');
    expect(await list('psbl', {})).toBe('422 invalid_input');
    expect(await code('/findings?state=odd')).toBe('invalid_input');
    expect((await ask('/monitors/99999999999999999999')).body.code).toBe('monitor_not_found');
  });

  it('a request about monitors is for full accounts only', async () => {
    const { status, body } = await create({ kind: 'domain', target: 'example.com' }, await register(service));
    expect([status, body.error?.code ?? body.code]).toEqual([403, 'full_account_required']);
  });

  it('a request about monitors of the other mode or another account finds nothing', async () => {
    const id = await made({ target: 'clean.example.com' });
    expect((await ask(`/monitors/${id}`, { key: account.liveKey })).body.code).toBe('monitor_not_found');
    const other = await createFullAccount({ url: service.env.databaseUrl });
    const muted = { method: 'PATCH', body: { muted_until: new Date(time.at + DAY).toISOString() } };
    for (const key of [account.liveKey, other.testKey])
      expect((await ask(`/monitors/${id}/lists/psbl`, { ...muted, key })).body.code).toBe('monitor_not_found');
    expect((await ask(`/monitors/${id}/runs`, { key: other.testKey })).body.code).toBe('monitor_not_found');
  });
});
