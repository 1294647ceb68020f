import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MonitorRunsService } from '../../src/deliverability/monitors/monitor-runs.service.js';
import { MonitorSweep } from '../../src/deliverability/monitors/monitor-sweep.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { type DnsReply, type DnsServer, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';
import { startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Within it every monitor is due whose interval is a quarter of an hour. */
const ROUND = 24 * MINUTE;
const MONITORS = 1_000;

const time = { at: Date.now(), now: () => time.at };
/** Addresses that PSBL has. */
const listed = new Set<string>();

const POINTS = new Set([
  '2.0.0.127.psbl.surriel.com',
  '2.0.0.127.bl.nordspam.com',
  '2.0.0.0.0.0.f.7.f.f.f.f.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.bl.nordspam.com',
]);

/** One list that works beside another, and four that are sick. */
function answer(name: string, type: string): DnsReply | undefined {
  if (type !== 'A') return 'nxdomain';
  // Dead, and for sale.
  if (name.endsWith('.dnsbl.dronebl.org')) return { A: ['203.0.113.9'] };
  // It refuses the resolver.
  if (name.endsWith('.bl.spamcop.net')) return { A: ['127.255.255.254'] };
  // It is out of order.
  if (name.endsWith('.truncate.gbudb.net')) return 'servfail';
  // It lists the world.
  if (name.endsWith('.dnsbl-1.uceprotect.net')) return { A: ['127.0.0.2'] };
  if (POINTS.has(name)) return { A: ['127.0.0.2'] };
  const [, d, c, b, a] = /^(\d+)\.(\d+)\.(\d+)\.(\d+)\.psbl\.surriel\.com$/.exec(name) ?? [];
  return listed.has(`${a}.${b}.${c}.${d}`) ? { A: ['127.0.0.2'] } : 'nxdomain';
}

let dns: DnsServer;
let sink: WebhookSink;
let service: TestService;
let account: FullAccount;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  [dns, sink] = await Promise.all([startDnsServer({ answer }), startWebhookSink()]);
  const blacklistsRegistered = ['spamcop', 'gbudb-truncate', 'uceprotect-1'];
  const env = { ...TO_LOOPBACK, dnsServers: [dns.address], blacklistsRegistered };
  service = await startService({ env, clock: time });
  closing.push(() => service.close(), dns.close, sink.close);
});

afterAll(async () => {
  for (const close of closing) await close();
});

beforeEach(async () => {
  listed.clear();
  // What lists have said is remembered for five minutes.
  time.at += 10 * MINUTE;
  await query('DELETE FROM monitors');
  await query('DELETE FROM blacklist_suspicions');
  account = await createFullAccount({ url: service.env.databaseUrl });
  const events = ['monitor.changed', 'monitor.stalled', 'blacklist.listed', 'blacklist.delisted'];
  await call(service, '/api/v1/webhooks', {
    key: account.liveKey,
    body: { url: sink.url(`/${account.accountId}`), events },
  });
});

const query = (sql: string, values: unknown[] = []) => onDatabase(service.env.databaseUrl, sql, values);
const addressOf = (n: number) => `8.8.${Math.floor(n / 250)}.${(n % 250) + 1}`;
const notifiedState = async () =>
  (
    (await query(`SELECT type, data FROM webhook_events WHERE account_id = $1 AND type <> 'webhook.test'`, [
      account.accountId,
    ])) as { type: string; data: string }[]
  ).map(({ type, data }) => ({ type, data: JSON.parse(data) as Record<string, unknown> }));

async function watch(count: number, of = service, more: { minutes?: number; at?: number } = {}): Promise<void> {
  await onDatabase(
    of.env.databaseUrl,
    `INSERT INTO monitors (id, account_id, simulated, kind, target, settings, interval_minutes, state, created_at, next_run_at)
     SELECT 2000000000000 + n, $1, false, 'address', target,
            '{"checks":null,"dkimSelectors":[],"sendingAddresses":[],"alertFrom":"warning","notifyFirst":false}', $3, 'pending', $4, $4
       FROM unnest($2::text[]) WITH ORDINALITY AS watched(target, n)`,
    [
      account.accountId,
      Array.from({ length: count }, (_, n) => addressOf(n)),
      more.minutes ?? 15,
      new Date(more.at ?? time.at),
    ],
  );
}

/** Lets all monitors run that are due after so long. */
async function after(ms: number): Promise<void> {
  time.at += ms;
  await service.app.get(MonitorSweep).runDue();
}

/** Looks after each of these times: a look whose questions a busy machine does not answer in time tells nothing, and the next one does. */
async function untilTold(...times: number[]): Promise<void> {
  for (let looks = 0; looks < 5 && (await notifiedState()).length === 0; looks++)
    for (const ms of times) await after(ms);
}

