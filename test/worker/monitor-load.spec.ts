import type { EntityManager } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nextRunTimes } from '../../src/deliverability/monitors/findings/timings.js';
import { RunsStore } from '../../src/deliverability/monitors/runs.store.js';
import { REDIS, type RedisClient } from '../../src/platform/redis/redis.js';
import { MonitorSweep } from '../../src/deliverability/monitors/monitor-sweep.js';
import { createFullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { type DnsReply, type DnsServer, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';

const MONITORS = 10_000;
const ACCOUNTS = 10;
const MINUTES = 15;
const SECOND = 1_000;
/** One of so many watches a domain, the others an address. */
const DOMAIN_OF = 10;
/** So many minutes of the timetable are really run; `npm run bench:monitors` runs an hour, four runs of each monitor. */
const RUN_MINUTES = Number(process.env['MONITOR_MINUTES'] ?? 1);
const RUN_MS = RUN_MINUTES * 60 * SECOND;
/** A list's day is shorter than what they ask, which is not what this is about. */
const LISTS = ['psbl', 'nordspam', 'nordspam-dbl', 'dronebl'];

const START = Date.parse('2026-11-26T12:00:00Z');
/** It stands still while nothing is due, and goes as fast as any other while a process is busy. */
const time = { at: START, busySince: null as number | null, now: () => time.at + busyMs() };
const busyMs = () => (time.busySince === null ? 0 : performance.now() - time.busySince);
let dns: DnsServer;
let service: TestService;

const POINT = /^(2\.0\.0\.127|test)\.(psbl|bl\.nordspam|dbl\.nordspam|dnsbl\.dronebl)\./;

/** Lists that are in order and have nobody, and domains of which there is little to say. */
function answer(name: string, type: string): DnsReply {
  if (type === 'A' && POINT.test(name)) return { A: ['127.0.0.2'] };
  if (!/(^|\.)shop\d+\.example$/.test(name)) return 'nxdomain';
  if (type === 'MX') return { MX: [[10, `mx.${name}`]] };
  if (type === 'NS') return { NS: ['ns1.example.net', 'ns2.example.net'] };
  if (type === 'TXT' && /^shop\d/.test(name)) return { TXT: ['v=spf1 ip4:8.8.4.4 -all'] };
  return type === 'TXT' && name.startsWith('_dmarc.') ? { TXT: ['v=DMARC1; p=reject'] } : 'nodata';
}

beforeAll(async () => {
  dns = await startDnsServer({ answer });
  service = await startService({ env: { dnsServers: [dns.address] }, clock: time });
});

afterAll(async () => {
  await service.close();
  await dns.close();
});

const query = (sql: string, values: unknown[] = []) => onDatabase(service.env.databaseUrl, sql, values);

it('ten thousand monitors are spread evenly, and none of them waits for a minute', async () => {
  // A plan has room for a thousand: what is beyond it would be paused while the test runs.
  const accounts = await Promise.all(
    Array.from({ length: ACCOUNTS }, () => createFullAccount({ url: service.env.databaseUrl }, { plan: 'scale' })),
  );
  // All were made at once, have run, and are given their next time by the statement that ends a run.
  await query(
    `INSERT INTO monitors (id, account_id, simulated, kind, target, settings, interval_minutes, state, created_at, next_run_at)
     SELECT 2000000000000 + n, ($1::uuid[])[1 + n % cardinality($1::uuid[])], false, CASE WHEN n % $6 = 0 THEN 'domain' ELSE 'address' END,
            CASE WHEN n % $6 = 0 THEN 'shop' || n || '.example' ELSE '8.' || n / 62500 || '.' || n / 250 % 250 || '.' || n % 250 + 1 END,
            '{"checks":null,"dkimSelectors":[],"sendingAddresses":[],"alertFrom":"warning","notifyFirst":false}', $2, 'pending', $3, $4
       FROM generate_series(1, $5) AS n`,
    [
      accounts.map(({ accountId }) => accountId),
      MINUTES,
      new Date(START),
      new Date(START + 86_400_000),
      MONITORS,
      DOMAIN_OF,
    ],
  );
  await finishAll();
  const [spread] = (await query(
    `SELECT max(runs)::integer AS most, count(*)::integer AS seconds
       FROM (SELECT count(*) AS runs FROM monitors GROUP BY date_trunc('second', next_run_at)) AS by_second`,
  )) as [{ most: number; seconds: number }];
  expect(spread.seconds).toBeGreaterThan(MINUTES * 60 * 0.9);
  expect(spread.most).toBeLessThanOrEqual((2 * MONITORS) / (MINUTES * 60));

  // The runs refer to nothing before them.
  await query('UPDATE monitors SET last_run_id = NULL');
  const [{ first }] = (await query('SELECT min(next_run_at) AS first FROM monitors')) as [{ first: Date }];
  const from = first.getTime() + 120 * SECOND;
  // What is due before is left out, so that what is measured is the ordinary course of things.
  await query('UPDATE monitors SET next_run_at = $1 WHERE next_run_at < $2', [
    new Date(START + 86_400_000),
    new Date(from),
  ]);
  const lags = await lagsOfRuns(from);
  const runs = lags.length;
  const [median, most] = [lags[Math.floor(runs / 2)]!, lags.at(-1)!].map((ms) => (ms / SECOND).toFixed(1));
  const notifiedState = `${runs} runs in ${RUN_MINUTES} minutes of the timetable: half of them begin within ${median} s, all within ${most} s`;
  if (process.env['MONITOR_MINUTES'] !== undefined)
    process.stdout.write(`${notifiedState}; ${dns.questions.length} questions\n`);
  expect(runs).toBeGreaterThan((RUN_MS / SECOND) * (MONITORS / (MINUTES * 60)) * 0.9);
  expect(dns.questions.length).toBeGreaterThan(2 * runs);
  expect(lags.at(-1)!).toBeLessThan(60 * SECOND);
  const late = await query('SELECT 1 FROM monitors WHERE next_run_at < $1', [new Date(time.at - 60 * SECOND)]);
  expect(late).toEqual([]);
}, 3_600_000);

/** Ends a run of each monitor by the statement that the service has for it. The database repeats it: ten thousand requests would take seconds. */
async function finishAll(): Promise<void> {
  const store = service.app.get(RunsStore);
  const places = Array.from({ length: 8 }, (_, worker) => worker);
  const statements = async (first: number): Promise<string> => {
    const all: string[] = [];
    const tx = {
      query: (sql: string, values: Parameters<typeof literal>[0][]) => {
        if (all.length === 0) all.push(`PREPARE finish_run AS ${sql}`);
        all.push(`EXECUTE finish_run(${values.map(literal).join(', ')})`);
      },
    };
    for (let n = first + 1; n <= MONITORS; n += places.length) {
      const turn = { id: 2_000_000_000_000 + n, intervalMinutes: MINUTES, simulated: false, runs: 1 };
      await store.finish(tx as unknown as EntityManager, turn.id, {
        state: 'ok',
        run: { id: 1, finishedAt: new Date(START), number: 1 },
        unansweredSince: null,
        stalledAt: null,
        watched: 1,
        memory: { learned: true },
        turns: nextRunTimes(turn, START),
      });
    }
    return [...all, 'DEALLOCATE finish_run'].join(';\n');
  };
  // Several at once, as in a process that runs monitors: none of them sees what the others have not ended yet.
  await Promise.all(places.map(async (first) => query(await statements(first))));
}

function literal(value: string | number | null | Date | readonly Date[]): string {
  if (value === null || typeof value === 'number') return String(value);
  if (typeof value === 'string') return `'${value}'`;
  return value instanceof Date ? `'${value.toISOString()}'` : `'{${value.map((at) => at.toISOString()).join(',')}}'`;
}

/** Lets the timetable pass, and says how long after its time each run began, in order. */
async function lagsOfRuns(from: number): Promise<readonly number[]> {
  const sweep = service.app.get(MonitorSweep);
  const redis = service.app.get<RedisClient>(REDIS);
  const rows = (await query('SELECT id, next_run_at AS due FROM monitors')) as { id: number; due: Date }[];
  const due = new Map(rows.map(({ id, due: at }) => [id, at.getTime()]));
  const seen = new Set<number>();
  const lags: number[] = [];
  time.at = from;
  while (time.at < from + RUN_MS) {
    const began = time.at;
    time.busySince = performance.now();
    await sweep.runDue();
    const ended = time.now();
    [time.at, time.busySince] = [ended, null];
    const begun = (await query(
      `SELECT run.id, monitor_id AS monitor, started_at AS at, next_run_at AS due
         FROM monitor_runs AS run JOIN monitors ON monitors.id = monitor_id WHERE started_at >= $1 ORDER BY started_at`,
      [new Date(began - SECOND)],
    )) as { id: number; monitor: number; at: Date; due: Date }[];
    for (const run of begun.filter(({ id }) => !seen.has(id))) {
      seen.add(run.id);
      lags.push(run.at.getTime() - due.get(run.monitor)!);
      due.set(run.monitor, run.due.getTime());
    }
    time.at = Math.max(ended, began + SECOND);
    const day = Math.floor(time.at / 86_400_000);
    for (const list of LISTS) await redis.del(`blacklists:${list}:${day}`);
  }
  return lags.toSorted((a, b) => a - b);
}
