import type { ChildProcess } from 'node:child_process';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';

import { cpuMicros, startService, startSink } from '../batch/processes.js';
import { batchAddresses } from '../batch/workload.js';
import { bodyOf, endInGoodOrder, freePort, newKey, startServers } from '../batch/world.js';

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '10' },
    addresses: { type: 'string', default: '25' },
    accounts: { type: 'string', default: '8' },
    roles: { type: 'string', default: 'all,api+worker' },
    profile: { type: 'string' },
  },
});
if (values.help) {
  console.log(
    'npm run bench:small -- [--rate 200] [--seconds 10] [--addresses 25] [--accounts 8] [--roles all,api+worker] [--profile folder]\n\nSo many batches a second, whether or not the ones before are answered.',
  );
  process.exit();
}
const rate = Number(values.rate);
const count = Math.round(rate * Number(values.seconds));
const size = Number(values.addresses);
/** Batches before the clock runs, so that code is compiled and domains are known. */
const WARM_UP = 100;
const DRAIN_MS = 60_000;
const BARE_PAIRS = 2_000;
const body = bodyOf(batchAddresses(size));

const dns = await startSink('./dns-sink.js');
const smtp = await startSink('../smtp/sink.js');
console.log(`${count} batches of ${size} addresses, ${rate} a second, ${values.accounts} accounts`);
console.log(
  'roles          CPU ms a batch: service   PostgreSQL   Redis   together   ÷ bare   transactions   accepted p50 / p99 ms   completed p50 / p99 ms   not completed',
);
for (const roles of values.roles.split(',')) await measure(roles);
process.exit();

async function measure(roles: string): Promise<void> {
  const servers = await startServers();
  const { database, postgresPid, redisPid } = servers;
  const keys: string[] = [];
  while (keys.length < Number(values.accounts)) keys.push(await newKey(database, (count + WARM_UP) * size));
  const port = await freePort();
  const environment = {
    ...servers.environment,
    DNS_SERVERS: `127.0.0.1:${dns.port}`,
    SMTP_PORT: String(smtp.port),
    MX_ALLOWED_NETWORKS: '127.0.0.0/8',
    DNS_KNOWN_DOMAINS: 'd0.example.com',
  };
  const services: ChildProcess[] = [];
  for (const role of roles.split('+')) {
    const own = { ...environment, ROLE: role, ...(role !== 'worker' && { PORT: String(port) }) };
    services.push(await startService(own, values.profile ?? null));
  }
  const agent = new Agent({ keepAlive: true, maxSockets: 128 });
  await sendAll(agent, port, keys, WARM_UP, Math.min(rate, 50));
  await drained(database, DRAIN_MS);

  const cpuOf = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + cpuMicros(pid), 0);
  const pids = [services.map(({ pid }) => pid!), [postgresPid], [redisPid]];
  const before = pids.map(cpuOf);
  const transactionsBefore = await transactions(database);
  const { rows } = await database.query<{ now: Date }>('SELECT now()');
  const acceptedMs = await sendAll(agent, port, keys, count, rate);
  const left = await drained(database, DRAIN_MS);
  const cpu = pids.map((some, i) => (cpuOf(some) - before[i]!) / count / 1000);
  const perBatch = ((await transactions(database)) - transactionsBefore) / count;
  const completed = await database.query<{ ms: number }>(
    `SELECT extract(epoch FROM finished_at - created_at)::float * 1000 AS ms FROM batches
      WHERE created_at >= $1 AND state = 'completed' AND valid + invalid + risky + unknown = $2`,
    [rows[0]!.now, size],
  );
  const completedMs = completed.rows.map(({ ms }) => ms);
  const together = cpu.reduce((sum, one) => sum + one, 0);
  const bare = await barePairMs(database, postgresPid);
  const cells: [string, number][] = [
    ...cpu.map((one, i): [string, number] => [one.toFixed(2), [26, 13, 8][i]!]),
    [together.toFixed(2), 11],
    [(together / bare).toFixed(1), 9],
    [perBatch.toFixed(1), 15],
    [`${percentile(acceptedMs, 0.5)} / ${percentile(acceptedMs, 0.99)}`, 24],
    [`${percentile(completedMs, 0.5)} / ${percentile(completedMs, 0.99)}`, 25],
    [`${count - completedMs.length} (${left} open)`, 16],
  ];
  console.log(roles.padEnd(14) + cells.map(([text, width]) => text.padStart(width)).join(''));
  agent.destroy();
  await Promise.all(services.map(endInGoodOrder));
  await servers.stop();
}

/** @returns the milliseconds until each 201 */
async function sendAll(agent: Agent, port: number, keys: readonly string[], all: number, perSecond: number) {
  const startedAt = performance.now();
  const sent: Promise<number>[] = [];
  for (let i = 0; i < all; i++) {
    const aheadMs = startedAt + (i * 1000) / perSecond - performance.now();
    if (aheadMs > 1) await delay(aheadMs);
    sent.push(send(agent, port, keys[i % keys.length]!));
  }
  return Promise.all(sent);
}

function send(agent: Agent, port: number, key: string): Promise<number> {
  const sentAt = performance.now();
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': body.length,
  };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: '/api/v1/verify/batch', method: 'POST', agent, headers };
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () =>
        response.statusCode === 201 ? resolve(performance.now() - sentAt) : reject(new Error(text)),
      );
    });
    sent.on('error', reject).end(body);
  });
}

/** Waits until no batch is open. @returns how many still are when the time is over */
async function drained(database: pg.Client, withinMs: number): Promise<number> {
  const endsAt = performance.now() + withinMs;
  for (;;) {
    const { rows } = await database.query<{ open: string }>(
      'SELECT count(*) AS open FROM batches WHERE finished_at IS NULL',
    );
    const open = Number(rows[0]!.open);
    if (open === 0 || performance.now() > endsAt) return open;
    await delay(200);
  }
}

async function transactions(database: pg.Client): Promise<number> {
  // Backends report what they did within a second of becoming idle.
  await delay(1_500);
  const { rows } = await database.query<{ done: string }>(
    'SELECT xact_commit + xact_rollback AS done FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(rows[0]!.done);
}

/** CPU of what no batch can do without: one transaction that inserts a row and one that updates it, this process's part included. */
async function barePairMs(database: pg.Client, postgresPid: number): Promise<number> {
  await database.query('CREATE TABLE bare_batches (id bigint PRIMARY KEY, items text, results text)');
  const items = body.toString();
  const cpuBefore = cpuMicros(postgresPid);
  const ownBefore = process.cpuUsage();
  for (let i = 0; i < BARE_PAIRS; i++) {
    await database.query('BEGIN');
    await database.query({ name: 'in', text: 'INSERT INTO bare_batches VALUES ($1, $2)', values: [i, items] });
    await database.query('COMMIT');
    await database.query('BEGIN');
    await database.query({
      name: 'out',
      text: 'UPDATE bare_batches SET results = $2 WHERE id = $1',
      values: [i, items],
    });
    await database.query('COMMIT');
  }
  const own = process.cpuUsage(ownBefore);
  return (cpuMicros(postgresPid) - cpuBefore + own.user + own.system) / BARE_PAIRS / 1000;
}

function percentile(values: number[], part: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) * part)] ?? NaN).toFixed(0);
}