describe('a world with four sick lists and a thousand monitors', () => {
  it('a world with four sick lists and a thousand monitors sends no event, and with one real listing exactly one', async () => {
    await watch(MONITORS);
    for (const ms of [0, ROUND]) await after(ms);
    expect(await query('SELECT min(runs) AS runs, count(*)::integer AS all FROM monitors')).toEqual([
      { runs: 2, all: MONITORS },
    ]);
    expect(await notifiedState()).toEqual([]);
    listed.add(addressOf(500));
    await untilTold(ROUND, 6 * MINUTE);
    // All have run since. For what comes of the listing afterwards, a tenth of them and the listed one run once more.
    await query(`UPDATE monitors SET next_run_at = $1 WHERE id % 10 > 0 AND target <> $2`, [
      new Date(time.at + 24 * HOUR),
      addressOf(500),
    ]);
    for (const ms of [ROUND, 6 * MINUTE]) await after(ms);
    expect(await notifiedState()).toMatchObject([
      {
        type: 'blacklist.listed',
        data: {
          target: addressOf(500),
          listed: addressOf(500),
          list: 'psbl',
          meaning: 'spam_trap_hit',
          list_severity: 'medium',
        },
      },
    ]);
  });
});

describe('a list that turns many watched targets listed at once', () => {
  it('a list that turns many watched targets listed at once is under suspicion: nobody is told what it says, before it has been right for an hour', async () => {
    await watch(60);
    await after(0);
    for (let n = 0; n < 20; n++) listed.add(addressOf(n));
    for (const ms of [ROUND, 6 * MINUTE, ROUND]) await after(ms);
    expect(await query(`SELECT count(*)::integer AS open FROM monitor_findings WHERE state = 'open'`)).toEqual([
      { open: 20 },
    ]);
    expect(await notifiedState()).toEqual([]);
    const [suspicion] = (await query('SELECT list, turned, watched FROM blacklist_suspicions')) as [
      { list: string; turned: number; watched: number },
    ];
    // Runs that end at the same moment do not see one another.
    expect(suspicion).toMatchObject({ list: 'psbl', watched: 60 });
    expect(suspicion.turned).toBeGreaterThanOrEqual(10);
    const psbl = async () => {
      const { body } = await call(service, '/api/v1/blacklists', { key: account.liveKey });
      return body.blacklists.find(({ id }: { id: string }) => id === 'psbl');
    };
    expect(await psbl()).toMatchObject({ state: 'suspect', why: 'many_at_once', since: expect.any(String) });
    // It takes most of it back; what it still says an hour later is told.
    for (let n = 1; n < 20; n++) listed.delete(addressOf(n));
    for (const ms of [ROUND, HOUR + MINUTE, ROUND]) await after(ms);
    expect(await notifiedState()).toMatchObject([{ type: 'blacklist.listed', data: { target: addressOf(0) } }]);
    expect(await psbl()).toMatchObject({ state: 'healthy', why: null });
  });
});

