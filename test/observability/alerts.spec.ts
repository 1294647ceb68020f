import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ListSuspicionsService } from '../../src/deliverability/blacklists/list-suspicions.service.js';
import { LedgerDriftService } from '../../src/credits/credits-audit.js';
import { MetricsServer } from '../../src/platform/health/metrics-server.js';
import { OperatorMeasuresService } from '../../src/sending/operators/operator-measures.service.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { queueBatch } from '../support/batches.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type DnsServer, KNOWN_DOMAIN, startDnsServer } from '../support/dns-server.js';
import { testRedis } from '../support/redis.js';
import { startService, type TestService } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';
import { TO_LOOPBACK } from '../support/webhook-sink.js';
import { type Prometheus, startPrometheus } from './prometheus.js';

const FIRES = { timeout: 240_000, interval: 250 };
/** As mail hosts see us: the name leads to the address, the address back to it, and SPF lets it send. */
const [OUR_NAME, OUR_ADDRESS] = ['probe.example.com', '45.33.32.10'];
/** What a test shares its machine with can make a process, or its Redis, late. */
const OF_A_BUSY_MACHINE: ReadonlySet<string> = new Set(['MailsondeEventLoopSlow', 'MailsondeRedisSlow']);
const BLOCKED = '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org';

let database: TestDatabase;
let account: FullAccount;
let dns: DnsServer;
let smtp: TestSmtpServer;
/** Servers that can be taken away from the second service. */
let postgresGate: Gate;
let redisGate: Gate;
/** Requests only: nobody works. */
let service: TestService;
/** It loses its servers. */
let unlucky: TestService;
/** It goes away. */
let leaving: TestService;
let prometheus: Prometheus;

beforeAll(async () => {
  smtp = await startSmtpServer({ recipients: () => BLOCKED });
  dns = await startDnsServer({
    zones: {
      'example.com': { MX: [[10, 'aspmx.l.google.com']] },
      'aspmx.l.google.com': { A: ['127.0.0.1'] },
      'gmail.com': { MX: [[10, 'aspmx.l.google.com']] },
      [OUR_NAME]: { A: [OUR_ADDRESS], TXT: [`v=spf1 ip4:${OUR_ADDRESS} -all`] },
      [`${OUR_ADDRESS.split('.').toReversed().join('.')}.in-addr.arpa`]: { PTR: [OUR_NAME] },
    },
  });
  database = await createTestDatabase();
  account = await createFullAccount(database, { credits: 1_000 });
  postgresGate = await openGate(database.url);
  redisGate = await openGate((await testRedis()).url);
  const common = {
    metricsPort: 0,
    role: 'api',
    dnsServers: [dns.address],
    heloName: OUR_NAME,
    ...TO_LOOPBACK,
  } as const;
  service = await startService({
    database,
    env: {
      ...common,
      registrationsPerHour: 1,
      smtpPort: smtp.port,
      mxAllowedNetworks: ['127.0.0.0/8'],
    },
    timer: SYSTEM_TIMER,
  });
  unlucky = await startService({
    env: { ...common, databaseUrl: postgresGate.url, redisUrl: redisGate.url },
    database: { url: postgresGate.url, drop: () => Promise.resolve() },
    timer: SYSTEM_TIMER,
  });
  leaving = await startService({ env: { ...common, role: 'all' }, database, timer: SYSTEM_TIMER });
  prometheus = await startPrometheus(
    [service, unlucky, leaving].map(({ app }) => `127.0.0.1:${app.get(MetricsServer, { strict: false }).port}`),
  );
});

afterAll(async () => {
  await prometheus?.stop();
  postgresGate.let();
  redisGate.let();
  await service.close();
  await unlucky.close();
  await smtp.close();
  await dns.close();
  postgresGate.close();
  redisGate.close();
  await database.drop();
});

const query = (sql: string, values: unknown[] = []) => service.app.get(DataSource).query(sql, values);

const fires = (alert: string, act?: () => unknown) => prometheus.fires(alert, act);

it('no alert fires while all is well', async () => {
  const verify = () =>
    call(service, '/api/v1/verify', { key: account.liveKey, body: { email: 'one@nowhere.invalid' } });
  await expect.poll(() => prometheus.count('up{job="mailsonde"} == 1'), FIRES).toBe(3);
  // Our source has been looked at, so that its alert would fire if a fault had been seen: at its name, its reverse name and its SPF.
  const looked = () => prometheus.count('max by (source, check) (mailsonde_egress_identity_ok)');
  await expect.poll(looked, FIRES).toBeGreaterThanOrEqual(3);
  let before: readonly string[] = [];
  for (let look = 0; look < 8; look++) {
    await verify();
    await prometheus.evaluated();
    // The machine of a test may be busy with others, and seconds of that are minutes here: a scrape that comes late is one look.
    const firing = [...(await prometheus.firing()).keys()].filter((name) => !OF_A_BUSY_MACHINE.has(name));
    expect(firing.filter((name) => before.includes(name))).toEqual([]);
    before = firing;
  }
});

