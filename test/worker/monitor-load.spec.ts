import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nextTurns } from '../../src/monitors/model/turns.js';
import { RunsStore } from '../../src/monitors/runs/runs.store.js';
import { MonitorSweep } from '../../src/monitors/worker/monitor-sweep.js';
import { createFullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';

const MONITORS = 10_000;
const MINUTES = 15;
const SECOND = 1_000;
/** So much of the timetable is really run. */
const RUN_MS = 60 * SECOND;

const START = Date.parse('2026-11-26T12:00:00Z');
const time = { at: START, now: () => time.at };
let dns: DnsServer;
let service: TestService;

beforeAll(async () => {
  dns = await startDnsServer({
    answer: (name, type) => (type === 'A' && name.startsWith('2.0.0.127.') ? { A: ['127.0.0.2'] } : 'nxdomain'),
  });
  service = await startService({ env: { dnsServers: [dns.address] }, clock: time });
});

afterAll(async () => {
  await service.close();
  await dns.close();
});

const query = (sql: string, values: unknown[] = []) => onDatabase(service.env.databaseUrl, sql, values);

it('ten thousand monitors are spread evenly, and none of them waits for a minute', async () => {
  const { accountId } = await createFullAccount({ url: service.env.databaseUrl });
  // All were made at once, have run, and are given their next time by the statement that ends a run.
  await query(
    `INSERT INTO monitors (id, account_id, simulated, kind, target, settings, interval_minutes, state, created_at, next_run_at)
     SELECT 2000000000000 + n, $1, false, 'address', '8.' || n / 62500 || '.' || n / 250 % 250 || '.' || n % 250 + 1,
            '{"checks":null,"dkimSelectors":[],"sendingAddresses":[],"alertFrom":"warning","notifyFirst":false}', $2, 'pending', $3, $4
       FROM generate_series(1, $5) AS n`,
    [accountId, MINUTES, new Date(START), new Date(START + 86_400_000), MONITORS],
  );
  const store = service.app.get(RunsStore);
  const database = service.app.get(DataSource);
  const places = Array.from({ length: 8 }, (_, worker) => worker);
  await Promise.all(
    places.map((first) =>
      database.transaction(async (tx) => {
        for (let n = first + 1; n <= MONITORS; n += places.length) {
          const turn = { id: 2_000_000_000_000 + n, intervalMinutes: MINUTES, simulated: false, runs: 1 };
          await store.finish(tx, turn.id, {
            state: 'ok',
            run: { id: 1, finishedAt: new Date(START), number: 1 },
            unansweredSince: null,
            stalledAt: null,
            watched: 1,
            memory: { learned: true },
            turns: nextTurns(turn, START),
          });
        }
      }),
    ),
  );
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
  const sweep = service.app.get(MonitorSweep);
  time.at = from;
  while (time.at < from + RUN_MS) {
    const began = performance.now();
    await sweep.runDue();
    // The time of day goes on while a process is busy.
    time.at += Math.max(SECOND, performance.now() - began);
  }
  const lags = (await query(`SELECT count(*)::integer AS runs FROM monitor_runs`)) as [{ runs: number }];
  expect(lags[0].runs).toBeGreaterThan((RUN_MS / SECOND) * (MONITORS / (MINUTES * 60)) * 0.8);
  const late = await query('SELECT 1 FROM monitors WHERE next_run_at < $1', [new Date(time.at - 60 * SECOND)]);
  expect(late).toEqual([]);
}, 300_000);
