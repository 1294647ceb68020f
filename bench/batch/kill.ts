import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';

import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { runMigrations } from '../../src/platform/database/migrate.js';
import { startPostgres } from '../../src/platform/embedded/postgres.js';
import { parentOf, startService, startSink } from './processes.js';
import { countWrong } from './truth.js';
import { batchClient, freePort, isOver, newKey } from './world.js';
import { batchAddresses } from './workload.js';

/*
 * A batch on two workers while processes are killed with SIGKILL at random moments: workers, the api, and once each PostgreSQL and
 * Redis, whose data is lost. It must complete by itself, every address must have its one true verdict, the credits be exact, and no
 * process may end that nobody killed. When a batch ends before the last kill the next one begins.
 */
const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    kills: { type: 'string', default: '20' },
    addresses: { type: 'string', default: '100000' },
    // Of the mail hosts, in milliseconds, so that one batch lasts for all kills.
    latency: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '15' },
  },
});
if (values.help) {
  console.log(
    'npm run bench:kill -- [--kills 20] [--addresses 100000] [--latency 100] [--minutes 15]\n\n' +
      'A batch on two workers while workers, the api, PostgreSQL and Redis are killed at random moments; --latency is that of the mail hosts in milliseconds.',
  );
  process.exit();
}
const count = Number(values.addresses);
const deadline = Date.now() + Number(values.minutes) * 60_000;
const silent = (): void => undefined;
const folder = mkdtempSync(join(tmpdir(), 'mailsonde-kill-'));
chmodSync(folder, 0o755); // So that as root the server's user gets to its data.
const SETTINGS = ['max_connections=100'];

let postgres = await startPostgres(join(folder, 'postgres-0'), silent, SETTINGS);
const PASSWORD = 'bench';
let redis = await startEmptyRedis();
const postgresDoor = await openDoor(() => portOf(postgres.url));
const redisDoor = await openDoor(() => redis.port);
await runMigrations(postgres.url, silent);
let database = await connected();
const MAX_BATCHES = 50;
const key = await newKey(database, count * MAX_BATCHES);
const dns = await startSink('./dns-sink.js');
const smtp = await startSink('../smtp/sink.js', [values.latency]);
const port = await freePort();

const environment = () => ({
  DATABASE_URL: withPort(postgres.url, postgresDoor),
  REDIS_URL: `redis://:${PASSWORD}@127.0.0.1:${redisDoor}/1`,
  DNS_SERVERS: `127.0.0.1:${dns.port}`,
  DNS_KNOWN_DOMAINS: 'd0.example.com',
  SMTP_PORT: String(smtp.port),
  MX_ALLOWED_NETWORKS: '127.0.0.0/8',
});
const roles = {
  api: { ROLE: 'api', PORT: String(port) },
  'worker 1': { ROLE: 'worker' },
  'worker 2': { ROLE: 'worker' },
};
type Name = keyof typeof roles;
const services = new Map<Name, ChildProcess>();
let endedByThemselves = 0;
for (const name of Object.keys(roles) as Name[]) await startAgain(name);

const client = batchClient(port, key);
const kills = Number(values.kills);
const plan = victims(kills);
let batches = 0;
let wrong = 0;
while (plan.length > 0 && batches < MAX_BATCHES) {
  batches += 1;
  const { id } = await again(() => client.submit(batchAddresses(count)));
  const startedAt = performance.now();
  const ending = ended(id);
  let isEnded = false;
  void ending.then(() => (isEnded = true));
  const killed: string[] = [];
  while (!isEnded && plan.length > 0) {
    await Promise.race([ending, delay(Math.random() * 3_000)]);
    if (isEnded) break;
    const victim = plan.shift()!;
    killed.push(`${victim} at ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    await kill(victim);
  }
  const status = await ending;
  const bad = countWrong(await again(() => client.csv(id)), batchAddresses(count));
  wrong += bad + (status.status === 'completed' && status.credits_charged === count ? 0 : 1);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(
    `${status.status} after ${seconds} s, ${bad} rows wrong, ${status.credits_charged} credits; killed: ${killed.join(', ')}`,
  );
}
const { rows } = await database.query('SELECT available, reserved, used_total FROM credit_balances');
const view = await createDataSource(postgres.url);
const { differing } = await new CreditsAudit(view).run();
console.log(`${kills} kills over ${batches} batches, processes that ended by themselves: ${endedByThemselves}`);
console.log(
  `balance ${JSON.stringify(rows[0])}; expected used ${batches * count}; accounts that do not add up: ${differing.length}`,
);
const isExact =
  Number(rows[0].used_total) === batches * count && Number(rows[0].reserved) === 0 && differing.length === 0;
await view.destroy();
await database.end();
const running = [...services.values()];
services.clear();
for (const child of running) child.kill('SIGKILL');
redis.child.kill('SIGKILL');
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(wrong === 0 && isExact && endedByThemselves === 0 ? 0 : 1);

/** Workers mostly; PostgreSQL and Redis once each. */
function victims(kills: number): string[] {
  const names = ['worker 1', 'worker 2', 'worker 1', 'api'];
  const all = Array.from({ length: kills }, (_, i) => names[i % names.length]!);
  if (kills > 2) all[Math.floor(kills / 3)] = 'PostgreSQL';
  if (kills > 2) all[Math.floor((2 * kills) / 3)] = 'Redis';
  return all;
}

async function kill(victim: string): Promise<void> {
  if (victim === 'PostgreSQL') {
    process.kill(await postmaster(), 'SIGKILL');
    await delay(500);
    postgres = await startPostgres(join(folder, 'postgres-0'), silent, SETTINGS);
    database = await connected();
  } else if (victim === 'Redis') {
    redis.child.kill('SIGKILL');
    redis = await startEmptyRedis();
  } else await startAgain(victim as Name);
}

async function startAgain(name: Name): Promise<void> {
  const old = services.get(name);
  services.delete(name);
  if (old !== undefined) {
    const gone = once(old, 'exit');
    old.kill('SIGKILL');
    await gone;
  }
  const service = await startService({ ...environment(), ...roles[name] }, null);
  services.set(name, service);
  service.once('exit', (code) => {
    if (services.get(name) !== service) return;
    services.delete(name);
    endedByThemselves += 1;
    console.log(`${name} has ended by itself with ${code}`);
    void startAgain(name);
  });
}

async function ended(id: number) {
  for (;;) {
    await delay(200);
    const status = await again(() => client.status(id));
    if (isOver(status)) return status;
    if (Date.now() > deadline) throw new Error(`batch ${id} has not ended in time: ${JSON.stringify(status)}`);
  }
}

/** What is away while it is asked is back soon. */
async function again<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(200);
    }
  }
}

/** The JavaScript one, so that it can have the same password each time. */
async function startEmptyRedis(): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const child = fork(new URL('../../src/platform/embedded/js-redis-process.js', import.meta.url));
  process.once('exit', () => child.kill('SIGKILL'));
  child.send({ password: PASSWORD, databases: 16 });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, port };
}

/** A port that stays the same when what is behind it comes back at another one. */
async function openDoor(behind: () => number): Promise<number> {
  const door = createServer({ noDelay: true }, (socket) => {
    const server = connect({ port: behind(), host: '127.0.0.1', noDelay: true });
    for (const [one, other] of [
      [socket, server],
      [server, socket],
    ] as const) {
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  return (door.address() as { port: number }).port;
}

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: postgres.url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function postmaster(): Promise<number> {
  const { rows } = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return parentOf(rows[0]!.pid);
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

function withPort(url: string, port: number): string {
  const other = new URL(url);
  other.port = String(port);
  return other.href;
}