it('no alert of the rules is without a test that makes its cause happen', async () => {
  const read = (path: string) => readFile(join(import.meta.dirname, path), 'utf8');
  const rules = await read('../../config/observability/rules.yml');
  const tests = (await read('alerts.spec.ts')) + (await read('mail-alerts.spec.ts'));
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
  expect(alerts.length).toBeGreaterThan(20);
  expect(alerts.filter((name) => !tests.includes(`'${name}'`))).toEqual([]);
});

describe('an alert fires by its cause:', () => {
  it('a process that does not answer, the last that works on batches', async () => {
    await leaving.close();
    expect(await fires('MailsondeDown')).toMatch(/^The process 127.0.0.1:\d+ of Mailsonde does not answer.$/);
    await fires('MailsondeNoWorker');
  });

  it('a batch, and a delivery, that nobody works on', async () => {
    const chunk = await queueBatch(database.url, { accountId: account.accountId, emails: ['a@example.com'] });
    await query(`UPDATE batch_chunks SET due_at = now() - interval '20 minutes' WHERE batch_id = $1`, [chunk]);
    const endpoint = { url: 'https://127.0.0.1:9/hook', events: ['batch.completed'] };
    const made = await call(service, '/api/v1/webhooks', { key: account.liveKey, body: endpoint });
    expect(made.status).toBe(201);
    await query(`UPDATE webhook_deliveries SET due_at = now() - interval '10 minutes'`);
    expect(await fires('MailsondeBatchWaits')).toMatch(/^A batch has waited 20m \d+s for a worker.$/);
    await fires('MailsondeWebhooksLate');
  });

  it('an alert fires by its cause: a DNS resolver that lies', async () => {
    // A captive portal: its address for every name, and mail hosts for none.
    const page = { A: ['192.0.2.80'] };
    const portal = await startDnsServer({ zones: { [KNOWN_DOMAIN]: page, '*.known.test': page }, answer: () => page });
    const other = await startService({
      env: { metricsPort: 0, role: 'api', dnsServers: [portal.address] },
      database,
      timer: SYSTEM_TIMER,
    });
    const watching = await startPrometheus([`127.0.0.1:${other.app.get(MetricsServer, { strict: false }).port}`]);
    const ask = () => call(other, '/api/v1/verify', { key: account.liveKey, body: { email: 'jane@example.com' } });
    expect(await watching.fires('MailsondeResolverLies', ask)).toMatch(/^The DNS resolver of 127\.0\.0\.1:\d+ lies/);
    await watching.stop();
    await other.close();
    await portal.close();
  });

  it('a replica that is none', async () => {
    const other = await startService({
      env: { metricsPort: 0, role: 'api', dnsServers: [dns.address], databaseReadUrl: database.url },
      database,
      timer: SYSTEM_TIMER,
    });
    const watching = await startPrometheus([`127.0.0.1:${other.app.get(MetricsServer, { strict: false }).port}`]);
    await watching.fires('MailsondeReplicaUnused');
    await watching.stop();
    await other.close();
  });

  it('a balance that somebody has changed by hand', async () => {
    await query('UPDATE credit_balances SET available = available + 5 WHERE account_id = $1', [account.accountId]);
    await query('DELETE FROM ledger_drift');
    await service.app.get(LedgerDriftService, { strict: false }).compare();
    expect(await fires('MailsondeLedgerDrift')).toBe('Balances differ from their ledger by 5 credits.');
    await query(`UPDATE ledger_drift SET measured_at = now() - interval '20 minutes'`);
    await fires('MailsondeLedgerNotCompared', () =>
      query(`UPDATE ledger_drift SET measured_at = now() - interval '20 minutes'`),
    );
  });

  it('an alert fires by its cause: monitors whose time has come, and that nobody looks at', async () => {
    await query(
      `INSERT INTO monitors (id, account_id, simulated, kind, target, settings, interval_minutes, state, created_at, next_run_at)
       VALUES (1, $1, false, 'domain', 'late.example', '{}', 1440, 'pending', now(), now() + interval '1 day')`,
      [account.accountId],
    );
    // It is late again as soon as somebody has taken it.
    await fires('MailsondeMonitorsLate', () =>
      query(
        `UPDATE monitors SET next_run_at = now() - interval '20 minutes', holder = NULL, leased_until = NULL WHERE id = 1`,
      ),
    );
    await query('DELETE FROM monitors');
  });

  it('a block list that lists too much', async () => {
    const turned = new Map([['psbl', { targets: 20, isOfWeight: false }]]);
    await service.app
      .get(DataSource)
      .transaction((tx) => service.app.get(ListSuspicionsService, { strict: false }).weigh(tx, turned, 100));
    await fires('MailsondeBlacklistSuspect');
    await query('DELETE FROM blacklist_suspicions');
  });

  it('a day’s pool that is nearly used up', async () => {
    await query(`INSERT INTO agent_daily_pool VALUES ((now() AT TIME ZONE 'utc')::date, 9500, NULL)
                 ON CONFLICT (utc_date) DO UPDATE SET used = 9500`);
    expect(await fires('MailsondeAgentPoolLow')).toContain('5% of the day');
  });

  it('somebody who wants many keys', async () => {
    await fires('MailsondeRegistrationsLimited', () =>
      Promise.all(Array.from({ length: 5 }, () => call(service, '/agent-gateway/register', { method: 'POST' }))),
    );
  });

  it('a domain that somebody opted out', async () => {
    const body = { kind: 'domain', name: 'left.example.com', reason: 'asked to' };
    const key = await createAdminKey(service);
    await fires('MailsondeOptOut', () => call(service, '/admin/v1/opt-outs', { key, body }));
  });

  it('a mail operator that refuses us', async () => {
    let number = 0;
    const ask = () =>
      call(service, '/api/v1/verify', { key: account.liveKey, body: { email: `p${++number}@example.com` } });
    expect(await fires('MailsondeOperatorBreakerOpen', ask)).toContain('The mail operator google has refused us at');
  });

  it('a mail operator that accepts names that nobody has', async () => {
    const measures = service.app.get(OperatorMeasuresService, { strict: false });
    for (const reply of ['250 2.1.5 Ok', '250 2.1.5 Ok']) {
      expect(await measures.takeTurn('yandex')).not.toBeNull();
      await measures.record('yandex', true, { domain: 'yandex.ru', mailHost: 'mx.yandex.ru', reply });
      await query("UPDATE operator_measures SET asked_at = asked_at - interval '1 hour'");
    }
    expect(await fires('MailsondeOperatorAcceptsAll')).toContain('The mail operator yandex accepts names');
  });

  it('a process that is late, and one whose statements wait', async () => {
    await fires('MailsondeEventLoopSlow', () => {
      for (const until = performance.now() + 300; performance.now() < until;);
    });
    await fires('MailsondeDatabaseWaits', () =>
      Promise.all(Array.from({ length: 25 }, () => query('SELECT pg_sleep(0.6)'))),
    );
  });

  it('a process that has nearly all files open that it may', async () => {
    const limits = await readFile('/proc/self/limits', 'utf8');
    const most = Number(/Max open files\s+(\d+)/.exec(limits)![1]);
    expect(most, 'run.sh gives this process few files').toBeLessThanOrEqual(4_096);
    const { port, hostname } = new URL(service.url);
    const callers: Socket[] = [];
    try {
      // Callers that connect and say nothing: each has a file at either end.
      while ((await readdir('/proc/self/fd')).length < 0.85 * most) {
        const some = Array.from({ length: 100 }, () => connect(Number(port), hostname));
        callers.push(...some);
        await Promise.all(some.map((caller) => once(caller, 'connect')));
      }
      expect(await fires('MailsondeFilesRunOut')).toMatch(/ has 8\d\.\d+% of the files open that it may\.$/);
    } finally {
      for (const caller of callers) caller.destroy();
    }
  });

  it('a Redis that is slow', async () => {
    redisGate.delay(150);
    try {
      expect(await fires('MailsondeRedisSlow')).toMatch(/^Redis takes \S+ms to answer 127\.0\.0\.1:\d+;/);
    } finally {
      redisGate.delay(0);
    }
  });

  it('a Redis that is away, and the requests that fail without it', async () => {
    redisGate.shut();
    const ask = () =>
      fetch(`${unlucky.url}/api/v1/credits`, { headers: { authorization: `Bearer ${account.liveKey}` } });
    await fires('MailsondeRedisAway', ask);
    for (const alert of [
      'MailsondeErrors',
      'MailsondeErrorBudgetFast',
      'MailsondeErrorBudgetSlow',
      'MailsondeGaugesMissing',
    ])
      await fires(alert, ask);
  });

  it('a PostgreSQL that is away', async () => {
    postgresGate.shut();
    await fires('MailsondeDatabaseAway');
  });
});

interface Gate {
  readonly url: string;
  /** Connections end, and new ones do too. */
  shut(): void;
  let(): void;
  /** What the server says comes later by so much. */
  delay(ms: number): void;
  close(): void;
}

/** The same server by another port, which can be shut. */
async function openGate(to: string): Promise<Gate> {
  const url = new URL(to);
  const [host, port] = [url.hostname, Number(url.port)];
  const sockets = new Set<Socket>();
  let isShut = false;
  let delayMs = 0;
  const late = () =>
    new Transform({
      transform: (bytes, _encoding, done) => {
        if (delayMs === 0) done(null, bytes);
        else setTimeout(done, delayMs, null, bytes);
      },
    });
  const server = createServer((near) => {
    if (isShut) return void near.destroy();
    const far = connect(port, host);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    near.pipe(far);
    far.pipe(late()).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    url: url.href,
    shut: () => {
      isShut = true;
      for (const socket of sockets) socket.destroy();
    },
    let: () => (isShut = false),
    delay: (ms) => (delayMs = ms),
    close: () => server.close(),
  };
}