describe('a list of low standing that has somebody', () => {
  /** Only this one's time comes. */
  const only = (n: number) =>
    query(
      `UPDATE monitors SET next_run_at = CASE WHEN target = $1 THEN $2::timestamptz ELSE $2::timestamptz + interval '1 hour' END`,
      [addressOf(n), new Date(time.at)],
    );

  it('a list of low standing that has somebody is believed when other targets were looked at too and are not on it, and told then', async () => {
    await watch(12, service, { minutes: 60 });
    await after(0);
    listed.add(addressOf(3));
    for (const ms of [HOUR, 6 * MINUTE]) {
      time.at += ms;
      await only(3);
      await after(0);
    }
    expect(await query(`SELECT count(*)::integer AS open FROM monitor_findings WHERE state = 'open'`)).toEqual([
      { open: 1 },
    ]);
    expect(await notifiedState()).toEqual([]);
    await untilTold(HOUR, 2 * MINUTE);
    expect(await notifiedState()).toMatchObject([{ type: 'blacklist.listed', data: { target: addressOf(3) } }]);
  });

  it('a list of low standing that has somebody is told to nobody when it has those others as well, though they are fewer than ten', async () => {
    await watch(4, service, { minutes: 60 });
    await after(0);
    for (let n = 0; n < 4; n++) listed.add(addressOf(n));
    for (const n of [0, 0, 1, 1, 2, 2, 3, 3]) {
      time.at += 6 * MINUTE;
      await only(n);
      await after(0);
    }
    expect(await query(`SELECT count(*)::integer AS open FROM monitor_findings WHERE state = 'open'`)).toEqual([
      { open: 4 },
    ]);
    expect(await notifiedState()).toEqual([]);
    expect(await query('SELECT list, turned FROM blacklist_suspicions')).toEqual([{ list: 'psbl', turned: 4 }]);
  });

  it('a list of low standing that has somebody is waited for ever longer by a monitor whose companions are late, and not asked about each minute', async () => {
    await watch(3, service, { minutes: 60 });
    await after(0);
    listed.add(addressOf(0));
    // Others whose time has come are never run.
    time.at += HOUR;
    await only(0);
    await query(
      `UPDATE monitors SET next_run_at = $2, leased_until = $3, holder = gen_random_uuid() WHERE target <> $1`,
      [addressOf(0), new Date(time.at), new Date(time.at + 24 * HOUR)],
    );
    for (let minutes = 0; minutes < 50; minutes += 1) await after(MINUTE);
    const [{ runs }] = (await query('SELECT runs FROM monitors WHERE target = $1', [addressOf(0)])) as [
      { runs: number },
    ];
    // The first, the one that saw the listing, its confirmation and what doubles from then on.
    expect(runs).toBeLessThanOrEqual(9);
    expect(await notifiedState()).toEqual([]);
  });

  it('a list of low standing that has somebody is told with the number of its incident, which its end has too, and its next beginning has not', async () => {
    await watch(1, service, { minutes: 60 });
    await after(0);
    const rounds = async (...all: number[]) => {
      for (const ms of all) {
        time.at += ms;
        await only(0);
        await after(0);
      }
    };
    listed.add(addressOf(0));
    await rounds(HOUR, 6 * MINUTE);
    listed.clear();
    await rounds(6 * MINUTE, HOUR + MINUTE);
    listed.add(addressOf(0));
    await rounds(7 * HOUR, 6 * MINUTE);
    const incidents = (await notifiedState()).map(({ type, data }) => ({ type, incident: data['incident_id'] }));
    expect(incidents.map(({ type }) => type)).toEqual(['blacklist.listed', 'blacklist.delisted', 'blacklist.listed']);
    const [first, second, third] = incidents.map(({ incident }) => incident);
    expect([typeof first, second]).toEqual(['number', first]);
    expect(third).not.toBe(first);
    const id = 2_000_000_000_001;
    const { body } = await call(service, `/api/v1/monitors/${id}/findings`, { key: account.liveKey });
    expect(body.findings).toMatchObject([{ incident_id: third }]);
  });
});

describe('a run that somebody asks for', () => {
  it('a run that somebody asks for asks the lists that were asked a minute ago, and costs what it has learned anew', async () => {
    await watch(1, service, { at: time.at + HOUR });
    const run = () => call(service, '/api/v1/monitors/2000000000001/run', { key: account.liveKey, method: 'POST' });
    const psbl = async () => (await run()).body.facts.blacklists.find(({ list }: { list: string }) => list === 'psbl');
    // A list that matters refuses, so that nothing is known of the whole: that is free.
    expect(await psbl()).toMatchObject({ status: 'not_listed' });
    listed.add(addressOf(0));
    time.at += 61_000;
    expect(await psbl()).toMatchObject({ status: 'listed' });
    expect((await call(service, '/api/v1/credits', { key: account.liveKey })).body.remaining).toBe(999);
  });
});

describe('two processes', () => {
  it('two processes run each monitor once, whoever takes it', async () => {
    const other = await startService({
      env: { ...service.env },
      database: { url: service.env.databaseUrl, drop: async () => {} },
      clock: time,
    });
    try {
      await watch(150);
      // Both together take less than half of them at once, and one that finds nothing at a moment in which the other takes some ends.
      const runs = async () => {
        await Promise.all([service, other].map(({ app }) => app.get(MonitorSweep).runDue()));
        return query(
          'SELECT count(*)::integer AS runs, count(DISTINCT monitor_id)::integer AS monitors FROM monitor_runs',
        );
      };
      await expect.poll(runs).toEqual([{ runs: 150, monitors: 150 }]);
    } finally {
      await other.close();
    }
  });

  it('two processes write nothing of a run whose monitor somebody has changed, or another process has taken, meanwhile', async () => {
    // Nobody is to run it by the timetable.
    await watch(1, service, { at: time.at + HOUR });
    const leased = await service.app.get(MonitorRunsService).requested(2_000_000_000_001);
    const runs = service.app.get(MonitorRunsService);
    const found = await runs.find(leased, 'schedule');
    await query('UPDATE monitors SET holder = gen_random_uuid()');
    const finish = () =>
      service.app
        .get(DataSource)
        .transaction((tx) => runs.finish(tx, leased, found, { cause: 'schedule', creditsCharged: 0 }));
    expect(await finish()).toBeNull();
    expect(await query('SELECT 1 FROM monitor_runs')).toEqual([]);
    await query('UPDATE monitors SET holder = $1', [leased.holder]);
    expect(await finish()).not.toBeNull();
    expect(await finish()).toBeNull();
    expect(await query('SELECT 1 AS one FROM monitor_runs')).toHaveLength(1);
  });
});
