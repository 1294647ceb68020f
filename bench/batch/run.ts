import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';

import { generateToken, hashToken } from '../../src/keys/token.js';
import { runMigrations } from '../../src/platform/database/migrate.js';
import { startPostgres } from '../../src/platform/embedded/postgres.js';
import { startRedis } from '../../src/platform/embedded/redis.js';
import { latestState } from '../../src/platform/embedded/redis-state.js';
import { measureBareParts } from './bare-parts.js';
import { cpuMicros, peakRssMb, startService, startSink } from './processes.js';
import { batchAddresses, exists } from './workload.js';

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    addresses: { type: 'string', default: '100000' },
    workers: { type: 'string', default: '2' },
    profile: { type: 'string' },
  },
});
if (values.help) {
  console.log('npm run bench:batch -- [--addresses 100000] [--workers 2]');
  process.exit();
}
const count = Number(values.addresses);
const profile = values.profile ?? null;
const silent = (): void => undefined;

const folder = mkdtempSync(join(tmpdir(), 'mailsonde-bench-'));
chmodSync(folder, 0o755); // So that as root the server's user gets to its data.
const postgres = await startPostgres(folder, silent, ['max_connections=100']);
const redis = await startRedis(folder, silent, 16);
await runMigrations(postgres.url, silent);
const database = new pg.Client({ connectionString: postgres.url });
await database.connect();
const key = await newKey();
const dns = await startSink('./dns-sink.js');
const smtp = await startSink('../smtp/sink.js');
const port = await freePort();
const environment = {
  DATABASE_URL: postgres.url,
  REDIS_URL: `${redis.url}/1`,
  DNS_SERVERS: `127.0.0.1:${dns.port}`,
  SMTP_PORT: String(smtp.port),
  ALLOW_PRIVATE_MX: '127.0.0.0/8',
};
const processes: Record<string, ChildProcess> = {
  api: await startService({ ...environment, ROLE: 'api', PORT: String(port) }, profile),
};
for (let i = 1; i <= Number(values.workers); i++)
  processes[`worker ${i}`] = await startService({ ...environment, ROLE: 'worker' }, profile);

const body = `{"emails":${JSON.stringify([...batchAddresses(count)])}}`;
const pids = new Map<string, number>([
  ...Object.entries(processes).map(([name, { pid }]): [string, number] => [name, pid!]),
  ['DNS sink', dns.child.pid!],
  ['SMTP sink', smtp.child.pid!],
  ['PostgreSQL', await postgresPid()],
  [redis.what.split(' ')[0]!, latestState(folder)!.server.pid],
]);
const before = new Map([...pids].map(([name, pid]) => [name, cpuMicros(pid)]));
const startedAt = performance.now();
const since = (): number => (performance.now() - startedAt) / 1000;

const { id } = await ask<{ id: number }>('', body);
const acceptedAfter = since();
let status: Status | null = null;
while (status === null || !['completed', 'failed', 'cancelled'].includes(status.status)) {
  await delay(100);
  // On a machine that is busy a question may have to be asked again.
  status = await ask<Status>(`/${id}`).catch(() => null);
}
const completedAfter = since();
const cpu = new Map([...pids].map(([name, pid]) => [name, (cpuMicros(pid) - before.get(name)!) / count]));
const questions = await countOf(dns.child);
const connections = await countOf(smtp.child);
const wrong = await checkResults();
const downloadedAfter = since();

console.log(`${count} addresses, ${values.workers} workers: ${status.status}`);
console.log(`accepted after ${acceptedAfter.toFixed(2)} s, completed after ${completedAfter.toFixed(2)} s`);
console.log(`${Math.round(count / completedAfter)} addresses/s from POST to completed`);
console.log(`CSV in ${(downloadedAfter - completedAfter).toFixed(2)} s; rows that are wrong or missing: ${wrong}`);
console.log(`counts ${JSON.stringify(status.counts)}, credits charged ${status.credits_charged}`);
console.log(
  `${(questions / count).toFixed(3)} DNS questions and ${(connections / count).toFixed(3)} connections an address\n`,
);
console.log('process         µs of CPU an address   peak MB');
const total = [...cpu.values()].reduce((sum, micros) => sum + micros, 0);
for (const [name, micros] of cpu)
  console.log(`${name.padEnd(16)}${micros.toFixed(1).padStart(12)}${String(peakRssMb(pids.get(name)!)).padStart(18)}`);

console.log(`together${total.toFixed(1).padStart(20)}`);

if (profile !== null) await Promise.all(Object.values(processes).map(endInGoodOrder));
for (const child of Object.values(processes)) child.kill('SIGKILL');
const bare = await measureBareParts({
  database,
  postgresPid: pids.get('PostgreSQL')!,
  folder: join(folder, 'postgres'),
  smtpPort: smtp.port,
  addresses: count,
});
console.log('\nbare part                                             addresses/s   µs of CPU');
for (const { what, addressesPerSecond, cpuMicrosPerAddress } of bare)
  console.log(
    what.padEnd(52) +
      Math.round(addressesPerSecond).toString().padStart(13) +
      cpuMicrosPerAddress.toFixed(2).padStart(12),
  );
await database.end();
await redis.stop();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
// The sinks go with it.
process.exit();

async function countOf(sink: ChildProcess): Promise<number> {
  sink.send('count');
  const [count] = (await once(sink, 'message')) as [number];
  return count;
}

async function endInGoodOrder(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

interface Status {
  readonly status: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly credits_charged: number;
}

async function ask<T>(path: string, body?: string): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/verify/batch${path}`, {
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { method: 'POST', body }),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** The sink's truth against the CSV, row by row. */
async function checkResults(): Promise<number> {
  const url = `http://127.0.0.1:${port}/api/v1/verify/batch/${id}/results?format=csv`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  const lines = (await response.text()).trimEnd().split(/\r?\n/);
  const columns = lines[0]!.split(',');
  const [email, verdict] = [columns.indexOf('email'), columns.indexOf('verdict')];
  let wrong = 0;
  let row = 1;
  for (const address of batchAddresses(count)) {
    const cells = lines[row++]?.split(',') ?? [];
    if (cells[email] !== address || cells[verdict] !== (exists(address) ? 'valid' : 'invalid')) wrong += 1;
  }
  return wrong + Math.max(0, lines.length - 1 - count);
}

async function newKey(): Promise<string> {
  const token = generateToken('live');
  const { rows } = await database.query<{ id: string }>(
    `INSERT INTO accounts (kind, policy, created_at) VALUES ('full', 'scale', now()) RETURNING id`,
  );
  const account = rows[0]!.id;
  await database.query(
    `INSERT INTO api_keys (account_id, kind, token_hash, last_four, created_at) VALUES ($1, 'live', $2, $3, now())`,
    [account, hashToken(token), token.slice(-4)],
  );
  await database.query('INSERT INTO credit_balances (account_id, available, entries) VALUES ($1, $2, 1)', [
    account,
    count,
  ]);
  await database.query(
    `INSERT INTO credit_ledger (account_id, number, created_at, kind, amount, balance_after, purpose)
     VALUES ($1, 1, now(), 'grant', $2, $2, 'bench')`,
    [account, count],
  );
  return token;
}

async function postgresPid(): Promise<number> {
  const { rows } = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const stat = readFileSync(`/proc/${rows[0]!.pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address() as { port: number };
      server.close(() => resolve(address.port));
    });
  });
}
